-- Why: the developer behind a request whose operator names none, or only a project's company, found by what the EIA says of its plant.

create table project_developers (
  project_id text primary key references projects on delete cascade,
  developer_id integer not null references developers,
  method text not null,
  confidence float8 not null,
  -- The name that led to the developer, and why.
  company text not null,
  evidence text not null,
  -- The plant by which it was found; null where the filed name itself led there.
  plant_id integer
);
create index project_developers_developer on project_developers (developer_id);

-- The developer of a request: whose name was filed, else the one that was found.
create function request_developer(wanted text, filed text)
returns table (developer_id integer, canonical_name text, tier text, needs_capital boolean) language sql stable as $$
  select n.developer_id, n.canonical_name, n.tier, n.needs_capital from named_developers n where n.raw_name = filed
  union all
  select d.developer_id, d.canonical_name, d.tier, d.needs_capital
  from project_developers l join developers d using (developer_id)
  where l.project_id = wanted and not exists (select from named_developers n where n.raw_name = filed)
$$;

-- Every company that the EIA names for a plant: who reports it, and who owns generators of it by Schedule 4.
create view plant_companies as
  select plant_id, plant_name, entity_name as name, 'entity' as role, as_of, null::float8 as share
  from grid_units_dated where entity_name is not null
  union all
  select plant_id, plant_name, utility_name, 'entity', make_date(year, 12, 31), null
  from generators where utility_name is not null
  union all
  select plant_id, name, utility_name, 'entity', make_date(year, 12, 31), null from plants where utility_name is not null
  union all
  select plant_id, plant_name, owner_name, 'owner', make_date(year, 12, 31), fraction from plant_owners;

-- Which editions of the EIA's forms and lists, and of the register, the links rest on.
create function eia_editions() returns text language sql stable as $$
  select md5(concat(
    (select sha256 from register_edition),
    (select string_agg(sha256, ',' order by year, schedule) from eia_schedules),
    (select string_agg(sha256, ',' order by feed, edition) from dataset_editions where database = 'grid')))
$$;
create table linked_editions (
  only_row boolean primary key default true check (only_row),
  editions text not null,
  linked_at timestamptz not null default now()
);
