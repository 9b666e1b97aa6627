-- Why: EIA's monthly lists of planned and new units, which name the entity behind a plant before form EIA-860 reports it.

alter table dataset_editions drop constraint dataset_editions_database_check;
alter table dataset_editions
  add constraint dataset_editions_database check (database in ('dg', 'datacenter', 'market', 'grid')) not valid;

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
