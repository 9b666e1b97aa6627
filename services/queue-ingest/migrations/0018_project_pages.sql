-- alone: Why: a page far back of all requests is found in it; the primary key knows no kinds, so that all requests were sorted instead.
create index concurrently if not exists projects_generation on projects (id) where kind = 'generation'
