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

-- The contract's word for what the form states: by the code of the prime mover where that alone decides, and where an old form has no
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
