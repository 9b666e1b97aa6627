-- alone: requests of a developer on a past day.
create index concurrently if not exists project_versions_of_developer
  on project_versions (developer_id, (coalesce(valid_to, 'infinity')), valid_from) where developer_id is not null
