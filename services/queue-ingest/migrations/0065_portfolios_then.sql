-- Why: portfolios of a past day are counted as those of the present are, of the states that requests had then.

create type portfolio_request as (
  developer_id integer,
  status_std text,
  construction_stage text,
  capacity_mw double precision,
  state text,
  type_std text
);

-- Of each wanted developer, with or without requests.
create function portfolios_from(wanted integer[], requests portfolio_request[])
returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  with theirs as materialized (
    select r.developer_id as id, r.status_std, r.construction_stage, r.capacity_mw, r.state, r.type_std from unnest(requests) r),
  totals as (
    select id, count(*) as projects, sum(capacity_mw) as mw,
      sum(capacity_mw) filter (where status_std = 'Operational') as operating,
      sum(capacity_mw) filter (where construction_stage = 'construction') as building,
      sum(capacity_mw) filter (where status_std = 'Active') as active,
      count(*) filter (where status_std = 'Withdrawn') as withdrawn,
      count(*) filter (where status_std = 'Operational') as operational
    from theirs group by id),
  states as (
    select id, jsonb_agg(state order by mw desc nulls last, state) as list from (
      select id, state, sum(capacity_mw) as mw from theirs where status_std = 'Active' and state is not null group by id, state) s
    group by id),
  technologies as (
    select id, jsonb_agg(type_std order by place) as list from (
      select id, type_std, row_number() over (partition by id order by sum(capacity_mw) desc nulls last, type_std) as place
      from theirs where type_std <> 'Unknown' group by id, type_std) t
    where place <= 3 group by id)
  select w.id, jsonb_build_object(
    'total_projects', coalesce(t.projects, 0), 'total_capacity_mw', mw(t.mw), 'operating_capacity_mw', mw(t.operating),
    'in_construction_mw', mw(t.building), 'active_capacity_mw', mw(t.active),
    'withdrawn_projects', coalesce(t.withdrawn, 0), 'operational_projects', coalesce(t.operational, 0),
    'completion_rate', round(t.operational::numeric / nullif(t.operational + t.withdrawn, 0), 4)::float8,
    'states_active', coalesce(s.list, '[]'), 'primary_technologies', coalesce(k.list, '[]'))
  from unnest(wanted) as w (id) left join totals t using (id) left join states s using (id) left join technologies k using (id)
$$;

create or replace function portfolios_of(wanted integer[]) returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  select * from portfolios_from(wanted, array(
    select (p.developer_id, p.status_std, p.construction_stage, p.capacity_mw, p.state, p.type_std)::portfolio_request from projects p
    where p.developer_id = any(wanted) and p.kind = 'generation' and p.listed = 'listed'))
$$;
