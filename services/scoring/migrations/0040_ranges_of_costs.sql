-- Why: a cost says which study states it and the year of its dollars; a request without a cost has the range of its neighbours', which are
-- chosen by point of interconnection, by transmission owner and technology, or by operator and technology.

alter table filed_interconnection_costs add column study text, add column dollars_year integer, add column poi_usd_per_kw float8,
  add column network_usd_per_kw float8;
alter table interconnection_costs add column study text, add column dollars_year integer, add column poi_usd_per_kw float8,
  add column network_usd_per_kw float8;

create or replace function newest_costs(ids text[]) returns setof interconnection_costs language sql stable as $$
  select distinct on (project_id) project_id, cost_usd_per_kw, as_of, filed.source, sha256, study, dollars_year, poi_usd_per_kw,
    network_usd_per_kw
  from (
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id, c.study, c.dollars_year, c.poi_usd_per_kw, c.network_usd_per_kw
    from projects p join filed_interconnection_costs c on c.project_id = p.project_id where p.project_id = any(ids)
    union all
    select p.project_id, c.cost_usd_per_kw, c.as_of, c.source, c.file_id, c.study, c.dollars_year, c.poi_usd_per_kw, c.network_usd_per_kw
    from projects p join filed_interconnection_costs c on c.region = p.region and c.queue_key = queue_key(p.queue_id)
    where p.project_id = any(ids)) filed
  join reference_files f on f.id = filed.file_id
  order by project_id, as_of desc nulls last, f.loaded_at desc, f.id desc, cost_usd_per_kw desc
$$;

-- The transmission owner. Null until the request is announced again; until then it has no neighbours by it.
alter table projects add column utility text;

-- How names of places are compared: "Chesterfield 230 kV" is CHESTERFIELD 230KV. Null of nothing.
create function place_key(name text) returns text language sql immutable parallel safe as $$
  select nullif(regexp_replace(lower(name), '[^a-z0-9]+', '', 'g'), '')
$$;

-- The costs of each neighbourhood with enough of them: three at a point of interconnection, five otherwise.
create view interconnection_cost_ranges as
  select * from (
    select k.rule, p.region, k.place_key, min(k.place) as place, k.type_std, count(*)::integer as n,
      percentile_cont(0.25) within group (order by i.cost_usd_per_kw) as p25,
      percentile_cont(0.5) within group (order by i.cost_usd_per_kw) as median,
      percentile_cont(0.75) within group (order by i.cost_usd_per_kw) as p75,
      min(i.as_of) as studied_from, max(i.as_of) as studied_to,
      -- Null where they are of several years, or of one that is not stated.
      case when min(coalesce(i.dollars_year, 0)) = max(i.dollars_year) then max(i.dollars_year) end as dollars_year
    from interconnection_costs i join projects p using (project_id)
    cross join lateral (values
      ('poi', place_key(p.poi), p.poi, null),
      ('transmission_owner', place_key(p.utility), p.utility, p.type_std),
      ('region', '', null, p.type_std)) as k (rule, place_key, place, type_std)
    where k.place_key is not null
    group by k.rule, p.region, k.place_key, k.type_std) neighbourhoods
  where n >= case rule when 'poi' then 3 else 5 end;
