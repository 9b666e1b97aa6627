-- Why: the credit of a modification is that of the parts it adds. Requests copied before have nulls until they are published again.
alter table projects
  add column added_type_std text,
  add column incremental_mw float8;
