-- Why: every download is archived byte for byte before it is parsed, with the outcome of each attempt. Also functions that the whole schema uses.

-- Text that differs only in case, white space, punctuation, "&", "NY" or a ".0" is one spelling. Another point between digits
-- counts (34.5 kV is not 345 kV).
create function spelling(value text) returns text language sql immutable parallel safe as $$
  select nullif(replace(regexp_replace(regexp_replace(regexp_replace(replace(lower(value), '&', ' and '),
    '[''’`]|(?<=[0-9])\.0+(?![0-9])|(?<![0-9])\.|\.(?![0-9])', '', 'g'), '[^[:alnum:].]+', ' ', 'g'),
    '\mnew york\M', 'ny', 'g'), ' ', ''), '')
$$;

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create function fraction(part bigint, whole bigint) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(part::numeric / nullif(whole, 0), 4)::float8, 0)
$$;

create function mw(total float8) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(total::numeric, 3)::float8, 0)
$$;

-- Great-circle distance (km), for what is near a place.
create function distance_km(lat1 float8, lon1 float8, lat2 float8, lon2 float8) returns float8
  language sql immutable parallel safe as $$
  select 12742 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))
$$;

-- Downloads, archived before they are parsed.
create table raw_files (
  sha256 text primary key,
  bytes bytea not null,
  size_bytes bigint not null,
  archived_at timestamptz not null default now()
);
alter table raw_files alter column bytes set storage external;

-- Attempts to load one operator's list (of one or more files), whatever the outcome.
create table snapshots (
  id bigint generated always as identity primary key,
  region text not null,
  -- The list that was requested, where the attempt has no file: a failed download, an unchanged list.
  feed text,
  as_of timestamptz not null,
  outcome text not null check (outcome in ('started', 'applied', 'backfilled', 'retracted', 'unchanged', 'quarantined', 'failed')),
  reason text,
  -- Quarantined by a guard that releases the list when an equal one follows 12 hours later.
  hold_once boolean not null default false,
  rows integer not null default 0,
  new integer not null default 0,
  changed integer not null default 0,
  status_changes integer not null default 0,
  withdrawn integer not null default 0,
  disappeared integer not null default 0,
  measures jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index snapshots_region on snapshots (region, id desc);
create index snapshots_applied on snapshots (region, as_of) where outcome in ('applied', 'backfilled');

create table snapshot_files (
  snapshot_id bigint not null references snapshots,
  position integer not null,
  feed text,
  sha256 text not null references raw_files,
  name text not null,
  url text,
  etag text,
  last_modified text,
  fetched_at timestamptz not null default now(),
  published_on date,
  rows_in integer,
  requests integer,
  dropped jsonb,
  unknown_values jsonb,
  unknown_columns jsonb,
  -- The columns from here on are null unless the file is a list that was loaded. Time that the list states:
  as_of timestamptz,
  -- Requests of which the list has a row.
  stated text[],
  -- Table (from 0) and row (from 1) of each of them.
  stated_tables smallint[],
  stated_rows integer[],
  -- By request: rows as the list has them, where the history has them merged with an earlier list's or not at all.
  unmerged jsonb,
  -- By request: further rows that decide a field, [[table, row, [field, ...]], ...].
  further_rows jsonb,
  -- Tables that contain its requests: sheet, header as filed, and by field the columns and the rule.
  tables jsonb,
  -- Values of `mapped_words` that it was read with, so that its rows can be read again as they were:
  -- [{id, field, word, means, author, on, count}, ...]
  mapped_words jsonb,
  -- The structures of lists are compared within one format.
  format text,
  -- By table: sheet, rows, and of each column the header, kinds of value and share of filled cells.
  structure jsonb,
  -- SHA-256 over the sheets and headers: equal for lists of one layout.
  layout text,
  -- Snapshot of the list that its structure was compared with (null where there was none of its format), and how it differs:
  -- [{class, severity, sheet, column, before, after}, ...]
  compared_with bigint,
  drift jsonb,
  primary key (snapshot_id, position)
);
create index snapshot_files_sha256 on snapshot_files (sha256);

-- Lists of an attempt; none where they were never known.
create function feeds_of(s snapshots) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct feed), '{}') from (
    select s.feed union select f.feed from snapshot_files f where f.snapshot_id = s.id) t
  where feed is not null
$$;

-- The present of each list: what the next snapshot is compared with, and how fresh it is.
create table feeds (
  feed text primary key,
  region text,
  -- Snapshot time and hash of the last accepted list.
  applied_as_of timestamptz,
  applied_sha256 text,
  published_on date,
  requests integer not null default 0,
  etag text,
  last_modified text,
  last_checked_at timestamptz,
  last_success_at timestamptz,
  last_changed_at timestamptz,
  last_outcome text,
  last_reason text,
  paused boolean not null default false
);

-- Values that no adapter knows and that a person mapped to known ones: data, with author and day.
create table mapped_words (
  mapped_id integer generated always as identity primary key,
  feed text not null,
  -- As the adapter calls the column.
  field text not null,
  -- As filed.
  word text not null,
  -- As values are compared: lower case, trimmed.
  word_key text not null,
  -- A value that the adapter knows; a standard one for technologies.
  means text not null,
  author text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  ended_by text
);
create unique index mapped_words_standing on mapped_words (feed, field, word_key) where ended_at is null;

-- Stored editions of datasets, and the file of each.
create table dataset_editions (
  feed text not null,
  edition text not null,
  database text not null constraint dataset_editions_database check (database in ('dg', 'datacenter', 'market', 'grid')),
  sha256 text not null references raw_files,
  snapshot_id bigint not null,
  -- The day that the file, its name or its properties state.
  published_on date,
  rows_in integer not null,
  -- Rows parsed from the file, with which the next file is compared.
  parsed integer not null,
  -- Rows in the dataset's table.
  stored integer not null,
  applied_at timestamptz not null,
  primary key (feed, edition)
);
