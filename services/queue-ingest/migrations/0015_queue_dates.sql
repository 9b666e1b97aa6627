-- Why: a request keeps the day on which it entered the queue, and states apart from its plant what it adds to it.
alter table projects
  add column queue_date_current date,
  add column capacity_basis text not null default 'injection_limit',
  add column added_type_std text;
alter table project_versions
  add column queue_date_current date,
  add column capacity_basis text default 'injection_limit',
  add column added_type_std text;
