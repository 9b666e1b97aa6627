-- Why: who owns the plants that requests became, year by year as reported to the EIA, and its monthly lists of planned and new units, which name
-- the entity behind a plant before form EIA-860 reports it.

-- Loaded schedules by year, with their files. A plant absent from a schedule that is not loaded may still exist.
create table eia_schedules (
  year integer not null,
  schedule text not null
    check (schedule in ('utility', 'plant', 'generator', 'wind', 'solar', 'storage', 'multifuel', 'owner')),
  sha256 text not null references raw_files,
  early_release boolean not null,
  -- When the workbook was saved: as near as a file comes to its day of publication.
  published_on date,
  stored integer not null,
  loaded_at timestamptz not null default now(),
  primary key (year, schedule)
);

create table utilities (
  year integer not null,
  utility_id integer not null,
  name text not null,
  street text,
  city text,
  state text,
  zip text,
  entity_type text,
  primary key (year, utility_id)
);

create table plants (
  year integer not null,
  plant_id integer not null,
  name text,
  -- The operator.
  utility_id integer,
  utility_name text,
  street text,
  city text,
  state text,
  zip text,
  county text,
  lat float8,
  lon float8,
  nerc_region text,
  balancing_authority text,
  sector text,
  grid_owner text,
  grid_voltage_kv float8,
  primary key (year, plant_id)
);
create index plants_state on plants (state);
create index plants_plant_id on plants (plant_id, year desc);

-- By schedule: wind, solar, storage and multifuel repeat generators of the full list (3_1), and are all there is without it.
create table generators (
  year integer not null,
  schedule text not null,
  plant_id integer not null,
  generator_id text not null,
  stage text not null check (stage in ('operable', 'proposed', 'retired')),
  status text,
  technology text,
  prime_mover text,
  utility_id integer,
  utility_name text,
  plant_name text,
  state text,
  county text,
  capacity_mw float8,
  summer_mw float8,
  operating_year integer,
  primary key (year, schedule, plant_id, generator_id)
);
create index generators_plant_id on generators (plant_id, year desc);
create index generators_unit on generators (plant_id, generator_id, year);

-- Schedule 4: generators owned jointly, or wholly by another party than the operator.
create table plant_owners (
  year integer not null,
  plant_id integer not null,
  generator_id text not null,
  -- Place among the rows of the generator, as filed.
  position integer not null,
  owner_id integer,
  owner_name text not null,
  -- 0 to 1; null where the row states none.
  fraction float8,
  owner_street text,
  owner_city text,
  owner_state text,
  owner_zip text,
  status text,
  plant_name text,
  state text,
  utility_id integer,
  utility_name text,
  primary key (year, plant_id, generator_id, position)
);

-- Owners of a generator in a year, stated or inferred, as published. A row without owners was withdrawn by a correction.
create table generator_ownership (
  plant_id integer not null,
  generator_id text not null,
  year integer not null,
  version bigint not null,
  recorded_at timestamptz not null default now(),
  -- The event's payload less its heading.
  body text not null,
  primary key (plant_id, generator_id, year)
);

-- The plant that a request became. Several requests (phases) can be one plant; a request is one plant or none.
create table project_plants (
  project_id text primary key references projects on delete cascade,
  plant_id integer not null,
  method text not null,
  confidence float8 not null,
  evidence text not null
);
create index project_plants_plant on project_plants (plant_id);

-- The full list of generators first: the others repeat parts of it.
create function schedule_place(schedule text) returns integer language sql immutable parallel safe as $$
  select case schedule when 'generator' then 1 when 'wind' then 2 when 'solar' then 3 when 'storage' then 4 else 5 end
$$;

-- The standard technology: by the code of the prime mover where that alone decides, and where an old form has no
-- technology. A fuel cell is filed under its fuel; compressed air and concentrating solar power have codes of their own.
create function eia_type_std(technology text, prime_mover text) returns text language sql immutable parallel safe as $$
  select case
    when prime_mover = 'FC' then 'Fuel Cell'
    when technology = 'Batteries' or prime_mover = 'BA' then 'Storage'
    when technology in ('Flywheels', 'Natural Gas with Compressed Air Storage') or prime_mover in ('FW', 'CE', 'ES') then 'Other Storage'
    when technology = 'Solar Thermal with Energy Storage' or prime_mover = 'CP' then 'Solar + Storage'
    when technology like 'Solar %' or prime_mover = 'PV' then 'Solar'
    when technology = 'Offshore Wind Turbine' or prime_mover = 'WS' then 'Offshore Wind'
    when technology = 'Onshore Wind Turbine' or prime_mover = 'WT' then 'Wind'
    when technology = 'Hydroelectric Pumped Storage' or prime_mover = 'PS' then 'Pumped Storage'
    when technology in ('Conventional Hydroelectric', 'Hydrokinetic') or prime_mover in ('HY', 'HA', 'HB', 'HK') then 'Hydro'
    when technology = 'Geothermal' or prime_mover = 'BT' then 'Geothermal'
    when technology = 'Nuclear' then 'Nuclear'
    when technology like '%Coal%' then 'Coal'
    when technology like 'Petroleum %' then 'Oil'
    when technology like '%Natural Gas%' then 'Gas'
    when technology = 'Municipal Solid Waste' then 'Waste'
    when technology = 'Landfill Gas' or technology like '%Biomass' then 'Biomass'
    when technology is null then 'Unknown'
    else 'Other'
  end
$$;

-- A generator of a year once, however many schedules list it. `newest`: no later year lists it.
create view listed_generators as
select g.*, eia_type_std(g.technology, g.prime_mover) as type_std, not exists (
    select from generators n where n.plant_id = g.plant_id and n.generator_id = g.generator_id and n.year > g.year) as newest
from generators g
where not exists (
  select from generators b where b.plant_id = g.plant_id and b.generator_id = g.generator_id and b.year = g.year
    and schedule_place(b.schedule) < schedule_place(g.schedule));

create table grid_units (
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  plant_id integer not null,
  generator_id text not null,
  -- The company that reports the plant: a parent or a project company.
  entity_id integer,
  entity_name text,
  producer_type text,
  plant_name text,
  state text,
  technology text,
  prime_mover text,
  summer_mw float8,
  capacity_mw float8,
  -- EIA's code; null for a unit that came into service.
  status text,
  year integer,
  month integer,
  lat float8,
  lon float8,
  primary key (source, edition, plant_id, generator_id)
);
create index grid_units_plant on grid_units (plant_id);

-- Units with the day that their edition's data end on.
create view grid_units_dated as
  select u.*, e.published_on as as_of from grid_units u join dataset_editions e on e.feed = u.source and e.edition = u.edition;

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
