-- Why: dates are judged by the day of the operator's newest list. What was in the future when the operator wrote it has not passed.

-- Of each list that requests stand in the newest that was accepted.
create table feeds (
  feed text primary key,
  as_of timestamptz not null,
  -- 0 where it is only known from requests that were announced again.
  snapshot_id bigint not null
);

-- Null until the request is announced again; it is judged by the clock until then.
alter table projects add column feed text;
create index projects_feed on projects (feed) where open;

-- A request whose projected date has passed and that is not being built is no longer called investable. Its score stays.
update scores set investable = false
where investable and inputs ->> 'cod_position' = 'past' and inputs ->> 'stage' <> 'construction';
