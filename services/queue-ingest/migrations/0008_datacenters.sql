-- Why: data centres that are, that are proposed, and that operators' queues hold as load.

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
