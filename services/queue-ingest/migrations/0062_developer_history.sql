-- alone: Why: the history of a developer is read without that of all others.
create index concurrently if not exists project_versions_developer
  on project_versions (developer_id) where believed and developer_id is not null
