-- Why: what the queues were on a day, or after a change, is read like what they are: each state of a request has its columns and the days it holds for.

-- The columns of `projects` that an answer shows or a later list is compared with; the text of a body is written no more.
alter table project_versions alter column body drop not null;
alter table project_versions
  add column entry bigint generated always as identity,
  -- `valid_from` and `valid_to` are days of the lists; these are the places in the change feed from which and until which it was the present (null: never).
  add column seq_from bigint,
  add column seq_to bigint,
  -- False: taken back, or replaced by what is known since; no day shows it.
  add column believed boolean not null default true,
  -- Written for another reason than a list: a link to a company, what another publisher says.
  add column derived boolean not null default false,
  -- Of a list that was loaded after a newer one.
  add column backfilled boolean not null default false,
  add column queue_id text, add column name text, add column region text, add column state text, add column county text,
  add column counties text[], add column fips text, add column developer text, add column developer_tier text,
  add column developer_id integer, add column developer_canonical text, add column type text, add column type_std text,
  add column kind text, add column status text, add column status_std text, add column status_basis text,
  add column status_evidence text, add column status_flag text, add column listed text, add column capacity_mw double precision,
  add column summer_mw double precision, add column winter_mw double precision, add column queue_date date, add column cod date,
  add column actual_cod date, add column withdrawn_date date, add column ia_date date, add column backfeed_date date,
  add column energized_date date, add column security_posted boolean, add column construction_stage text,
  add column construction_stage_confidence double precision, add column study_phase text, add column study_phase_filed text,
  add column ia_status text, add column ia_status_filed text, add column poi text, add column utility text,
  add column cluster text, add column service text, add column lat double precision, add column lon double precision,
  add column location_precision text, add column energy_community_eligible boolean, add column low_income_eligible boolean,
  add column domestic_content_eligible boolean, add column domestic_content_basis text, add column tax_credit_type text,
  add column tax_credit_status text, add column tax_credit_pct double precision, add column estimated_credit_value double precision,
  add column effective_credit_rate double precision, add column needs_capital boolean, add column investable boolean,
  add column investability_score integer, add column feed text, add column first_seen_at timestamptz,
  add column last_changed_at timestamptz, add column missing_since timestamptz, add column disappeared_at timestamptz,
  add column key text, add column unit text, add column row_hash text;

update project_versions v set
  (queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id, developer_canonical, type, type_std,
    kind, status, status_std, status_basis, status_evidence, status_flag, listed, capacity_mw, summer_mw, winter_mw, queue_date, cod,
    actual_cod, withdrawn_date, ia_date, backfeed_date, energized_date, security_posted, construction_stage,
    construction_stage_confidence, study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility, cluster, service, lat, lon,
    location_precision, energy_community_eligible, low_income_eligible, domestic_content_eligible, domestic_content_basis,
    tax_credit_type, tax_credit_status, tax_credit_pct, estimated_credit_value, effective_credit_rate, needs_capital, investable,
    investability_score, feed, first_seen_at, last_changed_at, missing_since)
  = (select b.queue_id, b.name, b.region, b.state, b.county, b.counties, b.fips, b.developer, b.developer_tier, b.developer_id,
    b.developer_canonical, b.type, b.type_std, b.kind, b.status, b.status_std, b.status_basis, b.status_evidence, b.status_flag,
    b.listed, b.capacity_mw, b.summer_mw, b.winter_mw, b.queue_date, b.cod, b.actual_cod, b.withdrawn_date, b.ia_date,
    b.backfeed_date, b.energized_date, b.security_posted, b.construction_stage, b.construction_stage_confidence, b.study_phase,
    b.study_phase_filed, b.ia_status, b.ia_status_filed, b.poi, b.utility, b.cluster, b.service, b.lat, b.lon, b.location_precision,
    b.energy_community_eligible, b.low_income_eligible, b.domestic_content_eligible, b.domestic_content_basis, b.tax_credit_type,
    b.tax_credit_status, b.tax_credit_pct, b.estimated_credit_value, b.effective_credit_rate, b.needs_capital, b.investable,
    b.investability_score, b.feed, b.first_seen_at::timestamptz, b.last_changed_at::timestamptz, b.missing_since::timestamptz
  from json_populate_record(null::project_body, v.body::json) b);
-- A state of before holds its place in the feed by the last change of its snapshot.
update project_versions v set seq_from = coalesce((select max(c.seq) from changes c where c.snapshot_id <= v.snapshot_id), 0);
update project_versions v set seq_to = n.seq_from from project_versions n
where n.project_id = v.project_id and n.version = v.version + 1;

alter table project_versions drop constraint project_versions_pkey;
alter table project_versions add primary key (entry);
create index project_versions_version on project_versions (project_id, version);
-- What held on a day, in the order of the list.
create index project_versions_days on project_versions (project_id, valid_from desc) where believed;
create index project_versions_valid on project_versions using gist (tstzrange(valid_from, valid_to)) where believed;
create index project_versions_seqs on project_versions using gist (int8range(seq_from, seq_to)) where seq_from is not null;

alter table changes
  -- Of the request after the change; null of a change of many, and of what was written before the column existed.
  add column version bigint,
  -- Of a list that was loaded after a newer one: the present is not changed by it.
  add column backfilled boolean not null default false;

-- States of requests as answers name them: the same columns as `projects`.
create view project_history as
select project_id as id, queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id,
  developer_canonical, type, type_std, kind, status, status_std, status_basis, status_evidence, status_flag, listed, capacity_mw,
  summer_mw, winter_mw, queue_date, cod, actual_cod, withdrawn_date, ia_date, backfeed_date, energized_date, security_posted,
  construction_stage, construction_stage_confidence, study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility,
  cluster, service, lat, lon, location_precision, energy_community_eligible, low_income_eligible, domestic_content_eligible,
  domestic_content_basis, tax_credit_type, tax_credit_status, tax_credit_pct, estimated_credit_value, effective_credit_rate,
  needs_capital, investable, investability_score, feed, first_seen_at, last_changed_at, missing_since, version, entry, valid_from,
  valid_to, seq_from, seq_to, believed, derived, backfilled, snapshot_id, disappeared_at, key, unit, row_hash
from project_versions;

-- The JSON of a state, as the body of a request is written.
create function state_body(p project_history) returns text language sql stable as $$
  select row_to_json(row(
    p.id, p.queue_id, p.name, p.region, p.state, p.county, p.counties, p.fips, p.developer, p.developer_tier, p.developer_id,
    p.developer_canonical, p.type, p.type_std, p.kind, p.status, p.status_std, p.status_basis, p.status_evidence, p.status_flag,
    p.listed, p.capacity_mw, p.summer_mw, p.winter_mw, p.queue_date, p.cod, p.actual_cod, p.withdrawn_date, p.ia_date,
    p.backfeed_date, p.energized_date, p.security_posted, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, p.poi, p.utility, p.cluster, p.service, p.lat, p.lon, p.location_precision,
    p.energy_community_eligible, p.low_income_eligible, p.domestic_content_eligible, p.domestic_content_basis, p.tax_credit_type,
    p.tax_credit_status, p.tax_credit_pct, p.estimated_credit_value, p.effective_credit_rate, p.needs_capital, p.investable,
    p.investability_score, p.feed, iso(p.first_seen_at), iso(p.last_changed_at), iso(p.missing_since), p.version)::project_body)::text
$$;
