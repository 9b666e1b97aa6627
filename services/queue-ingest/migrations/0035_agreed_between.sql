-- alone: requests whose agreement was signed between two days, and their number, come from this index.
create index concurrently if not exists projects_agreed on projects (ia_date, id)
  include (kind, listed, region, state, type_std, status_std, capacity_mw, developer_id) where ia_date is not null
