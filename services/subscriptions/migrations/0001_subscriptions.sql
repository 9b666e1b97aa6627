-- Why: what accounts subscribe to (webhooks, watchlists), where each stands in the log of changes, and what was sent.

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
  -- Grows with its filters: what was read by others is not written.
  version bigint not null default 1,
  created_at timestamptz not null default now()
);
create index watchlists_account on watchlists (account_id, id);

-- The requests in it as of `watchlists.seq`.
create table watchlist_members (
  watchlist_id bigint not null references watchlists (id) on delete cascade,
  project_id text not null,
  primary key (watchlist_id, project_id)
);

-- The changes that concern it. What they say is in the log of changes.
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
  -- Changes up to it were made deliveries, or do not concern it.
  seq bigint not null,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now()
);
create index webhooks_account on webhooks (account_id, id);
create index webhooks_watchlist on webhooks (watchlist_id) where watchlist_id is not null;

create table deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id) on delete cascade,
  -- By which a receiver recognises a repetition: made of the change, so that the same change has the same one.
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
