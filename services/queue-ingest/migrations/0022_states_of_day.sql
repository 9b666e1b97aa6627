-- alone: counts, filters and sums of a past day, without a page of the table for each request.
create index concurrently if not exists project_versions_of_moment
  on project_versions (slot_of(valid_from, valid_to), region, state, valid_from)
  include (valid_to, project_id, entry, kind, listed, type_std, status_std, status_flag, plant_state, request_class, capacity_mw, incremental_mw,
    operating_mw)
