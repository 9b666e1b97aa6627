-- alone: totals of active requests, and of what they leave out, come from this index.
create index concurrently if not exists projects_open on projects (region, id)
  include (state, type_std, kind, listed, status_std, status_flag, plant_state, request_class, capacity_mw, incremental_mw, operating_mw)
  where kind = 'generation' and listed = 'listed' and (status_std = 'Active' or plant_state = 'partially_operating')
