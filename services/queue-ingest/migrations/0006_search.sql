-- Why: searches read short lower-case copies instead of whole requests, find requests by their words, and read stored totals of counties.
-- No extension: only an administrator may add one.

-- Generation requests, written by triggers.
create table searched_projects (
  id text not null,
  lower_id text collate "C" not null,
  -- '' where there is none.
  lower_name text collate "C" not null,
  lower_queue_id text collate "C" not null,
  lower_developer text collate "C" not null,
  -- Number, id and point of interconnection, separated by U+0001, which no search contains: one text to compare instead of three.
  lower_rest text collate "C" not null,
  -- 0 where it is unknown. Larger ones are found first.
  capacity_mw float8 not null,
  -- Words of all five texts.
  words text[] collate "C" not null,
  primary key (lower_id, id)
);
create index searched_projects_name on searched_projects (lower_name);
create index searched_projects_queue_id on searched_projects (lower_queue_id);
create index searched_projects_capacity on searched_projects (capacity_mw desc, id);
-- Vacuum inserts pending entries in the background, so that a first load does not wait for it; searches scan them until then.
create index searched_projects_words on searched_projects using gin (words) with (gin_pending_list_limit = 16384);

-- Runs of letters and digits of a lower-case text. operations/search.ts splits search terms in the same way.
create function words_of(value text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(regexp_replace(value collate "C", '[^a-z0-9]+', ' ', 'g'), ' ')
$$;

-- Every word of a present or past request.
create table searched_words (word text collate "C" primary key);
-- Finds words that are misspelt at the beginning by their end.
create index searched_words_reversed on searched_words (reverse(word));

create table county_totals (
  county text not null,
  state text,
  fips text not null,
  lower_county text collate "C" not null,
  projects bigint not null,
  -- Exact (numeric), so that what was added can be taken away again.
  capacity_mw numeric not null
);
create unique index county_totals_county on county_totals (county, state, fips) nulls not distinct;

create function keep_searched() returns trigger language plpgsql as $$
begin
  with searched as (
    insert into searched_projects
    select id, lower(id), coalesce(lower(name), ''), lower(queue_id), coalesce(lower(developer), ''), lower(concat_ws(E'\x01', queue_id, id, poi)),
      coalesce(capacity_mw, 0), words_of(lower(concat_ws(' ', name, queue_id, id, developer, poi)))
    from added where kind = 'generation'
    returning words)
  insert into searched_words select distinct unnest(words) from searched on conflict do nothing;
  insert into county_totals as t
  select county, state, fips, lower(county), count(*), coalesce(sum(capacity_mw::numeric), 0)
  from added where kind = 'generation' and county is not null and fips is not null group by county, state, fips
  on conflict (county, state, fips) do update set projects = t.projects + excluded.projects,
    capacity_mw = t.capacity_mw + excluded.capacity_mw;
  return null;
end
$$;

create function forget_searched() returns trigger language plpgsql as $$
begin
  delete from searched_projects s using removed r where s.lower_id = lower(r.id) and s.id = r.id;
  update county_totals t set projects = t.projects - r.projects, capacity_mw = t.capacity_mw - r.capacity_mw
  from (select county, state, fips, count(*) as projects, coalesce(sum(capacity_mw::numeric), 0) as capacity_mw
    from removed where kind = 'generation' and county is not null and fips is not null group by county, state, fips) r
  where (t.county, t.fips) = (r.county, r.fips) and t.state is not distinct from r.state;
  return null;
end
$$;

-- As a deletion of the old row and an insertion of the new one.
create function renew_searched() returns trigger language plpgsql as $$
begin
  if old.kind = 'generation' then
    delete from searched_projects where lower_id = lower(old.id) and id = old.id;
    update county_totals set projects = projects - 1, capacity_mw = capacity_mw - coalesce(old.capacity_mw::numeric, 0)
    where county = old.county and fips = old.fips and state is not distinct from old.state;
  end if;
  if new.kind = 'generation' then
    with searched as (
      insert into searched_projects values (new.id, lower(new.id), coalesce(lower(new.name), ''), lower(new.queue_id),
        coalesce(lower(new.developer), ''), lower(concat_ws(E'\x01', new.queue_id, new.id, new.poi)), coalesce(new.capacity_mw, 0),
        words_of(lower(concat_ws(' ', new.name, new.queue_id, new.id, new.developer, new.poi))))
      returning words)
    insert into searched_words select distinct unnest(words) from searched on conflict do nothing;
    if new.county is not null and new.fips is not null then
      insert into county_totals as t values (new.county, new.state, new.fips, lower(new.county), 1, coalesce(new.capacity_mw::numeric, 0))
      on conflict (county, state, fips) do update set projects = t.projects + 1, capacity_mw = t.capacity_mw + excluded.capacity_mw;
    end if;
  end if;
  return null;
end
$$;

create trigger projects_searched_insert after insert on projects referencing new table as added
  for each statement execute function keep_searched();
create trigger projects_searched_delete after delete on projects referencing old table as removed
  for each statement execute function forget_searched();
create trigger projects_searched_update after update on projects for each row
  when ((old.id, old.kind, old.name, old.queue_id, old.developer, old.poi, old.capacity_mw, old.county, old.state, old.fips)
    is distinct from (new.id, new.kind, new.name, new.queue_id, new.developer, new.poi, new.capacity_mw, new.county, new.state, new.fips))
  execute function renew_searched();
create trigger projects_searched_truncate after truncate on projects
  for each statement execute function forget_counts('searched_projects');
create trigger projects_counties_truncate after truncate on projects
  for each statement execute function forget_counts('county_totals');
