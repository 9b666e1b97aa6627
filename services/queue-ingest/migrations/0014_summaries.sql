-- Why: what sums everything up is kept, not made anew for each reader: totals by operator and technology instead of thousands of finer
-- groups, who withdrew instead of every change of status with the version before it, developers in the order that is mostly asked.

create table queue_totals (
  kind text not null,
  listed text not null,
  region text not null,
  type_std text not null,
  projects bigint not null,
  -- Sums are exact (numeric), so that what was added can be taken away again.
  capacity_mw numeric not null,
  credit_eligible bigint not null,
  energy_community bigint not null,
  low_income bigint not null,
  credit_value numeric not null,
  conditional bigint not null,
  conditional_value numeric not null,
  primary key (kind, listed, region, type_std)
);

-- The finer groups keep their sums too: a program of the release before reads them.
create or replace function count_projects() returns trigger language plpgsql as $$
declare
  columns constant text := 'kind, listed, region, state, type_std, status_std, status, capacity_mw, tax_credit_pct, tax_credit_status, '
    'energy_community_eligible, low_income_eligible, estimated_credit_value';
  added constant text := 'select 1 as sign, ' || columns || ' from added';
  removed constant text := 'select -1 as sign, ' || columns || ' from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
  more constant text := 'projects = t.projects + excluded.projects,
      capacity_mw = t.capacity_mw + excluded.capacity_mw,
      credit_eligible = t.credit_eligible + excluded.credit_eligible,
      energy_community = t.energy_community + excluded.energy_community,
      low_income = t.low_income + excluded.low_income,
      credit_value = t.credit_value + excluded.credit_value,
      conditional = t.conditional + excluded.conditional,
      conditional_value = t.conditional_value + excluded.conditional_value';
begin
  execute 'with grouped as (
      select kind, listed, region, state, type_std, status_std, status, sum(sign) as projects,
        coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw,
        coalesce(sum(sign) filter (where tax_credit_pct > 0), 0) as credit_eligible,
        coalesce(sum(sign) filter (where energy_community_eligible), 0) as energy_community,
        coalesce(sum(sign) filter (where low_income_eligible), 0) as low_income,
        coalesce(sum(sign * estimated_credit_value::numeric), 0) as credit_value,
        coalesce(sum(sign) filter (where tax_credit_pct > 0 and tax_credit_status = ''conditional''), 0) as conditional,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where tax_credit_status = ''conditional''), 0) as conditional_value
      from (' || changed || ') c group by kind, listed, region, state, type_std, status_std, status),
    groups as (
      insert into project_counts as t
      select * from grouped where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional,
        conditional_value) <> (0, 0, 0, 0, 0, 0, 0, 0)
      on conflict (kind, listed, region, state, type_std, status_std, status) do update set ' || more || ')
    insert into queue_totals as t
    select * from (
      select kind, listed, region, type_std, sum(projects) as projects, sum(capacity_mw) as capacity_mw, sum(credit_eligible) as credit_eligible,
        sum(energy_community) as energy_community, sum(low_income) as low_income, sum(credit_value) as credit_value,
        sum(conditional) as conditional, sum(conditional_value) as conditional_value
      from grouped group by kind, listed, region, type_std) c
    where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional, conditional_value)
      <> (0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (kind, listed, region, type_std) do update set ' || more;
  return null;
end
$$;

-- No transaction writes between what is counted here and the first statement that is counted as it is made; reading goes on.
lock table projects, changes in share row exclusive mode;

create trigger projects_totals_truncate after truncate on projects
  for each statement execute function forget_counts('queue_totals');

insert into queue_totals
select kind, listed, region, type_std, sum(projects), sum(capacity_mw), sum(credit_eligible), sum(energy_community), sum(low_income),
  sum(credit_value), sum(conditional), sum(conditional_value)
from project_counts group by kind, listed, region, type_std;

-- In the order that is asked unless another is, and the number of all of them, from the index alone (`listed_developers`).
create index developers_listed on developers (total_projects desc nulls last, developer_id) where known or total_projects > 0;

-- Who withdrew, by the last change of status of each request that was not withdrawn before it; and whether it still is.
create table withdrawals (
  project_id text primary key references projects on delete cascade,
  detected_at timestamptz not null,
  withdrawn boolean not null,
  -- Of the request as it is.
  region text not null,
  developer_canonical text,
  capacity_mw float8
);
create index withdrawals_detected_at on withdrawals (detected_at) include (region, developer_canonical, capacity_mw) where withdrawn;

-- A change is written before the request: what stands there is what the request was.
create function keep_withdrawals() returns trigger language plpgsql as $$
begin
  if exists (select from added where change_type = 'status_change') then
    insert into withdrawals as t
    select p.id, max(c.detected_at), false, p.region, p.developer_canonical, p.capacity_mw
    from added c join projects p on p.id = c.project_id
    where c.change_type = 'status_change' and coalesce(c.kind, 'generation') = 'generation' and p.status_std <> 'Withdrawn'
    group by p.id
    on conflict (project_id) do update set detected_at = greatest(t.detected_at, excluded.detected_at);
  end if;
  return null;
end
$$;

create function refresh_withdrawal() returns trigger language plpgsql as $$
begin
  update withdrawals set withdrawn = new.status_std = 'Withdrawn', region = new.region,
    developer_canonical = new.developer_canonical, capacity_mw = new.capacity_mw
  where project_id = new.id;
  return null;
end
$$;

create trigger changes_withdrawals after insert on changes referencing new table as added
  for each statement execute function keep_withdrawals();
create trigger projects_withdrawals after update on projects for each row
  when ('Withdrawn' in (old.status_std, new.status_std)
    and (old.status_std, old.region, old.developer_canonical, old.capacity_mw)
      is distinct from (new.status_std, new.region, new.developer_canonical, new.capacity_mw))
  execute function refresh_withdrawal();

insert into withdrawals
select p.id, max(c.detected_at), p.status_std = 'Withdrawn', p.region, p.developer_canonical, p.capacity_mw
from changes c join projects p on p.id = c.project_id
  join project_versions v on v.project_id = c.project_id and v.valid_to = c.detected_at
where c.change_type = 'status_change' and coalesce(c.kind, 'generation') = 'generation'
  -- Withdrawn before in another word is no withdrawal.
  and v.body::json ->> 'status_std' <> 'Withdrawn'
group by p.id;

create or replace function count_changes() returns trigger language plpgsql as $$
declare
  added constant text := 'select 1 as sign, detected_at, region, kind, change_type, capacity_mw from added';
  removed constant text := 'select -1 as sign, detected_at, region, kind, change_type, capacity_mw from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_counts as t (hour, region, kind, change_type, changes, capacity_mw)
    select * from (
      select date_trunc(''hour'', detected_at, ''UTC'') as hour, region, kind, change_type, sum(sign) as changes,
        coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw
      from (' || changed || ') c group by 1, 2, 3, 4) c
    where (changes, capacity_mw) <> (0, 0)
    on conflict (hour, region, kind, change_type) do update set changes = t.changes + excluded.changes,
      capacity_mw = t.capacity_mw + excluded.capacity_mw';
  return null;
end
$$;

-- Last: readers of these counts wait from here on.
create temporary table counted on commit drop as
select date_trunc('hour', detected_at, 'UTC') as hour, region, kind, change_type, sum(capacity_mw::numeric) as capacity_mw
from changes where capacity_mw is not null group by 1, 2, 3, 4;
alter table change_counts add column capacity_mw numeric not null default 0;
update change_counts t set capacity_mw = c.capacity_mw from counted c
where t.hour = c.hour and t.region = c.region and t.kind is not distinct from c.kind and t.change_type = c.change_type;
