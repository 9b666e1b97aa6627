-- alone: Why: pages of requests of a status come in order from it, as those of a region and a state do from theirs.
create index concurrently if not exists projects_generation_status
  on projects (status_std, id) include (capacity_mw) where kind = 'generation'
