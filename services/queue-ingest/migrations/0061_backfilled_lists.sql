-- Why: lists that are loaded after newer ones are of the past alone, and answers of a day find the lists and corrections of that day.

alter table snapshots add column backfilled boolean not null default false;
create index snapshots_applied on snapshots (region, as_of) where outcome = 'applied';
create index project_versions_corrected on project_versions (valid_from) where backfilled or not (believed or derived);
