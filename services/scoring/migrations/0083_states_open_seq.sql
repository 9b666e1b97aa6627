-- alone: Why: the open requests of an operator after a change are read together.
create index concurrently if not exists project_states_open_seq on project_states (region, (coalesce(seq_to, 9223372036854775807)), seq_from)
  where seq_from is not null and open
