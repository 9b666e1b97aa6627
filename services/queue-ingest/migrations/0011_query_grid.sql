-- Why: form EIA-860 as strangers' SQL may read it (database `grid`): plants, generators, owners, and the requests that became them.

create view query_grid.plants as
  select year, plant_id, name, utility_id, utility_name, street, city, state, zip, county, lat, lon, nerc_region,
    balancing_authority, sector, grid_owner, grid_voltage_kv,
    not exists (select from plants n where n.plant_id = p.plant_id and n.year > p.year) as is_newest
  from plants p;
comment on view query_grid.plants is 'Plants by year of report (form EIA-860, schedule 2); several years are several rows of a plant. Their capacities are those of their generators';
comment on column query_grid.plants.year is 'Year of report';
comment on column query_grid.plants.plant_id is 'EIA plant code';
comment on column query_grid.plants.name is 'Name of the plant';
comment on column query_grid.plants.utility_id is 'EIA''s number of the operator';
comment on column query_grid.plants.utility_name is 'Operator as filed';
comment on column query_grid.plants.street is 'Street address';
comment on column query_grid.plants.city is 'City';
comment on column query_grid.plants.state is 'Two-letter code of the state';
comment on column query_grid.plants.zip is 'Postal code';
comment on column query_grid.plants.county is 'County as filed';
comment on column query_grid.plants.lat is 'Latitude [degrees]';
comment on column query_grid.plants.lon is 'Longitude [degrees]';
comment on column query_grid.plants.nerc_region is 'NERC region';
comment on column query_grid.plants.balancing_authority is 'Code of the balancing authority';
comment on column query_grid.plants.sector is 'Sector in EIA''s words: IPP Non-CHP, Electric Utility and so on';
comment on column query_grid.plants.grid_owner is 'Owner of the transmission or distribution system at the plant';
comment on column query_grid.plants.grid_voltage_kv is 'Voltage of that system at the plant [kV]';
comment on column query_grid.plants.is_newest is 'Whether no later year lists it: where is_newest counts each plant once';

create view query_grid.generators as
  select year, plant_id, generator_id, stage, status, technology, type_std, prime_mover, utility_id, utility_name, plant_name, state, county,
    capacity_mw, summer_mw, operating_year, schedule, newest as is_newest
  from listed_generators;
comment on view query_grid.generators is 'Generators by year of report (form EIA-860, schedule 3), each once a year whichever schedules list it; which schedules are loaded says eia_schedules: one that is missing says nothing of its generators';
comment on column query_grid.generators.year is 'Year of report';
comment on column query_grid.generators.plant_id is 'EIA plant code';
comment on column query_grid.generators.generator_id is 'Number of the generator within its plant, as filed';
comment on column query_grid.generators.stage is 'operable, proposed or retired (retired, cancelled, or put off without a date)';
comment on column query_grid.generators.status is 'EIA''s code: OP, SB, OS, OA; P, L, T, U, V, TS, OT; RE, CN, IP';
comment on column query_grid.generators.technology is 'Technology in EIA''s words';
comment on column query_grid.generators.type_std is 'Standardised technology: Storage (batteries), Other Storage (flywheels, compressed air), Solar, Wind, Gas and so on; Unknown where the form does not say';
comment on column query_grid.generators.prime_mover is 'EIA''s code of the prime mover';
comment on column query_grid.generators.utility_id is 'EIA''s number of the operator';
comment on column query_grid.generators.utility_name is 'Operator as filed';
comment on column query_grid.generators.plant_name is 'Name of the plant';
comment on column query_grid.generators.state is 'Two-letter code of the state';
comment on column query_grid.generators.county is 'County as filed';
comment on column query_grid.generators.capacity_mw is 'Nameplate capacity [MW]';
comment on column query_grid.generators.summer_mw is 'Net summer capacity [MW]';
comment on column query_grid.generators.operating_year is 'Year of first operation; of a proposed generator the year expected';
comment on column query_grid.generators.schedule is 'Schedule that the row is of: generator (the full list), wind, solar, storage or multifuel';
comment on column query_grid.generators.is_newest is 'Whether no later year lists it: where is_newest counts each generator once';

create view query_grid.plant_owners as
  select year, plant_id, generator_id, owner_id, owner_name, fraction, owner_city, owner_state, status, plant_name, state, utility_id,
    utility_name
  from plant_owners;
comment on view query_grid.plant_owners is 'Owners of generators that are owned jointly, or wholly by somebody other than the operator, as filed (form EIA-860, schedule 4)';
comment on column query_grid.plant_owners.year is 'Year of report';
comment on column query_grid.plant_owners.plant_id is 'EIA plant code';
comment on column query_grid.plant_owners.generator_id is 'Number of the generator within its plant, as filed';
comment on column query_grid.plant_owners.owner_id is 'EIA''s number of the owner';
comment on column query_grid.plant_owners.owner_name is 'Owner as filed';
comment on column query_grid.plant_owners.fraction is 'What it owns of the generator, 0 to 1; null where the row states none [fraction]';
comment on column query_grid.plant_owners.owner_city is 'City of the owner';
comment on column query_grid.plant_owners.owner_state is 'State of the owner';
comment on column query_grid.plant_owners.status is 'EIA''s code of the generator''s status';
comment on column query_grid.plant_owners.plant_name is 'Name of the plant';
comment on column query_grid.plant_owners.state is 'State of the plant';
comment on column query_grid.plant_owners.utility_id is 'EIA''s number of the operator';
comment on column query_grid.plant_owners.utility_name is 'Operator as filed';

create view query_grid.generator_owners as
  select g.plant_id, g.generator_id, g.year, o.name as owner_name, o.owner_id as owner_utility_id, o.fraction as fraction_owned,
    o.city as owner_city, o.state as owner_state, o.developer_canonical, o.parent, g.body::json ->> 'source' as source,
    make_date(g.year, 12, 31) as report_date
  from generator_ownership g cross join lateral json_to_recordset(g.body::json -> 'owners') as o (name text, owner_id integer,
    fraction float8, city text, state text, developer_canonical text, parent text);
comment on view query_grid.generator_owners is 'Owners of each generator and year, stated or inferred: what GET /projects/{project_id}/ownership weighs by capacity';
comment on column query_grid.generator_owners.plant_id is 'EIA plant code';
comment on column query_grid.generator_owners.generator_id is 'Number of the generator within its plant, as filed';
comment on column query_grid.generator_owners.year is 'Year of report';
comment on column query_grid.generator_owners.owner_name is 'Owner as filed';
comment on column query_grid.generator_owners.owner_utility_id is 'EIA''s number of the owner';
comment on column query_grid.generator_owners.fraction_owned is 'What it owns of the generator, 0 to 1 [fraction]';
comment on column query_grid.generator_owners.owner_city is 'City of the owner';
comment on column query_grid.generator_owners.owner_state is 'State of the owner';
comment on column query_grid.generator_owners.developer_canonical is 'Developer that the owner is known to be';
comment on column query_grid.generator_owners.parent is 'Parent of that developer';
comment on column query_grid.generator_owners.source is 'eia_860_ownership: stated in schedule 4; eia_860_operator: the operator, inferred as sole owner';
comment on column query_grid.generator_owners.report_date is 'Last day of the year of report';

create view query_grid.utilities as select year, utility_id, name, street, city, state, zip, entity_type from utilities;
comment on view query_grid.utilities is 'Operators and owners of plants by year of report (form EIA-860, schedule 1)';
comment on column query_grid.utilities.year is 'Year of report';
comment on column query_grid.utilities.utility_id is 'EIA''s number of the company';
comment on column query_grid.utilities.name is 'Name as filed';
comment on column query_grid.utilities.street is 'Street address';
comment on column query_grid.utilities.city is 'City';
comment on column query_grid.utilities.state is 'Two-letter code of the state';
comment on column query_grid.utilities.zip is 'Postal code';
comment on column query_grid.utilities.entity_type is 'Kind of company in EIA''s code';

create view query_grid.project_plants as
  select l.project_id, p.region, p.queue_id, l.plant_id, l.method, l.confidence, l.evidence
  from project_plants l join projects p on p.id = l.project_id;
comment on view query_grid.project_plants is 'The plant that an interconnection request became; several requests (phases) can be one plant';
comment on column query_grid.project_plants.project_id is 'Id of the request, as in the database master';
comment on column query_grid.project_plants.region is 'Grid operator of the request';
comment on column query_grid.project_plants.queue_id is 'The operator''s number of the request, as filed';
comment on column query_grid.project_plants.plant_id is 'EIA plant code';
comment on column query_grid.project_plants.method is 'How they were found to be one';
comment on column query_grid.project_plants.confidence is 'How sure that is, 0 to 1 [fraction]';
comment on column query_grid.project_plants.evidence is 'What the request and the plant agree in';

create view query_grid.eia_schedules as
  select year, schedule, early_release, published_on, stored as records, loaded_at from eia_schedules;
comment on view query_grid.eia_schedules is 'Which schedule of which year of form EIA-860 is loaded: what is not here says nothing';
comment on column query_grid.eia_schedules.year is 'Year of report';
comment on column query_grid.eia_schedules.schedule is 'utility, plant, generator (the full list), wind, solar, storage, multifuel or owner';
comment on column query_grid.eia_schedules.early_release is 'Whether it is the early release, which is incomplete';
comment on column query_grid.eia_schedules.published_on is 'Day on which the workbook was saved';
comment on column query_grid.eia_schedules.records is 'Rows stored of it';
comment on column query_grid.eia_schedules.loaded_at is 'When it was loaded, UTC';

grant select on query_grid.plants, query_grid.generators, query_grid.plant_owners, query_grid.generator_owners, query_grid.utilities,
  query_grid.project_plants, query_grid.eia_schedules to query_grid;
