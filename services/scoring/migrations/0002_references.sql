-- Why: the lists that tax credits and scores use: energy communities, low-income tracts, interconnection costs. Each file is stored separately
-- with its notice, so that the newest list counts whatever the order of loading.

-- Raised when a list of places is loaded or removed. The edition differs in every database, so that a process never
-- takes lists cached from one database for those of another.
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
  -- Entries made of them.
  rows integer not null,
  -- It lists every place there is.
  complete boolean not null,
  -- The bundled sample.
  sample boolean not null,
  -- [{reason, count, examples}]
  dropped jsonb not null check (jsonb_typeof(dropped) = 'array'),
  -- {sheet, columns: [{column, header}]}, by which an entry says which row and cells of its file it is made of. Null of costs.
  layout jsonb,
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
  -- The row, from 1, and the texts of the columns of the layout.
  file_row integer not null,
  filed jsonb not null,
  primary key (file_id, fips)
);

create table coal_tracts (
  file_id bigint not null references reference_files on delete cascade,
  tract text not null check (tract ~ '^\d{11}$'),
  tract_type text,
  eligible_from date,
  file_row integer not null,
  filed jsonb not null,
  primary key (file_id, tract)
);

create table low_income_tracts (
  file_id bigint not null references reference_files on delete cascade,
  tract text not null check (tract ~ '^\d{11}$'),
  -- How much of the tract is a low-income community.
  share float8 not null check (share > 0 and share <= 1),
  file_row integer not null,
  filed jsonb not null,
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

-- As filed. The request may be announced later than its cost.
create table filed_interconnection_costs (
  file_id bigint not null references reference_files on delete cascade,
  project_id text,
  region text,
  queue_key text,
  cost_usd_per_kw float8 not null check (cost_usd_per_kw between 0 and 20000),
  as_of date,
  source text,
  -- The study that states it, the year of its dollars, and its parts.
  study text,
  dollars_year integer,
  poi_usd_per_kw float8,
  network_usd_per_kw float8,
  check (num_nonnulls(project_id, queue_key) = 1 and num_nonnulls(region, queue_key) in (0, 2)),
  unique nulls not distinct (file_id, project_id, region, queue_key, as_of)
);
create index filed_interconnection_costs_project on filed_interconnection_costs (project_id) where project_id is not null;
create index filed_interconnection_costs_queue on filed_interconnection_costs (region, queue_key) where queue_key is not null;

-- Newest cost of each request. No row: no cost is known, which is not zero.
create table interconnection_costs (
  project_id text primary key references projects on delete cascade,
  cost_usd_per_kw float8 not null,
  as_of date,
  source text,
  sha256 text not null,
  study text,
  dollars_year integer,
  poi_usd_per_kw float8,
  network_usd_per_kw float8
);

-- The newest cost filed for each of these requests: by its day, then by when the file was loaded. One without a day is the oldest.
create function newest_costs(ids text[]) returns setof interconnection_costs language sql stable as $$
  select distinct on (project_id) project_id, cost_usd_per_kw, as_of, filed.source, sha256, study, dollars_year, poi_usd_per_kw,
    network_usd_per_kw
  from (
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id, c.study, c.dollars_year, c.poi_usd_per_kw, c.network_usd_per_kw
    from projects p join filed_interconnection_costs c on c.project_id = p.project_id where p.project_id = any(ids)
    union all
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id, c.study, c.dollars_year, c.poi_usd_per_kw, c.network_usd_per_kw
    from projects p join filed_interconnection_costs c on c.region = p.region and c.queue_key = queue_key(p.queue_id)
    where p.project_id = any(ids)) filed
  join reference_files f on f.id = filed.file_id
  order by project_id, as_of desc nulls last, f.loaded_at desc, f.id desc, cost_usd_per_kw desc
$$;

create function cost_new_projects() returns trigger language plpgsql as $$
begin
  -- Concurrent loads of costs and these requests do not see each other: the second transaction waits (references/store.ts).
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

-- A request without a cost has the range of its neighbours', chosen by point of interconnection, by transmission owner and technology, or by
-- operator and technology: the costs of each neighbourhood with enough of them, three at a point of interconnection and five otherwise.
create view interconnection_cost_ranges as
  select * from (
    select k.rule, p.region, k.place_key, min(k.place) as place, k.type_std, count(*)::integer as n,
      percentile_cont(0.25) within group (order by i.cost_usd_per_kw) as p25,
      percentile_cont(0.5) within group (order by i.cost_usd_per_kw) as median,
      percentile_cont(0.75) within group (order by i.cost_usd_per_kw) as p75,
      min(i.as_of) as studied_from, max(i.as_of) as studied_to,
      -- Null where the years differ or are not stated.
      case when min(coalesce(i.dollars_year, 0)) = max(i.dollars_year) then max(i.dollars_year) end as dollars_year
    from interconnection_costs i join projects p using (project_id)
    cross join lateral (values
      ('poi', place_key(p.poi), p.poi, null),
      ('transmission_owner', place_key(p.utility), p.utility, p.type_std),
      ('region', '', null, p.type_std)) as k (rule, place_key, place, type_std)
    where k.place_key is not null
    group by k.rule, p.region, k.place_key, k.type_std) neighbourhoods
  where n >= case rule when 'poi' then 3 else 5 end;

-- Freshness of each source.
create table reference_sources (
  source text primary key check (source in ('energy-communities', 'low-income', 'ic-costs')),
  last_success_at timestamptz,
  last_checked_at timestamptz,
  last_changed_at timestamptz,
  last_outcome text check (last_outcome in ('applied', 'unchanged', 'refused')),
  -- Reason of a refusal.
  last_reason text
);
insert into reference_sources (source) values ('energy-communities'), ('low-income'), ('ic-costs');

-- Rows of each list, for /source-freshness and the extracts `sources`.
create view source_records as
  select r.source, (select coalesce(sum(f.rows), 0)::bigint from reference_files f where f.source = r.source) as records,
    r.last_checked_at, r.last_changed_at, r.last_success_at, r.last_outcome
  from reference_sources r;
