-- Why: usage.reached is published at half, four fifths and all of the queries of a month. `exhausted_months`, of the release before, is no longer written.
create table usage_alerts (
  account_id bigint not null references accounts (id),
  month text not null,
  -- A new limit has alerts of its own.
  monthly_queries bigint not null,
  percent smallint not null,
  published_at timestamptz not null default now(),
  primary key (account_id, month, monthly_queries, percent)
);
