-- alone: Why: what a developer had finished after a change is counted.
create index concurrently if not exists project_states_developer_seq on project_states
  (developer_id, (coalesce(seq_to, 9223372036854775807)))
  where seq_from is not null and developer_id is not null
