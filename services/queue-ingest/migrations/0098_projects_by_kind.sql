-- alone: Why: the few requests that are for no generator are found in it, whichever kind they are of.
create index concurrently if not exists projects_by_kind on projects (kind, id) where kind <> 'generation'
