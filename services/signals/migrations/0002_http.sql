-- Why: polite downloads. What every replica together may ask of a host, what has been seen already, and how far each feed was read.

-- A token bucket and a cool-down for each host (or group of hosts that one operator limits together).
create table hosts (
  host text primary key,
  tokens float8 not null,
  refilled_at timestamptz not null,
  failures integer not null default 0,
  cooling_until timestamptz not null default '-infinity'
);

-- When an address was asked last (what it answered is stored), and with what it is asked only for what has changed since.
create table fetched (
  url text primary key,
  etag text,
  last_modified text,
  fetched_at timestamptz not null
);

-- Where a feed's next look begins, as the feed counts: a day, a moment, a name. Moved when everything before it is stored; a process
-- that ends in between reads the last file again, which stores nothing twice.
create table cursors (
  feed text primary key,
  position text not null,
  moved_at timestamptz not null default now()
);

-- How each part of a live job went last, and so when it is due again, whichever replica runs it.
create table looks (
  feed text primary key,
  looked_at timestamptz not null,
  -- busy: the host may not be asked now.
  outcome text not null check (outcome in ('applied', 'unchanged', 'refused', 'failed', 'busy')),
  -- Why it failed, or which of its files could not be read.
  reason text
);
