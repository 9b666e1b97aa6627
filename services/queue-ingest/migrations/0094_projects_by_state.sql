-- alone: Why: totals and pages of a state read the table for `listed`. This index contains it and the columns most often filtered and sorted by.
create index concurrently if not exists projects_by_state on projects (state, id)
  include (kind, listed, region, type_std, status_std, capacity_mw, queue_date, construction_stage)
