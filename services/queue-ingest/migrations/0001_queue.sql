-- Why: the queues of seven operators as they are, as they were, and what changed; with the bytes that prove it.

-- Text that differs only in case, white space, punctuation, "&", "NY" or a ".0" is one spelling. Another point between digits
-- counts (34.5 kV is not 345 kV).
create function spelling(value text) returns text language sql immutable parallel safe as $$
  select nullif(replace(regexp_replace(regexp_replace(regexp_replace(replace(lower(value), '&', ' and '),
    '[''’`]|(?<=[0-9])\.0+(?![0-9])|(?<![0-9])\.|\.(?![0-9])', '', 'g'), '[^[:alnum:].]+', ' ', 'g'),
    '\mnew york\M', 'ny', 'g'), ' ', ''), '')
$$;

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create function fraction(part bigint, whole bigint) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(part::numeric / nullif(whole, 0), 4)::float8, 0)
$$;

-- What was downloaded, byte for byte, before anything looked into it.
create table raw_files (
  sha256 text primary key,
  bytes bytea not null,
  size_bytes bigint not null,
  archived_at timestamptz not null default now()
);
alter table raw_files alter column bytes set storage external;

-- One attempt to take in one operator's list (of one or more files), whatever came of it.
create table snapshots (
  id bigint generated always as identity primary key,
  region text not null,
  -- The list that was asked for, where the attempt has no file to tell it by: a failed download, an unchanged look.
  feed text,
  as_of timestamptz not null,
  outcome text not null check (outcome in ('started', 'applied', 'retracted', 'unchanged', 'quarantined', 'failed')),
  reason text,
  -- It put back an earlier list.
  retraction boolean not null default false,
  -- Held back by a guard that a second, equal look 12 hours later releases.
  hold_once boolean not null default false,
  rows integer not null default 0,
  new integer not null default 0,
  changed integer not null default 0,
  status_changes integer not null default 0,
  withdrawn integer not null default 0,
  disappeared integer not null default 0,
  measures jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index snapshots_region on snapshots (region, id desc);

create table snapshot_files (
  snapshot_id bigint not null references snapshots,
  position integer not null,
  feed text,
  sha256 text not null references raw_files,
  name text not null,
  url text,
  etag text,
  last_modified text,
  fetched_at timestamptz not null default now(),
  published_on date,
  rows_in integer,
  requests integer,
  dropped jsonb,
  unknown_values jsonb,
  unknown_columns jsonb,
  primary key (snapshot_id, position)
);
create index snapshot_files_sha256 on snapshot_files (sha256);

-- The lists that an attempt was about; none where it was never known.
create function feeds_of(s snapshots) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct feed), '{}') from (
    select s.feed union select f.feed from snapshot_files f where f.snapshot_id = s.id) t
  where feed is not null
$$;

-- Where each list stands: what the next snapshot is compared with, and how fresh it is.
create table feeds (
  feed text primary key,
  region text,
  -- Snapshot time and hash of the last accepted list.
  applied_as_of timestamptz,
  applied_sha256 text,
  published_on date,
  requests integer not null default 0,
  etag text,
  last_modified text,
  last_checked_at timestamptz,
  last_success_at timestamptz,
  last_changed_at timestamptz,
  last_outcome text,
  last_reason text,
  paused boolean not null default false
);

-- Whether the operator's newest list shows a request: of what is absent a later list decides whether it has disappeared.
create function listing_of(missing_since timestamptz, disappeared_at timestamptz) returns text language sql immutable parallel safe as $$
  select case when disappeared_at is not null then 'disappeared' when missing_since is not null then 'missing' else 'listed' end
$$;

create table projects (
  id text primary key,
  queue_id text not null,
  region text not null,
  feed text not null,
  key text not null,
  unit text,
  kind text not null,
  name text,
  state text,
  county text,
  counties text[] not null default '{}',
  fips text,
  developer text,
  developer_tier text,
  type text,
  type_std text not null,
  status text,
  status_std text not null,
  status_flag text,
  capacity_mw float8,
  summer_mw float8,
  winter_mw float8,
  queue_date date,
  cod date,
  actual_cod date,
  withdrawn_date date,
  ia_date date,
  backfeed_date date,
  energized_date date,
  security_posted boolean,
  construction_stage text not null,
  construction_stage_confidence float8 not null,
  study_phase text,
  study_phase_filed text,
  ia_status text not null,
  ia_status_filed text,
  poi text,
  utility text,
  cluster text,
  service text,
  lat float8,
  lon float8,
  location_precision text,
  -- Filled by later work; null until a source states them.
  energy_community_eligible boolean,
  low_income_eligible boolean,
  domestic_content_eligible boolean,
  tax_credit_type text,
  tax_credit_pct float8,
  estimated_credit_value float8,
  effective_credit_rate float8,
  needs_capital boolean,
  investable boolean,
  investability_score integer,
  first_seen_at timestamptz not null,
  last_changed_at timestamptz not null,
  missing_since timestamptz,
  disappeared_at timestamptz,
  -- listing_of the two before, written by a trigger: as a generated column no row could be copied whole.
  listed text not null default 'listed',
  version bigint not null,
  raw jsonb not null default '{}',
  -- Hash of the standardised row as staged, so that equal rows are recognised without comparing columns.
  row_hash text not null,
  -- The project as every list shows it, written once when the row is written and read many times.
  body text not null
);
-- Each costs a tenth of a first load. The pages of the two commonest filters come in order from theirs, and their totals,
-- with a range of capacities too, from the index alone.
create index projects_region on projects (region);
create index projects_feed on projects (feed);
create index projects_generation_region on projects (region, id) include (capacity_mw) where kind = 'generation';
create index projects_generation_state on projects (state, id) include (capacity_mw) where kind = 'generation';

create function write_project_body() returns trigger language plpgsql as $$
begin
  new.body := (select row_to_json(row)::text from (select
    new.id, new.queue_id, new.name, new.region, new.state, new.county, new.counties, new.fips, new.developer,
    new.developer_tier, new.type, new.type_std, new.kind, new.status, new.status_std, new.status_flag, new.capacity_mw,
    new.summer_mw, new.winter_mw, new.queue_date, new.cod, new.actual_cod, new.withdrawn_date, new.ia_date,
    new.backfeed_date, new.energized_date, new.security_posted, new.construction_stage,
    new.construction_stage_confidence, new.study_phase, new.study_phase_filed, new.ia_status, new.ia_status_filed,
    new.poi, new.utility, new.cluster, new.service, new.lat, new.lon, new.location_precision,
    new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible, new.tax_credit_type,
    new.tax_credit_pct, new.estimated_credit_value, new.effective_credit_rate, new.needs_capital, new.investable,
    new.investability_score, new.feed, iso(new.first_seen_at) as first_seen_at,
    iso(new.last_changed_at) as last_changed_at, iso(new.missing_since) as missing_since, new.version) row);
  return new;
end
$$;
-- `raw` is not shown in lists: an update of it alone leaves the body as it is.
create trigger projects_body_insert before insert on projects for each row execute function write_project_body();
create trigger projects_body_update before update on projects for each row
  when (old.version is distinct from new.version) execute function write_project_body();

-- Every number a request was ever filed under.
create function write_listed() returns trigger language plpgsql as $$
begin
  new.listed := listing_of(new.missing_since, new.disappeared_at);
  return new;
end
$$;
create trigger projects_listed before insert or update of missing_since, disappeared_at on projects
  for each row execute function write_listed();

create table project_aliases (
  project_id text not null references projects,
  number text not null,
  region text not null,
  key text not null,
  first_seen_at timestamptz not null,
  primary key (project_id, number)
);
create index project_aliases_key on project_aliases (region, key);

-- What a project was, from one snapshot to another. The open version has no end.
create table project_versions (
  project_id text not null,
  version bigint not null,
  valid_from timestamptz not null,
  valid_to timestamptz,
  snapshot_id bigint not null,
  body text not null,
  primary key (project_id, version)
);

create table changes (
  seq bigint primary key,
  snapshot_id bigint not null references snapshots,
  detected_at timestamptz not null,
  region text not null,
  feed text not null,
  project_id text,
  queue_id text,
  kind text,
  change_type text not null,
  field_name text,
  old_value text,
  new_value text,
  project_name text,
  developer_canonical text,
  capacity_mw float8,
  type_std text,
  state text
);
create index changes_detected_at on changes (detected_at desc, seq desc);
create index changes_project on changes (project_id);

-- Berkeley Lab's yearly list: history and comparison, never a project of an operator.
create table lbnl_requests (
  entity text not null,
  q_id text not null,
  repeat integer not null,
  lbnl_region text,
  key text not null,
  status_std text not null,
  request jsonb not null,
  primary key (entity, q_id, repeat)
);
create index lbnl_requests_key on lbnl_requests (lbnl_region, key);
