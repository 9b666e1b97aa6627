-- Why: polite downloads. Request budgets of hosts, shared by all replicas; validators of addresses; and how far each feed was read.

-- A token bucket and a cool-down for each host (or group of hosts that one operator limits together).
create table hosts (
  host text primary key,
  tokens float8 not null,
  refilled_at timestamptz not null,
  failures integer not null default 0,
  cooling_until timestamptz not null default '-infinity'
);

-- Last request of each address whose response is stored, and the validators for the next conditional request.
create table fetched (
  url text primary key,
  etag text,
  last_modified text,
  fetched_at timestamptz not null
);

-- Where the next read of a feed begins, in the feed's own terms: a day, a time, a name. Moved when everything before it is stored; a process
-- that ends in between reads the last file again, which stores nothing twice.
create table cursors (
  feed text primary key,
  position text not null,
  moved_at timestamptz not null default now()
);

-- Last outcome of each part of a live job, by which any replica knows when it is due again.
create table looks (
  feed text primary key,
  looked_at timestamptz not null,
  -- busy: the host's budget is used up for now.
  outcome text not null check (outcome in ('applied', 'unchanged', 'refused', 'failed', 'busy')),
  -- Why it failed, or which of its files could not be read.
  reason text
);
