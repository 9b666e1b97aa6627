-- Why: a ranking is read in the order of an index, and a row of it is text that is there already. All standings were joined, ranked and
-- written as JSON for each reader.

-- A row for each developer. The first columns are of `developers`, the others of `standings`: whoever writes the one never writes the
-- other, so that neither can undo what the other wrote meanwhile.
create table leaderboard (
  developer_id integer primary key references developers on delete cascade,
  canonical_name text not null,
  tier text not null,
  known boolean not null,
  -- The JSON as it is shown, in two parts; what follows them is the version of the rules of distress, which the program knows.
  head text not null,
  tail text,
  requests integer,
  capital_raised float8,
  divergence float8,
  distress_score integer,
  -- When somebody knows it, or a request names it.
  listed boolean not null generated always as (tail is not null and (known or requests > 0)) stored
) with (fillfactor = 80);

create view leaderboard_heads as
  select developer_id, canonical_name, tier, known,
    '{"developer_id":' || developer_id || ',"developer":' || to_json(canonical_name) || ',"tier":' || to_json(tier) as head
  from developers;

create view leaderboard_tails as
  select developer_id, ',' || substr(left(row_to_json((select t from (select
      capital_raised, (counts -> 'raiseCount')::integer as raise_count, counts ->> 'latestRaise' as latest_raise,
      operational_mw as operational_capacity_mw, (counts ->> 'activeMw')::float8 as active_capacity_mw,
      divergence as capital_per_operational_mw, (counts -> 'financing')::integer as financing_events,
      (counts -> 'ma')::integer + (counts -> 'transfers')::integer as ma_events,
      (counts -> 'distress')::integer as distress_events, (counts -> 'litigation')::integer as litigation_events,
      round((counts -> 'withdrawn')::integer::numeric / nullif(requests, 0), 4)::float8 as withdrawal_rate,
      (counts -> 'active')::integer as active_projects, (counts -> 'behind')::integer as behind_schedule,
      case when (counts -> 'withCost')::integer > 0 then (counts -> 'highCost')::integer end as high_ic_cost_projects,
      (counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw,
      json_build_object('level', distress_level, 'score', distress_score, 'components', distress_components,
        'judged', distress_components is not null) as distress_signal) t))::text, -2), 2) || ', "version" : ' as tail,
    requests, capital_raised, divergence, distress_score
  from standings cross join lateral (
    select case when operational_mw > 0 then round((capital_raised / operational_mw)::numeric, 2)::float8 end as divergence) d;

create function keep_leaderboard_heads() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into leaderboard (developer_id, canonical_name, tier, known, head)
    select h.* from leaderboard_heads h join added using (developer_id);
  else
    -- Those who write here do so in the same order.
    perform from leaderboard l join added a using (developer_id)
    where (l.canonical_name, l.tier, l.known) is distinct from (a.canonical_name, a.tier, a.known)
    order by l.developer_id for update of l;
    if found then
      update leaderboard l set canonical_name = h.canonical_name, tier = h.tier, known = h.known, head = h.head
      from leaderboard_heads h join added using (developer_id)
      where l.developer_id = h.developer_id
        and (l.canonical_name, l.tier, l.known) is distinct from (h.canonical_name, h.tier, h.known);
    end if;
  end if;
  return null;
end
$$;

create function keep_leaderboard_tails() returns trigger language plpgsql set search_path from current as $$
begin
  perform from leaderboard l join added using (developer_id) order by l.developer_id for update of l;
  if found then
    update leaderboard l set tail = t.tail, requests = t.requests, capital_raised = t.capital_raised, divergence = t.divergence,
      distress_score = t.distress_score
    from leaderboard_tails t join added using (developer_id)
    where l.developer_id = t.developer_id and l.tail is distinct from t.tail;
  end if;
  return null;
end
$$;

create function forget_leaderboard_tails() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'TRUNCATE' then
    update leaderboard set tail = null;
  else
    update leaderboard l set tail = null from removed where l.developer_id = removed.developer_id;
  end if;
  return null;
end
$$;

-- Nobody writes between what is kept here and the first row that is kept as it is written; reading goes on.
lock table developers, standings in share row exclusive mode;

create trigger developers_leaderboard_insert after insert on developers referencing new table as added
  for each statement execute function keep_leaderboard_heads();
create trigger developers_leaderboard_update after update on developers referencing new table as added
  for each statement execute function keep_leaderboard_heads();
create trigger standings_leaderboard_insert after insert on standings referencing new table as added
  for each statement execute function keep_leaderboard_tails();
create trigger standings_leaderboard_update after update on standings referencing new table as added
  for each statement execute function keep_leaderboard_tails();
create trigger standings_leaderboard_delete after delete on standings referencing old table as removed
  for each statement execute function forget_leaderboard_tails();
create trigger standings_leaderboard_truncate after truncate on standings
  for each statement execute function forget_leaderboard_tails();

insert into leaderboard
select h.*, t.tail, t.requests, t.capital_raised, t.divergence, t.distress_score
from leaderboard_heads h left join leaderboard_tails t using (developer_id);

-- One for each order that is asked.
create index leaderboard_capital_raised on leaderboard (capital_raised desc, canonical_name, developer_id) include (tier) where listed;
create index leaderboard_divergence on leaderboard (divergence desc nulls last, capital_raised desc, canonical_name, developer_id)
  include (tier) where listed;
create index leaderboard_distress on leaderboard (distress_score desc, capital_raised desc, canonical_name, developer_id)
  include (tier) where listed;
