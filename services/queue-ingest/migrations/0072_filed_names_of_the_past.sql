-- alone: Why: a name that is linked later is looked for in the states of the past that were filed under it.
create index concurrently if not exists project_versions_filed
  on project_versions (developer) where believed and developer is not null
