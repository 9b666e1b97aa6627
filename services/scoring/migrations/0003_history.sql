-- Why: scores and ratings as of a past day are those that stood published. Nothing makes them again.

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
  -- Columns of the request's row, and the day of its list: what the file of scores of a past day shows.
  request jsonb,
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
