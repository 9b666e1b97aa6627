-- Why: whether a developer is listed is asked of every one of them for each ranking: a number to compare, not three to look up in JSON.
alter table standings add column requests integer not null generated always as
  ((counts -> 'active')::integer + (counts -> 'operational')::integer + (counts -> 'withdrawn')::integer) stored;
