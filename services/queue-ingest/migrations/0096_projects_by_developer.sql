-- alone: Why: totals, pages and stages of a developer's requests come from the index alone.
create index concurrently if not exists projects_by_developer on projects (developer_id, capacity_mw desc nulls last, id)
  include (kind, listed, status_std, queue_date, construction_stage) where developer_id is not null
