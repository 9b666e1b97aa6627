-- Why: requests of one plant are found when a list is loaded, and one of them represents the plant where each plant is counted once.

create table request_relations (
  -- The later of the two requests.
  project_id text not null references projects on delete cascade,
  other_id text not null references projects on delete cascade,
  relation text not null,
  method text not null,
  confidence float8 not null,
  evidence text not null,
  primary key (project_id, other_id)
);
create index request_relations_other on request_relations (other_id);

alter table projects
  -- The request that represents its plant; null for that one, and for most requests, which are alone.
  add column represented_by text,
  -- Whether its megawatts are those of a request that replaces it, or to which it is an alternative.
  add column is_repeat boolean not null default false;
