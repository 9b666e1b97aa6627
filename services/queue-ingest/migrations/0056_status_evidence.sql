-- Why: where an operator says nothing of a request, its standard status follows what another publisher says of the plant, and can be taken back.

alter table projects add column status_evidence text;

-- Requests whose status follows another publisher.
create table evidenced_statuses (
  project_id text primary key references projects on delete cascade,
  -- As it is shown.
  status_std text not null,
  -- What the operator's list comes to without it: status_std, status_basis, construction_stage, its confidence, ia_status.
  filed jsonb not null
);

-- The type names the fields of a body, in their order. A program of the release before does not name it.
drop type project_body;
create type project_body as (
  id text, queue_id text, name text, region text, state text, county text, counties text[], fips text,
  developer text, developer_tier text, developer_id integer, developer_canonical text, type text, type_std text,
  kind text, status text, status_std text, status_basis text, status_evidence text, status_flag text, listed text, capacity_mw double precision,
  summer_mw double precision, winter_mw double precision, queue_date date, cod date, actual_cod date,
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
    new.status_std, new.status_basis, new.status_evidence, new.status_flag, listing_of(new.missing_since, new.disappeared_at), new.capacity_mw, new.summer_mw, new.winter_mw, new.queue_date, new.cod,
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

drop trigger projects_body_update on projects;
create trigger projects_body_update before update on projects for each row
  when ((old.version, old.status_std, old.status_evidence, old.energy_community_eligible, old.low_income_eligible,
      old.domestic_content_eligible, old.domestic_content_basis,
      old.tax_credit_type, old.tax_credit_status, old.tax_credit_pct, old.estimated_credit_value,
      old.effective_credit_rate, old.needs_capital, old.investable, old.investability_score)
    is distinct from (new.version, new.status_std, new.status_evidence, new.energy_community_eligible, new.low_income_eligible,
      new.domestic_content_eligible, new.domestic_content_basis,
      new.tax_credit_type, new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value,
      new.effective_credit_rate, new.needs_capital, new.investable, new.investability_score))
  execute function write_project_body();
