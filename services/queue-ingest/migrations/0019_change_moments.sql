-- Why: a summary of changes reads a row for each day and type instead of one for each hour, operator and type, and sums of withdrawals
-- instead of each. And changes are counted by the moment of their list, which all of a list share: as few groups as by the hour, and none
-- of a span has to be counted row by row. `hour` keeps its name for a program of the release before: it still finds whole hours.

create or replace function count_changes() returns trigger language plpgsql as $$
declare
  added constant text := 'select 1 as sign, detected_at, region, kind, change_type, capacity_mw from added';
  removed constant text := 'select -1 as sign, detected_at, region, kind, change_type, capacity_mw from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_counts as t (hour, region, kind, change_type, changes, capacity_mw)
    select * from (
      select detected_at, region, kind, change_type, sum(sign) as changes, coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw
      from (' || changed || ') c group by 1, 2, 3, 4) c
    where (changes, capacity_mw) <> (0, 0)
    on conflict (hour, region, kind, change_type) do update set changes = t.changes + excluded.changes,
      capacity_mw = t.capacity_mw + excluded.capacity_mw';
  return null;
end
$$;

-- Of each day (UTC); of generation requests alone.
create table change_days (
  day date not null,
  change_type text not null,
  changes bigint not null,
  primary key (day, change_type)
);

create function count_change_days() returns trigger language plpgsql as $$
declare
  added constant text := 'select hour, kind, change_type, changes from added';
  removed constant text := 'select hour, kind, change_type, -changes as changes from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
begin
  execute 'insert into change_days as t
    select (hour at time zone ''UTC'')::date, change_type, sum(changes) from (' || changed || ') c
    where coalesce(kind, ''generation'') = ''generation'' group by 1, 2 having sum(changes) <> 0
    on conflict (day, change_type) do update set changes = t.changes + excluded.changes';
  return null;
end
$$;

-- Of those who withdrew and still are withdrawn.
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

-- No transaction writes between what is counted here and the first statement that is counted as it is made; reading goes on.
lock table changes, withdrawals in share row exclusive mode;

-- Most rows are written before it is known that they withdraw: those cost nothing here.
create trigger withdrawals_counted_insert after insert on withdrawals for each row
  when (new.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_update after update on withdrawals for each row
  when ((old.withdrawn or new.withdrawn) and old is distinct from new) execute function count_withdrawal();
create trigger withdrawals_counted_delete after delete on withdrawals for each row
  when (old.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_truncate after truncate on withdrawals
  for each statement execute function forget_counts('withdrawal_counts');

insert into withdrawal_counts
select detected_at, region, developer_canonical, count(*), coalesce(sum(capacity_mw::numeric), 0)
from withdrawals where withdrawn group by detected_at, region, developer_canonical;

create trigger change_counts_days_insert after insert on change_counts referencing new table as added
  for each statement execute function count_change_days();
create trigger change_counts_days_update after update on change_counts referencing old table as removed new table as added
  for each statement execute function count_change_days();
create trigger change_counts_days_truncate after truncate on change_counts
  for each statement execute function forget_counts('change_days');

delete from change_counts;
insert into change_counts (hour, region, kind, change_type, changes, capacity_mw)
select detected_at, region, kind, change_type, count(*), coalesce(sum(capacity_mw::numeric), 0) from changes group by 1, 2, 3, 4;

-- After what was counted by the hour is gone, which no day had.
create trigger change_counts_days_delete after delete on change_counts referencing old table as removed
  for each statement execute function count_change_days();

-- New requests are few of the changes.
create index change_counts_new on change_counts (hour) include (region, changes, capacity_mw)
  where change_type = 'new_project' and coalesce(kind, 'generation') = 'generation' and changes > 0;
