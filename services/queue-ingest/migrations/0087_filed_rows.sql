-- Why: a column that no field is compared of is compared with what the list before had in it.

-- The newest rows of each list, by request: cells as filed by their headers. What they were before is in `changes`.
create table filed_rows (
  project_id text not null references projects on delete cascade,
  feed text not null,
  cells jsonb not null,
  primary key (project_id, feed)
);
