-- alone: Why: totals and pages of an operator come from the index alone, as those of a state.
create index concurrently if not exists projects_by_region on projects (region, id)
  include (kind, listed, state, type_std, status_std, capacity_mw, queue_date, construction_stage)
