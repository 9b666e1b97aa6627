-- alone: the requests of one point, and the points with a name, come from this index.
create index concurrently if not exists projects_poi on projects (poi_id) include (kind) where poi_id is not null
