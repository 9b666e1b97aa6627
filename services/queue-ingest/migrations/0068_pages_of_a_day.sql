-- alone: Why: a page of what held on a day is a stretch of an index in the order of the list, of which other days are skipped unread.
create index concurrently if not exists project_versions_page
  on project_versions (project_id, (coalesce(valid_to, 'infinity')), valid_from) where believed
