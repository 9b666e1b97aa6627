-- Why: distributed generation, edition by edition.

-- Totals of utilities and areas. Installations are projects of kind `distribution`, with their history.
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

-- Distributed generation: installations, totals of utilities by state, technology and sector, totals of areas.
create view dg_rows as
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

-- Which editions of which source are loaded.
create view dg_edition_rows as
  select feed as source, edition, published_on, stored as records, applied_at from dataset_editions where database = 'dg'
  union all
  select f.feed, 'current', f.applied_as_of::date, f.requests, f.last_changed_at from feeds f
  where f.region = 'DG' and f.applied_as_of is not null;
