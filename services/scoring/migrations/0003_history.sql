-- Why: requests and scores as of a past day. Without references to the copies, which republished events rebuild; the past they do not.

-- States of requests with their days, as queue-ingest publishes them: a list that is loaded late or retracted changes past days.
create table project_states (
  like projects including defaults including generated,
  -- Number of the state in the owner's history.
  entry bigint primary key,
  -- Version of the event: a higher one replaces it.
  revision bigint not null,
  -- Days of the lists: the first on which it held, and the first on which another did.
  valid_from date not null,
  valid_to date not null default 'infinity',
  -- Places in the change feed from which and until which it was the present.
  seq_from bigint,
  seq_to bigint,
  -- False: taken back, or replaced since.
  believed boolean not null,
  -- Written for another reason than a list.
  derived boolean not null,
  -- Of a list that was loaded after a newer one.
  backfilled boolean not null,
  -- Its list wrote projected dates in another way.
  dates_recoded boolean not null,
  -- Some day shows it.
  held boolean not null generated always as (believed and valid_to > valid_from) stored
);
create index project_states_project on project_states (project_id, valid_from) where held;
create index project_states_open on project_states (region, valid_to, valid_from) where held and open;
create index project_states_twin on project_states (twin_key) where held and twin_key is not null;
create index project_states_developer on project_states (developer_id) where held and developer_id is not null;
create index project_states_corrected on project_states (valid_from) where backfilled or not (believed or derived);
create index project_states_project_seq on project_states (project_id, seq_from) where seq_from is not null;
create index project_states_open_seq on project_states (region, (coalesce(seq_to, 9223372036854775807)), seq_from)
  where seq_from is not null and open;
create index project_states_developer_seq on project_states
  (developer_id, (coalesce(seq_to, 9223372036854775807)))
  where seq_from is not null and developer_id is not null;
create index project_states_twin_seq on project_states (twin_key) where seq_from is not null and twin_key is not null;

-- The lists behind the states.
create table lists (
  feed text not null,
  snapshot_id bigint not null,
  region text not null,
  day date not null,
  retracted boolean not null default false,
  -- Version of the event: a higher one replaces it.
  revision bigint not null,
  -- Places in the change feed, as those of a state.
  seq_from bigint,
  seq_to bigint,
  primary key (feed, snapshot_id)
);
create index lists_day on lists (feed, day) where not retracted;

-- The newest change that an event has mentioned.
create table newest_change (only_row boolean primary key default true check (only_row), seq bigint not null);
insert into newest_change (seq) values (0);

-- Published scores, and until when each stood.
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

-- The parts of developer ratings that scores use, and until when each stood.
create table developer_rating_versions (
  developer_id integer not null,
  rated_at timestamptz not null,
  rated_until timestamptz not null default 'infinity',
  distress_level text not null,
  needs_capital boolean not null,
  primary key (developer_id, rated_at)
);
