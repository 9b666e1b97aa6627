-- alone: requests that were withdrawn between two days, and their number, come from this index.
create index concurrently if not exists projects_withdrawn on projects (withdrawn_date, id)
  include (kind, listed, region, state, type_std, status_std, capacity_mw, developer_id) where withdrawn_date is not null
