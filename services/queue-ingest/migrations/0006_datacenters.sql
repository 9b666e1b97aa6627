-- Why: data centres that are, that are proposed, and that operators' queues hold as load; and generators of form EIA-860, each once.

-- Great-circle distance (km), for what is near a place.
create function distance_km(lat1 float8, lon1 float8, lat2 float8, lon2 float8) returns float8
  language sql immutable parallel safe as $$
  select 12742 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))
$$;

create table datacenter_facilities (
  id text primary key,
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  as_of date,
  -- The row of the same facility that is placed best; null on that row itself.
  same_as text,
  name text,
  name_key text,
  operator text,
  status text,
  status_filed text,
  facility_type text,
  address text,
  address_key text,
  city text,
  county text,
  state text not null,
  lat float8,
  lon float8,
  location_precision text,
  capacity_mw float8,
  energy_low_mwh_year float8,
  energy_high_mwh_year float8,
  market text,
  year_opened integer
);
create index datacenter_facilities_edition on datacenter_facilities (source, edition);
create index datacenter_facilities_name on datacenter_facilities (state, name_key);
create index datacenter_facilities_same_as on datacenter_facilities (same_as) where same_as is not null;

create table datacenter_proposals (
  id text primary key,
  source text not null,
  edition text not null,
  snapshot_id bigint not null,
  as_of date,
  name text not null,
  proposal_type text,
  status_std text,
  status text,
  outcome_detail text,
  capacity_mw float8,
  companies text[] not null,
  town text,
  address text,
  county text,
  counties text[] not null,
  state text not null,
  lat float8,
  lon float8,
  location_precision text,
  size_acres float8,
  announced text,
  opening_year integer,
  zoning_allowed boolean,
  land_sold boolean,
  own_generation boolean,
  updated_on date
);
create index datacenter_proposals_state on datacenter_proposals (state);

create index projects_load on projects (state, id) where kind = 'load';

-- Proposals of the tracker, and load requests of operators' queues that are data centres: by their end use (NYISO's DAT, DAT-AI, DAT-CM)
-- or, where the list has no end use yet, by their names.
create view datacenter_pipeline as
select 'proposal' as record, p.id,
  -- The tracker also lists what may lead to one: zoning ordinances, land for sale.
  case when p.proposal_type is null or p.proposal_type ~* '^data\s*-?\s*cent(er|re)s?$' then 'facility' else 'other' end as kind,
  p.name, null::text as region, null::text as queue_id, p.proposal_type as kind_filed,
  null::text as known_by, p.status_std, p.status, p.outcome_detail, p.capacity_mw, p.companies, p.state, p.county, p.counties,
  p.town, p.address, p.lat, p.lon, p.location_precision, p.size_acres, p.announced, p.opening_year, null::date as queue_date,
  null::date as cod, null::text as poi, null::text as utility, p.zoning_allowed, p.land_sold, p.own_generation, p.source, p.as_of,
  p.updated_on
from datacenter_proposals p
union all
select 'load_request', l.id, 'facility', l.name, l.region, l.queue_id, l.type, case when l.end_use then 'end_use' else 'name' end,
  case l.status_std when 'Operational' then 'operating' when 'Withdrawn' then 'withdrawn' when 'Suspended' then 'delayed'
    else case l.construction_stage when 'construction' then 'construction' else 'proposed' end end,
  l.status, null, l.capacity_mw, case when l.developer is null then '{}'::text[] else array[l.developer] end, l.state, l.county,
  l.counties, null, null, l.lat, l.lon, l.location_precision, null, null, null, l.queue_date, l.cod, l.poi, l.utility, null, null,
  null, l.feed, coalesce(f.published_on, (f.applied_as_of at time zone 'UTC')::date), (l.last_changed_at at time zone 'UTC')::date
from (
  select p.*, coalesce(p.type ~* '(^|; *)DAT(-[A-Z]+)?(;|$)', false) as end_use,
    coalesce(p.type ~* '; *[A-Z]', false) as states_use
  from projects p where p.kind = 'load') l
left join feeds f using (feed)
where l.disappeared_at is null and (l.end_use or (not l.states_use
  and concat_ws(' ', l.name, l.developer) ~* '\mdata\s*-?\s*cent(er|re)s?\M'));

-- The full list of generators first: the others repeat parts of it.
create function schedule_place(schedule text) returns integer language sql immutable parallel safe as $$
  select case schedule when 'generator' then 1 when 'wind' then 2 when 'solar' then 3 when 'storage' then 4 else 5 end
$$;

-- The contract's word for what the form states: by the code of the prime mover where that alone tells, and where an old form has no
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
create index generators_unit on generators (plant_id, generator_id, year);

create view query_datacenter.facilities as
select f.id, f.same_as, f.name, f.operator, f.status, f.status_filed, f.facility_type, f.address, f.city, f.county, f.state,
  f.lat, f.lon, f.location_precision, f.capacity_mw, f.energy_low_mwh_year, f.energy_high_mwh_year,
  f.market, f.year_opened, f.address is null as may_repeat, f.source, f.as_of
from datacenter_facilities f;
comment on view query_datacenter.facilities is
  'Data centres of several lists. One row per listing: keep those with same_as null to have each recognised facility once. A row without an address (may_repeat) can be a facility that another list holds under its address.';
comment on column query_datacenter.facilities.id is 'Id of the row (DC-...)';
comment on column query_datacenter.facilities.same_as is 'Id of the better placed row of the same facility; null on that row itself';
comment on column query_datacenter.facilities.name is 'Name of the facility, as filed; null where the list names the brand alone';
comment on column query_datacenter.facilities.operator is 'Operator or brand, as filed; datacenter-map states none';
comment on column query_datacenter.facilities.status is 'proposed, approved, construction or operating; null where the list does not say';
comment on column query_datacenter.facilities.status_filed is 'Status in the words of the list';
comment on column query_datacenter.facilities.facility_type is 'Kind of facility, as filed: Hyperscale, Colocation';
comment on column query_datacenter.facilities.address is 'Street address, as filed';
comment on column query_datacenter.facilities.city is 'City, as filed';
comment on column query_datacenter.facilities.county is 'County, by its official name';
comment on column query_datacenter.facilities.state is 'State, two letters';
comment on column query_datacenter.facilities.lat is 'Latitude, WGS 84; null where the list''s own lies in another state [degrees]';
comment on column query_datacenter.facilities.lon is 'Longitude, WGS 84 [degrees]';
comment on column query_datacenter.facilities.location_precision is 'What the coordinates are of: site, street, area, city (its centre) or county (its centre)';
comment on column query_datacenter.facilities.capacity_mw is 'Capacity, an estimate of datacenter-guide [MW]';
comment on column query_datacenter.facilities.energy_low_mwh_year is 'Use of electricity, low end of the estimate of datacenter-energy [MWh/year]';
comment on column query_datacenter.facilities.energy_high_mwh_year is 'Use of electricity, high end of the estimate of datacenter-energy [MWh/year]';
comment on column query_datacenter.facilities.market is 'Market that datacenter-map counts the facility to, mostly a city';
comment on column query_datacenter.facilities.year_opened is 'Year of opening, past or planned, as filed';
comment on column query_datacenter.facilities.may_repeat is 'No address is known: another list may hold the same facility, and nobody can tell';
comment on column query_datacenter.facilities.source is 'List that the row is from: datacenter-map, datacenter-energy, datacenter-guide';
comment on column query_datacenter.facilities.as_of is 'Day that the list states; null where it states none';
grant select on query_datacenter.facilities to query_datacenter;

create view query_datacenter.pipeline as
select p.record, p.id, p.kind, p.name, p.region, p.queue_id, p.kind_filed, p.known_by, p.status_std, p.status, p.outcome_detail, p.capacity_mw,
  p.companies, p.state, p.county, p.counties, p.town, p.address, p.lat, p.lon, p.location_precision,
  p.size_acres, p.announced, p.opening_year, p.queue_date, p.cod, p.poi, p.utility, p.zoning_allowed, p.land_sold, p.own_generation,
  p.source, p.as_of, p.updated_on
from datacenter_pipeline p;
comment on view query_datacenter.pipeline is
  'Proposals of a tracker, and data centres among the load requests of operators'' queues, whatever became of them: to come are those of kind facility whose status_std is proposed, approved, construction or delayed. Only NYISO publishes load requests. A project can be there as both.';
comment on column query_datacenter.pipeline.record is 'What the row is: proposal (tracker) or load_request (operator''s queue)';
comment on column query_datacenter.pipeline.id is 'Id of the row: DCP-... of a proposal, the project''s id of a load request';
comment on column query_datacenter.pipeline.kind is 'facility: a data centre; other: what may lead to one, or hinder it (a zoning ordinance, land for sale)';
comment on column query_datacenter.pipeline.name is 'Name of the project';
comment on column query_datacenter.pipeline.region is 'Operator whose queue the load request is in; null of a proposal';
comment on column query_datacenter.pipeline.queue_id is 'Number in the operator''s queue; null of a proposal';
comment on column query_datacenter.pipeline.kind_filed is 'Kind in the words of the source: Data Center, Zoning Ordinance; end use of a load request (DAT-AI)';
comment on column query_datacenter.pipeline.known_by is 'How a load request is known to be a data centre: end_use, or name where no end use is published';
comment on column query_datacenter.pipeline.status_std is 'proposed, approved, construction, operating, delayed, withdrawn or denied';
comment on column query_datacenter.pipeline.status is 'Status in the words of the source';
comment on column query_datacenter.pipeline.outcome_detail is 'What the tracker says of how it ended';
comment on column query_datacenter.pipeline.capacity_mw is 'Capacity as stated, of some proposals that of the power plant on the site; peak load of a load request [MW]';
comment on column query_datacenter.pipeline.companies is 'Companies named; empty where they are undisclosed';
comment on column query_datacenter.pipeline.state is 'State, two letters';
comment on column query_datacenter.pipeline.county is 'First county, by its official name';
comment on column query_datacenter.pipeline.counties is 'All counties';
comment on column query_datacenter.pipeline.town is 'Town or township, as filed';
comment on column query_datacenter.pipeline.address is 'Address or description of the site, as filed';
comment on column query_datacenter.pipeline.lat is 'Latitude, WGS 84 [degrees]';
comment on column query_datacenter.pipeline.lon is 'Longitude, WGS 84 [degrees]';
comment on column query_datacenter.pipeline.location_precision is 'What the coordinates are of: site, area; poi, county or state of a load request';
comment on column query_datacenter.pipeline.size_acres is 'Size of the site [acres]';
comment on column query_datacenter.pipeline.announced is 'Year, month or day of the announcement, as far as it is known';
comment on column query_datacenter.pipeline.opening_year is 'Year of opening, past or planned';
comment on column query_datacenter.pipeline.queue_date is 'Date of the load request';
comment on column query_datacenter.pipeline.cod is 'Projected date of operation of a load request';
comment on column query_datacenter.pipeline.poi is 'Point of interconnection of a load request';
comment on column query_datacenter.pipeline.utility is 'Utility at the point of interconnection of a load request';
comment on column query_datacenter.pipeline.zoning_allowed is 'Whether zoning allows it, as far as the tracker knows';
comment on column query_datacenter.pipeline.land_sold is 'Whether the land is sold, as far as the tracker knows';
comment on column query_datacenter.pipeline.own_generation is 'Whether it brings its own generation, as far as the tracker knows';
comment on column query_datacenter.pipeline.source is 'List that the row is from';
comment on column query_datacenter.pipeline.as_of is 'Day that the list states';
comment on column query_datacenter.pipeline.updated_on is 'Day of the row''s last change at its source, or that we saw';
grant select on query_datacenter.pipeline to query_datacenter;
