-- Why: the parts of a hybrid, each with its technology and its megawatts as filed, stand beside the request and in its history.

alter table projects add column if not exists components jsonb not null default '[]';
alter table project_versions add column if not exists components jsonb not null default '[]';

-- The type names the fields of a body, in their order. A program of the release before does not name it.
drop type project_body;
create type project_body as (
  id text, queue_id text, name text, region text, state text, county text, counties text[], fips text,
  developer text, developer_tier text, developer_id integer, developer_canonical text, type text, type_std text,
  kind text, status text, status_std text, status_basis text, status_evidence text, status_flag text, listed text, capacity_mw double precision,
  components jsonb, summer_mw double precision, winter_mw double precision, queue_date date, cod date, actual_cod date,
  withdrawn_date date, ia_date date, backfeed_date date, energized_date date, security_posted boolean,
  construction_stage text, construction_stage_confidence double precision, study_phase text, study_phase_filed text,
  ia_status text, ia_status_filed text, poi text, utility text, cluster text, service text, lat double precision,
  lon double precision, location_precision text, energy_community_eligible boolean, low_income_eligible boolean,
  domestic_content_eligible boolean, domestic_content_basis text, tax_credit_type text, tax_credit_status text, tax_credit_pct double precision,
  estimated_credit_value double precision, effective_credit_rate double precision, needs_capital boolean,
  investable boolean, investability_score integer, feed text, first_seen_at text, last_changed_at text,
  missing_since text, version bigint);

create or replace function write_project_body() returns trigger language plpgsql as $$
begin
  new.body := row_to_json(row(
    new.id, new.queue_id, new.name, new.region, new.state, new.county, new.counties, new.fips, new.developer,
    new.developer_tier, new.developer_id, new.developer_canonical, new.type, new.type_std, new.kind, new.status,
    new.status_std, new.status_basis, new.status_evidence, new.status_flag, listing_of(new.missing_since, new.disappeared_at), new.capacity_mw,
    new.components, new.summer_mw, new.winter_mw, new.queue_date, new.cod,
    new.actual_cod, new.withdrawn_date, new.ia_date, new.backfeed_date, new.energized_date, new.security_posted,
    new.construction_stage, new.construction_stage_confidence, new.study_phase, new.study_phase_filed, new.ia_status,
    new.ia_status_filed, new.poi, new.utility, new.cluster, new.service, new.lat, new.lon, new.location_precision,
    new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible, new.domestic_content_basis, new.tax_credit_type,
    new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value, new.effective_credit_rate,
    new.needs_capital, new.investable, new.investability_score, new.feed, iso(new.first_seen_at),
    iso(new.last_changed_at), iso(new.missing_since), new.version)::project_body)::text;
  return new;
end
$$;

-- A view takes further columns at its end alone.
create or replace view project_history as
select project_id as id, queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id,
  developer_canonical, type, type_std, kind, status, status_std, status_basis, status_evidence, status_flag, listed, capacity_mw,
  summer_mw, winter_mw, queue_date, cod, actual_cod, withdrawn_date, ia_date, backfeed_date, energized_date, security_posted,
  construction_stage, construction_stage_confidence, study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility,
  cluster, service, lat, lon, location_precision, energy_community_eligible, low_income_eligible, domestic_content_eligible,
  domestic_content_basis, tax_credit_type, tax_credit_status, tax_credit_pct, estimated_credit_value, effective_credit_rate,
  needs_capital, investable, investability_score, feed, first_seen_at, last_changed_at, missing_since, version, entry, valid_from,
  valid_to, seq_from, seq_to, believed, derived, backfilled, snapshot_id, disappeared_at, key, unit, row_hash, components
from project_versions;

create or replace function state_body(p project_history) returns text language sql stable as $$
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
