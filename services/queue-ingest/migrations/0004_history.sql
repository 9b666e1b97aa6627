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
-- States of a day, in the order of the list.
create index project_versions_days on project_versions (project_id, valid_from desc);
-- A page of what held on a day is a stretch of this index, in which other days are skipped unread.
create index project_versions_page
  on project_versions (project_id, (coalesce(valid_to, 'infinity')), valid_from);
create index project_versions_valid on project_versions using gist (tstzrange(valid_from, valid_to));
-- Counts, filters and sums of a day, without a page of the table for each request.
create index project_versions_of_day on project_versions using gist (tstzrange(valid_from, valid_to))
  include (valid_from, valid_to, project_id, entry, kind, listed, region, state, type_std, status_std, capacity_mw, tax_credit_pct,
    tax_credit_status, estimated_credit_value, energy_community_eligible, low_income_eligible, construction_stage_confidence);
create index project_versions_developer on project_versions (developer_id) where developer_id is not null;
-- A name that is linked later is looked for in the states that were filed under it.
create index project_versions_filed
  on project_versions (developer) where developer is not null;
