-- Why: statements with parameters that accounts keep under a name.

create table saved_queries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  name text not null,
  statement text not null,
  database text not null,
  -- As they were declared: name, type, default.
  parameters jsonb not null,
  -- Grows with each change: what was checked with parts that are others by now is not written.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint saved_queries_name unique (account_id, name)
);
