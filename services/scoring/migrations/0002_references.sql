-- Why: the lists that tax credits and scores look at: energy communities, low-income tracts, interconnection costs. Each file is kept apart,
-- with the notice it is of, so that the newest list is used whatever the order of loading.

-- Raised when a list of places is loaded or removed. The edition is another in every database, so that what a process keeps of the lists
-- is never taken for another database's.
create table reference_versions (
  single boolean primary key default true check (single),
  version bigint not null,
  edition uuid not null default gen_random_uuid()
);
insert into reference_versions (version) values (0);

-- A row for each file that is loaded. What a later file of the same list replaces is removed with its rows.
create table reference_files (
  id bigint generated always as identity primary key,
  sha256 text not null,
  name text not null,
  size_bytes bigint not null,
  source text not null check (source in ('energy-communities', 'low-income', 'ic-costs')),
  kind text not null check (kind in ('counties', 'coal-tracts', 'places', 'low-income', 'ic-costs')),
  -- The notice, or whose list it is; null for costs.
  notice text,
  valid_from date,
  published_on date,
  rows_in integer not null,
  -- Entries that came of them.
  rows integer not null,
  -- It says something of every place there is.
  complete boolean not null,
  -- The bundled sample.
  sample boolean not null,
  -- [{reason, count, examples}]
  dropped jsonb not null check (jsonb_typeof(dropped) = 'array'),
  loaded_at timestamptz not null,
  unique (source, sha256)
);

create table energy_community_counties (
  file_id bigint not null references reference_files on delete cascade,
  fips text not null check (fips ~ '^\d{5}$'),
  statistical boolean not null,
  area text,
  vintage text,
  note text,
  primary key (file_id, fips)
);

create table coal_tracts (
  file_id bigint not null references reference_files on delete cascade,
  tract text not null check (tract ~ '^\d{11}$'),
  tract_type text,
  eligible_from date,
  primary key (file_id, tract)
);

create table low_income_tracts (
  file_id bigint not null references reference_files on delete cascade,
  tract text not null check (tract ~ '^\d{11}$'),
  -- How much of the tract is a low-income community.
  share float8 not null check (share > 0 and share <= 1),
  primary key (file_id, tract)
);

create table low_income_counties (
  file_id bigint not null references reference_files on delete cascade,
  fips text not null check (fips ~ '^\d{5}$'),
  low_income integer not null check (low_income >= 0),
  -- Tracts of the county; null where the list names the low-income ones alone.
  tracts integer check (tracts >= low_income),
  primary key (file_id, fips)
);

-- How request numbers are compared: "ae1_001" is AE1-001, "0517" is 517.
create function queue_key(number text) returns text language sql immutable parallel safe as $$
  select ltrim(upper(regexp_replace(btrim(number), '[\s_]+', '-', 'g')), '0')
$$;

-- As filed. The request may be announced later than its cost.
create table filed_interconnection_costs (
  file_id bigint not null references reference_files on delete cascade,
  project_id text,
  region text,
  queue_key text,
  cost_usd_per_kw float8 not null check (cost_usd_per_kw between 0 and 20000),
  as_of date,
  source text,
  check (num_nonnulls(project_id, queue_key) = 1 and num_nonnulls(region, queue_key) in (0, 2)),
  unique nulls not distinct (file_id, project_id, region, queue_key, as_of)
);
create index filed_interconnection_costs_project on filed_interconnection_costs (project_id) where project_id is not null;
create index filed_interconnection_costs_queue on filed_interconnection_costs (region, queue_key) where queue_key is not null;
create index projects_queue_key on projects (region, queue_key(queue_id));

-- Of each request its newest cost. No row: no cost is known, which is not zero.
create table interconnection_costs (
  project_id text primary key references projects on delete cascade,
  cost_usd_per_kw float8 not null,
  as_of date,
  source text,
  sha256 text not null
);

-- The newest cost filed for each of these requests: by its day, then by when the file was loaded. One without a day is the oldest.
create function newest_costs(ids text[]) returns setof interconnection_costs language sql stable as $$
  select distinct on (project_id) project_id, cost_usd_per_kw, as_of, filed.source, sha256
  from (
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id
    from projects p join filed_interconnection_costs c on c.project_id = p.project_id where p.project_id = any(ids)
    union all
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id
    from projects p join filed_interconnection_costs c on c.region = p.region and c.queue_key = queue_key(p.queue_id)
    where p.project_id = any(ids)) filed
  join reference_files f on f.id = filed.file_id
  order by project_id, as_of desc nulls last, f.loaded_at desc, f.id desc, cost_usd_per_kw desc
$$;

create function cost_new_projects() returns trigger language plpgsql as $$
begin
  -- Costs that are being loaded do not see these requests yet, nor these them: the second transaction waits (see ref-store.ts).
  perform pg_advisory_xact_lock_shared(hashtextextended(current_schema() || ':costs', 0));
  if exists (select from filed_interconnection_costs) then
    insert into interconnection_costs select * from newest_costs(array(select project_id from arrived))
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger projects_arrived after insert on projects referencing new table as arrived
  for each statement execute function cost_new_projects();

-- Under another number another cost may apply.
create function cost_renumbered_project() returns trigger language plpgsql as $$
begin
  delete from interconnection_costs where project_id = new.project_id;
  insert into interconnection_costs select * from newest_costs(array[new.project_id]);
  return null;
end
$$;
create trigger projects_renumbered after update of queue_id, region on projects for each row
  when ((old.queue_id, old.region) is distinct from (new.queue_id, new.region)) execute function cost_renumbered_project();

-- How fresh each source is.
create table reference_sources (
  source text primary key check (source in ('energy-communities', 'low-income', 'ic-costs')),
  last_success_at timestamptz,
  last_checked_at timestamptz,
  last_changed_at timestamptz,
  last_outcome text check (last_outcome in ('applied', 'unchanged', 'refused')),
  -- Of a refusal.
  last_reason text
);
insert into reference_sources (source) values ('energy-communities'), ('low-income'), ('ic-costs');
