-- Why: changes of hands, derived from two publications: yearly ownership of generators, and developers of queue projects.

-- Copy of ownership.recorded: who owned a generator in a year.
create table generator_ownership (
  plant_id integer not null,
  generator_id text not null,
  year integer not null,
  version bigint not null,
  plant_name text,
  state text,
  technology text,
  capacity_mw float8,
  status text,
  source text not null,
  operator jsonb not null,
  owners jsonb not null,
  primary key (plant_id, year, generator_id)
);

-- Copy of project.changed, as far as a change of developer needs it.
create table queue_developers (
  project_id text primary key,
  region text not null,
  developer text,
  version bigint not null
);
create index queue_developers_region on queue_developers (region, lower(developer));

-- Projects whose developer as filed changed in a list; the list is judged once all of its projects have arrived.
create table transfer_candidates (
  snapshot_id bigint not null,
  project_id text not null,
  version bigint not null,
  detected_at timestamptz not null,
  from_name text,
  from_canonical text,
  to_name text,
  to_canonical text,
  correction boolean not null,
  -- The project as it was announced with the change.
  project jsonb not null,
  outcome text check (outcome in ('deal', 'held', 'rename', 'none')),
  primary key (snapshot_id, project_id)
);

-- Lists whose changes of developer are judged, each once.
create table transfer_snapshots (
  snapshot_id bigint primary key,
  region text not null,
  as_of timestamptz not null,
  rows integer not null,
  developer_changes integer not null,
  judged_at timestamptz
);

create table ma_events (
  id bigint generated always as identity primary key,
  -- Identity of the event, as a JSON array: eia, plant, generator, year, seller, buyer; or queue, snapshot, project.
  key text not null unique,
  event_type text not null,
  asset_class text not null,
  effective_on date not null,
  plant_id integer,
  generator_id text,
  project_id text,
  queue_id text,
  region text,
  asset_name text,
  capacity_mw float8,
  technology text,
  state text,
  seller text,
  seller_canonical text,
  buyer text,
  buyer_canonical text,
  fraction_owned float8,
  source text not null,
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  reason text not null,
  version bigint not null default 1,
  -- A report was corrected. The row stays, so that its version continues if the event returns.
  retracted boolean not null default false,
  recorded_at timestamptz not null default now()
);
create index ma_events_newest on ma_events (effective_on desc, id desc) where not retracted;
create index ma_events_plant on ma_events (plant_id, effective_on) where plant_id is not null;
create index ma_events_project on ma_events (project_id) where project_id is not null;

-- For a person's review: a list that changed too much at once, a developer that perhaps has a new name.
create table ma_reviews (
  id bigint generated always as identity primary key,
  snapshot_id bigint not null references transfer_snapshots,
  region text not null,
  as_of timestamptz not null,
  kind text not null check (kind in ('recode', 'rename')),
  old_developer text,
  new_developer text,
  projects integer not null,
  project_ids text[] not null,
  reason text not null
);
