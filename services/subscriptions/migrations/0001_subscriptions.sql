-- Why: what accounts subscribe to (webhooks, watchlists), how far each has followed the log of changes, what was sent; and their saved SQL.

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create table watchlists (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  name text not null,
  filters jsonb not null,
  -- Changes up to this seq are in its members and entries. Null: its members are still to be read.
  seq bigint,
  -- Rises when its filters change: results read with earlier filters are not written.
  version bigint not null default 1,
  -- Unused watchlists of free accounts are deleted after some time. Whether its account was on the free plan when it last used its
  -- watchlists; false also where that is not known yet.
  free boolean not null default false,
  -- Read or changed by its account, or followed by an enabled webhook; to the day.
  used_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index watchlists_account on watchlists (account_id, id);

-- The requests in it as of `watchlists.seq`.
create table watchlist_members (
  watchlist_id bigint not null references watchlists (id) on delete cascade,
  project_id text not null,
  primary key (watchlist_id, project_id)
);

-- The changes that concern it. Their contents are in the log of changes.
create table watchlist_entries (
  watchlist_id bigint not null references watchlists (id) on delete cascade,
  seq bigint not null,
  project_id text not null,
  -- Null: the request stayed in it.
  event text check (event in ('entered', 'left')),
  primary key (watchlist_id, seq)
);

create table webhooks (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  url text not null,
  filters jsonb,
  watchlist_id bigint references watchlists (id),
  include_row boolean not null,
  digest text check (digest in ('daily')),
  -- The day (UTC) whose digest is the next one.
  digest_day date,
  -- A signature is made with the secret itself.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  -- Changes up to it have become deliveries, or do not concern it.
  seq bigint not null,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text,
  -- Receivers that hang, and webhooks of free accounts, must not keep others from their turn. Whether its last attempt was delivered.
  last_delivered boolean not null default false,
  -- Whether its account was on the free plan when it last used its webhooks; false also where that is not known yet.
  free boolean not null default false,
  created_at timestamptz not null default now()
);
create index webhooks_account on webhooks (account_id, id);
create index webhooks_watchlist on webhooks (watchlist_id) where watchlist_id is not null;

create table deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id) on delete cascade,
  -- Derived from the change, so that receivers recognise a repetition.
  message_id text not null,
  type text not null,
  seq bigint,
  body text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  latency_ms integer,
  answer_status integer,
  answer_start text,
  error text,
  created_at timestamptz not null,
  unique (webhook_id, message_id)
);
create index deliveries_pending on deliveries (webhook_id, seq, id) where state = 'pending';
create index deliveries_webhook on deliveries (webhook_id, id);

-- Statements with parameters that accounts keep under a name.
create table saved_queries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  name text not null,
  statement text not null,
  database text not null,
  -- As they were declared: name, type, default.
  parameters jsonb not null,
  -- Rises with each change: a result checked against an earlier version is not written.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint saved_queries_name unique (account_id, name)
);
