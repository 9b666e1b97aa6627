-- alone: Why: a request after a change is found by its id.
create index concurrently if not exists project_states_project_seq on project_states (project_id, seq_from) where seq_from is not null
