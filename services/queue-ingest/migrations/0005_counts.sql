-- Why: totals of requests and changes are read and not counted, however many there are: triggers update them with the rows.
-- A transaction that writes requests or changes holds the advisory lock of writes, so that two transactions never update one group at once.

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
  capacity_mw numeric not null
);
create unique index project_counts_group on project_counts (kind, listed, region, state, type_std, status_std, status)
  nulls not distinct;

-- By operator and technology: a few dozen rows instead of thousands of finer groups.
create table queue_totals (
  kind text not null,
  listed text not null,
  region text not null,
  type_std text not null,
  projects bigint not null,
  capacity_mw numeric not null,
  credit_eligible bigint not null,
  energy_community bigint not null,
  low_income bigint not null,
  credit_value numeric not null,
  conditional bigint not null,
  conditional_value numeric not null,
  -- Parts of credit_value, by construction_stage_confidence: from 0.8, and below 0.5.
  high_value numeric not null,
  low_value numeric not null,
  primary key (kind, listed, region, type_std)
);

-- `added` and `removed` are the rows of one statement.
create function count_projects() returns trigger language plpgsql as $$
declare
  columns constant text := 'kind, listed, region, state, type_std, status_std, status, capacity_mw, tax_credit_pct, tax_credit_status, '
    'energy_community_eligible, low_income_eligible, estimated_credit_value, construction_stage_confidence';
  added constant text := 'select 1 as sign, ' || columns || ' from added';
  removed constant text := 'select -1 as sign, ' || columns || ' from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'with changed as materialized (' || changed || '),
    groups as (
      insert into project_counts as t (kind, listed, region, state, type_std, status_std, status, projects, capacity_mw)
      select * from (
        select kind, listed, region, state, type_std, status_std, status, sum(sign) as projects,
          coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw
        from changed group by kind, listed, region, state, type_std, status_std, status) c
      where (projects, capacity_mw) <> (0, 0)
      on conflict (kind, listed, region, state, type_std, status_std, status) do update set
        projects = t.projects + excluded.projects, capacity_mw = t.capacity_mw + excluded.capacity_mw)
    insert into queue_totals as t (kind, listed, region, type_std, projects, capacity_mw, credit_eligible, energy_community, low_income,
      credit_value, conditional, conditional_value, high_value, low_value)
    select * from (
      select kind, listed, region, type_std, sum(sign) as projects,
        coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw,
        coalesce(sum(sign) filter (where tax_credit_pct > 0), 0) as credit_eligible,
        coalesce(sum(sign) filter (where energy_community_eligible), 0) as energy_community,
        coalesce(sum(sign) filter (where low_income_eligible), 0) as low_income,
        coalesce(sum(sign * estimated_credit_value::numeric), 0) as credit_value,
        coalesce(sum(sign) filter (where tax_credit_pct > 0 and tax_credit_status = ''conditional''), 0) as conditional,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where tax_credit_status = ''conditional''), 0) as conditional_value,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where construction_stage_confidence >= 0.8), 0) as high_value,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where construction_stage_confidence < 0.5), 0) as low_value
      from changed group by kind, listed, region, type_std) c
    where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional, conditional_value, high_value,
      low_value) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (kind, listed, region, type_std) do update set
      projects = t.projects + excluded.projects,
      capacity_mw = t.capacity_mw + excluded.capacity_mw,
      credit_eligible = t.credit_eligible + excluded.credit_eligible,
      energy_community = t.energy_community + excluded.energy_community,
      low_income = t.low_income + excluded.low_income,
      credit_value = t.credit_value + excluded.credit_value,
      conditional = t.conditional + excluded.conditional,
      conditional_value = t.conditional_value + excluded.conditional_value,
      high_value = t.high_value + excluded.high_value,
      low_value = t.low_value + excluded.low_value';
  return null;
end
$$;

create function forget_counts() returns trigger language plpgsql as $$
begin
  execute format('delete from %I', tg_argv[0]);
  return null;
end
$$;

create trigger projects_counted_insert after insert on projects referencing new table as added
  for each statement execute function count_projects();
create trigger projects_counted_update after update on projects referencing old table as removed new table as added
  for each statement execute function count_projects();
create trigger projects_counted_delete after delete on projects referencing old table as removed
  for each statement execute function count_projects();
create trigger projects_counted_truncate after truncate on projects
  for each statement execute function forget_counts('project_counts');

create trigger projects_totals_truncate after truncate on projects
  for each statement execute function forget_counts('queue_totals');

-- By the time of the list, which all changes of a list share: as few groups as by the hour, and exact at both ends of a period.
create table change_counts (
  detected_at timestamptz not null,
  region text not null,
  kind text,
  change_type text not null,
  changes bigint not null,
  capacity_mw numeric not null
);
create unique index change_counts_group on change_counts (detected_at, region, kind, change_type) nulls not distinct;
-- Few of the changes are new requests.
create index change_counts_new on change_counts (detected_at) include (region, changes, capacity_mw)
  where change_type = 'new_project' and coalesce(kind, 'generation') = 'generation' and changes > 0;

create function count_changes() returns trigger language plpgsql as $$
declare
  added constant text := 'select 1 as sign, detected_at, region, kind, change_type, capacity_mw from added';
  removed constant text := 'select -1 as sign, detected_at, region, kind, change_type, capacity_mw from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_counts as t (detected_at, region, kind, change_type, changes, capacity_mw)
    select * from (
      select detected_at, region, kind, change_type, sum(sign) as changes, coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw
      from (' || changed || ') c group by 1, 2, 3, 4) c
    where (changes, capacity_mw) <> (0, 0)
    on conflict (detected_at, region, kind, change_type) do update set changes = t.changes + excluded.changes,
      capacity_mw = t.capacity_mw + excluded.capacity_mw';
  return null;
end
$$;

create trigger changes_counted_insert after insert on changes referencing new table as added
  for each statement execute function count_changes();
create trigger changes_counted_update after update on changes referencing old table as removed new table as added
  for each statement execute function count_changes();
create trigger changes_counted_delete after delete on changes referencing old table as removed
  for each statement execute function count_changes();
create trigger changes_counted_truncate after truncate on changes
  for each statement execute function forget_counts('change_counts');

-- By day (UTC), of generation requests only.
create table change_days (
  day date not null,
  change_type text not null,
  changes bigint not null,
  primary key (day, change_type)
);

create function count_change_days() returns trigger language plpgsql as $$
declare
  added constant text := 'select detected_at, kind, change_type, changes from added';
  removed constant text := 'select detected_at, kind, change_type, -changes as changes from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_days as t
    select (detected_at at time zone ''UTC'')::date, change_type, sum(changes) from (' || changed || ') c
    where coalesce(kind, ''generation'') = ''generation'' group by 1, 2 having sum(changes) <> 0
    on conflict (day, change_type) do update set changes = t.changes + excluded.changes';
  return null;
end
$$;

create trigger change_counts_days_insert after insert on change_counts referencing new table as added
  for each statement execute function count_change_days();
create trigger change_counts_days_update after update on change_counts referencing old table as removed new table as added
  for each statement execute function count_change_days();
create trigger change_counts_days_truncate after truncate on change_counts
  for each statement execute function forget_counts('change_days');
create trigger change_counts_days_delete after delete on change_counts referencing old table as removed
  for each statement execute function count_change_days();

-- For each request the last change of status before which it was not withdrawn, and whether it is withdrawn now.
create table withdrawals (
  project_id text primary key references projects on delete cascade,
  detected_at timestamptz not null,
  withdrawn boolean not null,
  -- The present request.
  region text not null,
  developer_canonical text,
  capacity_mw float8
);
create index withdrawals_detected_at on withdrawals (detected_at) include (region, developer_canonical, capacity_mw) where withdrawn;

-- Changes are written before the request, so `projects` still has its old state.
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

-- Counts of requests that withdrew and still are withdrawn.
create table withdrawal_counts (
  detected_at timestamptz not null,
  region text not null,
  developer_canonical text,
  requests bigint not null,
  capacity_mw numeric not null
);
create unique index withdrawal_counts_group on withdrawal_counts (detected_at, region, developer_canonical) nulls not distinct;

create function count_withdrawal() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.withdrawn then
    insert into withdrawal_counts as t
    values (old.detected_at, old.region, old.developer_canonical, -1, -coalesce(old.capacity_mw::numeric, 0))
    on conflict (detected_at, region, developer_canonical) do update set requests = t.requests + excluded.requests,
      capacity_mw = t.capacity_mw + excluded.capacity_mw;
  end if;
  if tg_op <> 'DELETE' and new.withdrawn then
    insert into withdrawal_counts as t
    values (new.detected_at, new.region, new.developer_canonical, 1, coalesce(new.capacity_mw::numeric, 0))
    on conflict (detected_at, region, developer_canonical) do update set requests = t.requests + excluded.requests,
      capacity_mw = t.capacity_mw + excluded.capacity_mw;
  end if;
  return null;
end
$$;

-- Most rows are inserted before the request is withdrawn: they cost nothing here.
create trigger withdrawals_counted_insert after insert on withdrawals for each row
  when (new.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_update after update on withdrawals for each row
  when ((old.withdrawn or new.withdrawn) and old is distinct from new) execute function count_withdrawal();
create trigger withdrawals_counted_delete after delete on withdrawals for each row
  when (old.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_truncate after truncate on withdrawals
  for each statement execute function forget_counts('withdrawal_counts');
