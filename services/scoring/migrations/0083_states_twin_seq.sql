-- alone: Why: requests that look the same after a change are found by what they share.
create index concurrently if not exists project_states_twin_seq on project_states (twin_key) where seq_from is not null and twin_key is not null
