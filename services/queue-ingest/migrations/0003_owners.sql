-- Why: who owns the plants that requests became, year by year as reported to the EIA, and evidence of who stands behind a name.

-- Which schedule of which year is loaded, from which file. Silence of a schedule that is not loaded says nothing.
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

-- Owners of a generator in a year, stated or inferred, as announced. A row without owners is one that a correction took back.
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

-- Who is said to stand behind a company's name: material for people who curate developers, never an answer by itself.
create table company_evidence (
  source text not null check (source in ('eia_861', 'gem', 'sec_exhibit_21')),
  -- What one file or filing states together, replaced together: a data year, a release, a filing's accession number.
  edition text not null,
  -- Row of the file, from 1 below its header, and statement within it.
  row_number integer not null,
  position integer not null,
  raw_name text not null,
  parent_name text,
  -- 0 to 1, of the parent; null where none is stated.
  share float8,
  location text,
  registrant_cik bigint,
  utility_id integer,
  ownership_type text,
  -- What the licence asks to be shown with it.
  attribution text,
  sha256 text not null references raw_files,
  primary key (source, edition, row_number, position)
);
create index company_evidence_name on company_evidence (spelling(raw_name));
