-- Why: related datasets are taken in edition by edition; distributed generation is the first of them.

-- What is stored of each edition of each dataset, and from which file.
create table dataset_editions (
  feed text not null,
  edition text not null,
  database text not null check (database in ('dg', 'datacenter', 'market')),
  sha256 text not null references raw_files,
  snapshot_id bigint not null,
  -- The day that the file, its name or its properties state.
  published_on date,
  rows_in integer not null,
  -- Rows that the file was read into: what the next file is compared with.
  parsed integer not null,
  -- Rows in the dataset's table.
  stored integer not null,
  applied_at timestamptz not null,
  primary key (feed, edition)
);

-- What utilities report and what is in areas. Installations are projects of kind `distribution`, with their history.
create table dg_records (
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  id text primary key,
  kind text not null check (kind in ('utility_total', 'area_total')),
  program text,
  state text,
  county text,
  fips text,
  area text,
  area_type text,
  utility_id integer,
  utility text,
  balancing_authority text,
  technology text,
  technology_filed text,
  sector text,
  capacity_mw float8,
  capacity_basis text,
  customers integer,
  facilities integer,
  generators integer,
  energy_sold_back_mwh float8,
  backup_mw float8,
  utility_owned_mw float8,
  adjustment boolean not null,
  in_totals boolean not null,
  year integer
);
create index dg_records_source on dg_records (source, edition);

create index projects_distribution on projects (id) where kind = 'distribution';

create view query_dg.records as
  select
    r.id, r.kind, r.source, r.edition, e.published_on, r.program, r.state, r.county, r.fips, r.area, r.area_type,
    null::text as city, null::text as zone, r.utility_id, r.utility, r.balancing_authority, null::text as name,
    null::text as developer, r.technology, r.technology_filed, r.sector, r.capacity_mw,
    case when r.kind = 'area_total' then round((r.capacity_mw * 1000)::numeric, 3)::float8 end as capacity_kw,
    r.capacity_basis, null::float8 as storage_mwh, r.customers, r.facilities, r.generators, r.energy_sold_back_mwh,
    r.backup_mw, r.utility_owned_mw, r.adjustment, r.in_totals, r.year, null::date as in_service_on
  from dg_records r join dataset_editions e on e.feed = r.source and e.edition = r.edition
  union all
  select
    p.id, 'installation', p.feed, 'current', f.applied_as_of::date, null, p.state, p.county, p.fips, null, null,
    p.raw ->> 'City', p.raw ->> 'Facility NYISO Zone', null, null, null, p.name, p.developer, p.type_std, p.type,
    null, p.capacity_mw, round((p.capacity_mw * 1000)::numeric, 3)::float8, null,
    nullif(round((p.raw ->> 'Project Rated Electric Storage Capacity (kWh)')::numeric / 1000, 6)::float8, 0), null, 1,
    null, null, null, null, false, p.missing_since is null, extract(year from s.in_service_on)::integer,
    s.in_service_on
  from projects p left join feeds f using (feed)
  cross join lateral (
    select coalesce(p.actual_cod, p.cod, (p.raw ->> 'Reporting Start Date')::date) as in_service_on) s
  where p.kind = 'distribution';
comment on view query_dg.records is 'Distributed generation: installations, totals of utilities by state, technology and sector, totals of areas. Sources overlap: give one, and in_totals, when adding up';
comment on column query_dg.records.id is 'The same for the same fact in every file; of an installation the id that GET /projects/{project_id} takes';
comment on column query_dg.records.kind is 'installation; utility_total: what a utility reports of a state; area_total: what is in an area';
comment on column query_dg.records.source is 'Who counts: eia861-net-metering, eia861-distributed, puco-ohio-der, nyserda-der. Never add up over sources, they overlap';
comment on column query_dg.records.edition is 'What a later file replaces: a year, or current for a list that is published whole';
comment on column query_dg.records.published_on is 'Day that the file states, or on which it was saved';
comment on column query_dg.records.program is 'net_metering, virtual_net_metering (its capacity stands beside the other), non_net_metering; null where the source does not say';
comment on column query_dg.records.state is 'Two-letter code of the state or territory';
comment on column query_dg.records.county is 'County, where the record is of one';
comment on column query_dg.records.fips is 'County FIPS code, five digits';
comment on column query_dg.records.area is 'Name of the area as filed';
comment on column query_dg.records.area_type is 'county, place, township or region';
comment on column query_dg.records.city is 'City of an installation';
comment on column query_dg.records.zone is 'Load zone of the grid operator, as filed';
comment on column query_dg.records.utility_id is 'EIA number of the utility; 99999 is an adjustment by the EIA';
comment on column query_dg.records.utility is 'Name of the utility';
comment on column query_dg.records.balancing_authority is 'Code of the balancing authority';
comment on column query_dg.records.name is 'Name of an installation';
comment on column query_dg.records.developer is 'Developer of an installation, as filed';
comment on column query_dg.records.technology is 'Standardised technology; Unknown where an engine or turbine burns nobody says what; null for a record of all technologies';
comment on column query_dg.records.technology_filed is 'Technology as filed';
comment on column query_dg.records.sector is 'Customers: residential, commercial, industrial, transportation, or direct_connected (no customer''s site)';
comment on column query_dg.records.capacity_mw is 'Generating or discharge capacity; below zero in adjustments [MW]';
comment on column query_dg.records.capacity_kw is 'The same capacity, for installations and areas that are counted in kilowatts [kW]';
comment on column query_dg.records.capacity_basis is 'AC or DC: how the utility reports photovoltaic capacity. Adjustments take off what a conversion to AC loses';
comment on column query_dg.records.storage_mwh is 'Energy that an installation can store [MWh]';
comment on column query_dg.records.customers is 'Number of customers';
comment on column query_dg.records.facilities is 'Number of facilities';
comment on column query_dg.records.generators is 'Number of generators';
comment on column query_dg.records.energy_sold_back_mwh is 'Energy sold back to the utility in the year [MWh]';
comment on column query_dg.records.backup_mw is 'Of the utility''s generators, capacity for backup only [MW]';
comment on column query_dg.records.utility_owned_mw is 'Of the utility''s generators, capacity that the utility owns [MW]';
comment on column query_dg.records.adjustment is 'A correction by the publisher: needed for totals, no report of a utility';
comment on column query_dg.records.in_totals is 'False: other records of the source hold the same installations, leave it out when adding up';
comment on column query_dg.records.year is 'Year that the record is about: the year''s end at the EIA, the year of the addition in Ohio, the first year of operation of an installation';
comment on column query_dg.records.in_service_on is 'Day on which an installation began to operate, else on which it began to report';

create view query_dg.editions as
  select feed as source, edition, published_on, stored as records, applied_at from dataset_editions where database = 'dg'
  union all
  select f.feed, 'current', f.applied_as_of::date, f.requests, f.last_changed_at from feeds f
  where f.region = 'DG' and f.applied_as_of is not null;
comment on view query_dg.editions is 'Which editions of which source are loaded';
comment on column query_dg.editions.source is 'Who counts, as in records';
comment on column query_dg.editions.edition is 'A year, or current';
comment on column query_dg.editions.published_on is 'Day that the file states, or on which it was saved';
comment on column query_dg.editions.records is 'Records that the file was read into';
comment on column query_dg.editions.applied_at is 'When the file was taken in, in UTC';

grant select on query_dg.records, query_dg.editions to query_dg;
