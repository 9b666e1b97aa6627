-- alone: Why: /sources counts the requests of each list, and those that are missing from it, in the index alone.
create index concurrently if not exists projects_by_feed on projects (feed) include (missing_since)
