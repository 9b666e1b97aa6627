-- Why: a total of requests or of changes is read, not counted again, however many there are: counts are kept as the rows change.
-- A transaction that writes requests or changes holds the advisory lock of writes, so that no two transactions count the same group at once.

create table project_counts (
  kind text not null,
  listed text not null,
  region text not null,
  state text,
  type_std text not null,
  status_std text not null,
  -- As the operator words it.
  status text,
  projects bigint not null,
  -- Sums are exact (numeric), so that what was added can be taken away again.
  capacity_mw numeric not null,
  credit_eligible bigint not null,
  energy_community bigint not null,
  low_income bigint not null,
  credit_value numeric not null,
  conditional bigint not null,
  conditional_value numeric not null
);
create unique index project_counts_group on project_counts (kind, listed, region, state, type_std, status_std, status)
  nulls not distinct;

-- `added` and `removed` are the rows of one statement.
create function count_projects() returns trigger language plpgsql as $$
declare
  columns constant text := 'kind, listed, region, state, type_std, status_std, status, capacity_mw, tax_credit_pct, tax_credit_status, '
    'energy_community_eligible, low_income_eligible, estimated_credit_value';
  added constant text := 'select 1 as sign, ' || columns || ' from added';
  removed constant text := 'select -1 as sign, ' || columns || ' from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into project_counts as t
    select * from (select kind, listed, region, state, type_std, status_std, status, sum(sign) as projects,
      coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw,
      coalesce(sum(sign) filter (where tax_credit_pct > 0), 0) as credit_eligible,
      coalesce(sum(sign) filter (where energy_community_eligible), 0) as energy_community,
      coalesce(sum(sign) filter (where low_income_eligible), 0) as low_income,
      coalesce(sum(sign * estimated_credit_value::numeric), 0) as credit_value,
      coalesce(sum(sign) filter (where tax_credit_pct > 0 and tax_credit_status = ''conditional''), 0) as conditional,
      coalesce(sum(sign * estimated_credit_value::numeric) filter (where tax_credit_status = ''conditional''), 0) as conditional_value
      from (' || changed || ') c group by kind, listed, region, state, type_std, status_std, status) c
    where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional, conditional_value)
      <> (0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (kind, listed, region, state, type_std, status_std, status) do update set
      projects = t.projects + excluded.projects,
      capacity_mw = t.capacity_mw + excluded.capacity_mw,
      credit_eligible = t.credit_eligible + excluded.credit_eligible,
      energy_community = t.energy_community + excluded.energy_community,
      low_income = t.low_income + excluded.low_income,
      credit_value = t.credit_value + excluded.credit_value,
      conditional = t.conditional + excluded.conditional,
      conditional_value = t.conditional_value + excluded.conditional_value';
  return null;
end
$$;

-- Of each hour (UTC), by the time of the snapshot: what of a span is not whole hours is counted row by row.
create table change_counts (
  hour timestamptz not null,
  region text not null,
  kind text,
  change_type text not null,
  changes bigint not null
);
create unique index change_counts_group on change_counts (hour, region, kind, change_type) nulls not distinct;

create function count_changes() returns trigger language plpgsql as $$
declare
  added constant text := 'select 1 as sign, detected_at, region, kind, change_type from added';
  removed constant text := 'select -1 as sign, detected_at, region, kind, change_type from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_counts as t
    select date_trunc(''hour'', detected_at, ''UTC'') as hour, region, kind, change_type, sum(sign) from (' || changed || ') c
    group by 1, 2, 3, 4 having sum(sign) <> 0
    on conflict (hour, region, kind, change_type) do update set changes = t.changes + excluded.changes';
  return null;
end
$$;

create function forget_counts() returns trigger language plpgsql as $$
begin
  execute format('delete from %I', tg_argv[0]);
  return null;
end
$$;

-- No transaction writes between what is counted here and the first statement that is counted as it is made; reading goes on.
lock table projects, changes in share row exclusive mode;

create trigger projects_counted_insert after insert on projects referencing new table as added
  for each statement execute function count_projects();
create trigger projects_counted_update after update on projects referencing old table as removed new table as added
  for each statement execute function count_projects();
create trigger projects_counted_delete after delete on projects referencing old table as removed
  for each statement execute function count_projects();
create trigger projects_counted_truncate after truncate on projects
  for each statement execute function forget_counts('project_counts');
create trigger changes_counted_insert after insert on changes referencing new table as added
  for each statement execute function count_changes();
create trigger changes_counted_update after update on changes referencing old table as removed new table as added
  for each statement execute function count_changes();
create trigger changes_counted_delete after delete on changes referencing old table as removed
  for each statement execute function count_changes();
create trigger changes_counted_truncate after truncate on changes
  for each statement execute function forget_counts('change_counts');

insert into project_counts
select kind, listed, region, state, type_std, status_std, status, count(*), coalesce(sum(capacity_mw::numeric), 0),
  count(*) filter (where tax_credit_pct > 0), count(*) filter (where energy_community_eligible),
  count(*) filter (where low_income_eligible), coalesce(sum(estimated_credit_value::numeric), 0),
  count(*) filter (where tax_credit_pct > 0 and tax_credit_status = 'conditional'),
  coalesce(sum(estimated_credit_value::numeric) filter (where tax_credit_status = 'conditional'), 0)
from projects group by kind, listed, region, state, type_std, status_std, status;
insert into change_counts
select date_trunc('hour', detected_at, 'UTC'), region, kind, change_type, count(*) from changes group by 1, 2, 3, 4;
