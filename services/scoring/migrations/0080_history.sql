-- Why: what is known of a request and its score can be asked as of a past day. Without references to the copies: these are made anew by what is
-- published again, a past is not.

-- The copies with the days on which they held. A version ends where a later one begins; one that is superseded from its first day on, or whose
-- list was taken back, holds on no day.
create table project_versions (
  like projects including defaults including generated,
  -- Day of the list that states it.
  valid_from date not null,
  -- The first day on which another held.
  valid_to date not null default 'infinity' check (valid_to >= valid_from),
  primary key (project_id, version)
);
create index project_versions_open on project_versions (region, valid_to, valid_from) where open;
create index project_versions_twin on project_versions (twin_key) where twin_key is not null;
create index project_versions_developer on project_versions (developer_id) where developer_id is not null;

-- The lists that requests were announced by.
create table lists (
  feed text not null,
  snapshot_id bigint not null,
  region text not null,
  day date not null,
  -- It puts the list before the one before back; and it was taken back itself.
  retraction boolean not null default false,
  retracted boolean not null default false,
  primary key (feed, snapshot_id)
);
create index lists_day on lists (feed, day) where not retracted;

-- What was published of each request that is scored, and until when.
create table score_versions (
  project_id text not null,
  published_at timestamptz not null,
  published_until timestamptz not null default 'infinity',
  score_version integer not null,
  score integer not null,
  grade text not null,
  investable boolean not null,
  inputs jsonb not null,
  inputs_hash text not null,
  -- A row of credits as it was then.
  credit jsonb not null,
  primary key (project_id, published_at)
);

-- What scores look at in the rating of a developer, and until when it was so.
create table developer_rating_versions (
  developer_id integer not null,
  rated_at timestamptz not null,
  rated_until timestamptz not null default 'infinity',
  distress_level text not null,
  needs_capital boolean not null,
  primary key (developer_id, rated_at)
);
