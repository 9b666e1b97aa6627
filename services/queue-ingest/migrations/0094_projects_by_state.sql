-- alone: Why: totals and pages of a state read the table for `listed`; with what is mostly filtered and sorted by in it, the index of all populations is enough.
create index concurrently if not exists projects_by_state on projects (state, id)
  include (kind, listed, region, type_std, status_std, capacity_mw, queue_date, construction_stage)
