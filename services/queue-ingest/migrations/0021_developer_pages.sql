-- alone: Why: a developer's largest requests come in order from it; what its change reads of it too, so that it takes the other's place.
create index concurrently if not exists projects_developer_capacity
  on projects (developer_id, capacity_mw desc nulls last, id) where developer_id is not null
