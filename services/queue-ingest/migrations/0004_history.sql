-- Why: the queues as of a day are read like the present: each state of a request has its columns and its days.

-- States of requests: the columns of `projects` that a response shows or a later list is compared with.
create table project_versions (
  entry bigint generated always as identity primary key,
  project_id text not null,
  version bigint not null,
  snapshot_id bigint not null,
  -- Days of the lists: the first on which it held, and the first on which another did.
  valid_from timestamptz not null,
  valid_to timestamptz,
  -- Written for another reason than a list: a link to a company, what another publisher says.
  derived boolean not null default false,
  queue_id text, name text, region text, state text, county text, counties text[], fips text, developer text, developer_tier text,
  developer_id integer, developer_canonical text, type text, type_std text, kind text, status text, status_std text, status_basis text,
  status_evidence text, status_flag text, listed text, capacity_mw float8, components jsonb not null default '[]', summer_mw float8,
  winter_mw float8, queue_date date, cod date, actual_cod date, withdrawn_date date, ia_date date, backfeed_date date, energized_date date,
  security_posted boolean, construction_stage text, construction_stage_confidence float8, study_phase text, study_phase_filed text,
  ia_status text, ia_status_filed text, poi text, utility text, cluster text, service text, lat float8, lon float8, location_precision text,
  energy_community_eligible boolean, low_income_eligible boolean, domestic_content_eligible boolean, domestic_content_basis text,
  tax_credit_type text, tax_credit_status text, tax_credit_pct float8, estimated_credit_value float8, effective_credit_rate float8,
  needs_capital boolean, investable boolean, investability_score integer, feed text, first_seen_at timestamptz, last_changed_at timestamptz,
  missing_since timestamptz, disappeared_at timestamptz, key text, unit text, row_hash text
);
create index project_versions_version on project_versions (project_id, version);
-- What held on a day, in the order of the list.
create index project_versions_days on project_versions (project_id, valid_from desc);
-- A page of what held on a day is a stretch of this index, in which other days are skipped unread.
create index project_versions_page
  on project_versions (project_id, (coalesce(valid_to, 'infinity')), valid_from);
create index project_versions_valid on project_versions using gist (tstzrange(valid_from, valid_to));
-- What is counted, filtered and summed of a day, without a page of the table for each request.
create index project_versions_of_day on project_versions using gist (tstzrange(valid_from, valid_to))
  include (valid_from, valid_to, project_id, entry, kind, listed, region, state, type_std, status_std, capacity_mw, tax_credit_pct,
    tax_credit_status, estimated_credit_value, energy_community_eligible, low_income_eligible, construction_stage_confidence);
create index project_versions_developer on project_versions (developer_id) where developer_id is not null;
-- A name that is linked later is looked for in the states that were filed under it.
create index project_versions_filed
  on project_versions (developer) where developer is not null;

-- States of requests as answers name them: the same columns as `projects`.
create view project_history as
select project_id as id, queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id,
  developer_canonical, type, type_std, kind, status, status_std, status_basis, status_evidence, status_flag, listed, capacity_mw,
  summer_mw, winter_mw, queue_date, cod, actual_cod, withdrawn_date, ia_date, backfeed_date, energized_date, security_posted,
  construction_stage, construction_stage_confidence, study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility,
  cluster, service, lat, lon, location_precision, energy_community_eligible, low_income_eligible, domestic_content_eligible,
  domestic_content_basis, tax_credit_type, tax_credit_status, tax_credit_pct, estimated_credit_value, effective_credit_rate,
  needs_capital, investable, investability_score, feed, first_seen_at, last_changed_at, missing_since, version, entry, valid_from,
  valid_to, derived, snapshot_id, disappeared_at, key, unit, row_hash, components
from project_versions;

-- The JSON of a state, as the body of a request is written.
create function state_body(p project_history) returns text language sql stable as $$
  select row_to_json(row(
    p.id, p.queue_id, p.name, p.region, p.state, p.county, p.counties, p.fips, p.developer, p.developer_tier, p.developer_id,
    p.developer_canonical, p.type, p.type_std, p.kind, p.status, p.status_std, p.status_basis, p.status_evidence, p.status_flag,
    p.listed, p.capacity_mw, p.components, p.summer_mw, p.winter_mw, p.queue_date, p.cod, p.actual_cod, p.withdrawn_date, p.ia_date,
    p.backfeed_date, p.energized_date, p.security_posted, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, p.poi, p.utility, p.cluster, p.service, p.lat, p.lon, p.location_precision,
    p.energy_community_eligible, p.low_income_eligible, p.domestic_content_eligible, p.domestic_content_basis, p.tax_credit_type,
    p.tax_credit_status, p.tax_credit_pct, p.estimated_credit_value, p.effective_credit_rate, p.needs_capital, p.investable,
    p.investability_score, p.feed, iso(p.first_seen_at), iso(p.last_changed_at), iso(p.missing_since), p.version)::project_body)::text
$$;
