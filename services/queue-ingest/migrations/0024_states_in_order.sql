-- alone: pages of a past day in the order of ids, without a page of the table for each request that is passed over.
create index concurrently if not exists project_versions_in_order
  on project_versions (project_id, (coalesce(valid_to, 'infinity')), valid_from) include (valid_to, entry, kind, listed)
