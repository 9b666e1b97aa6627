-- alone: projects_covering has all of its columns.
drop index concurrently if exists projects_by_id
