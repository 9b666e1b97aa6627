-- Why: scores are asked for after a change, too: states and lists with their places in the change feed, as their owner says them; and ratings as
-- of a day, for which an offering counts by its newest filing of then. What was copied before has neither until it is published again.

alter table project_states add column seq_from bigint, add column seq_to bigint;
alter table raises add column chain text;
alter table lists add column seq_from bigint, add column seq_to bigint;

-- The indexes hold nothing yet, so that they are made at once.
create index project_states_project_seq on project_states (project_id, seq_from) where seq_from is not null;
create index project_states_open_seq on project_states (region, (coalesce(seq_to, 9223372036854775807)), seq_from)
  where seq_from is not null and open;
create index project_states_twin_seq on project_states (twin_key) where seq_from is not null and twin_key is not null;
create index project_states_developer_seq on project_states (developer_id) where seq_from is not null and developer_id is not null;

-- The newest change of which anything was said.
create table newest_change (only_row boolean primary key default true check (only_row), seq bigint not null);
insert into newest_change (seq) values (0);
