-- Why: scores are asked for after a change, too: states and lists with their places in the change feed, as their owner says them; and ratings as
-- of a day, for which an offering counts by its newest filing of then. What was copied before has neither until it is published again.

alter table project_states add column seq_from bigint, add column seq_to bigint;
alter table raises add column chain text;
alter table lists add column seq_from bigint, add column seq_to bigint;

-- The newest change of which anything was said.
create table newest_change (only_row boolean primary key default true check (only_row), seq bigint not null);
insert into newest_change (seq) values (0);
