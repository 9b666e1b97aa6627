-- Why: lists that are loaded after newer ones are of the past alone, and answers of a day find the lists and corrections of that day.

alter table snapshots drop constraint snapshots_outcome_check;
alter table snapshots add constraint snapshots_outcome_check
  check (outcome = any (array['started', 'applied', 'backfilled', 'retracted', 'unchanged', 'quarantined', 'failed'])) not valid;
create index snapshots_applied on snapshots (region, as_of) where outcome in ('applied', 'backfilled');
create index project_versions_corrected on project_versions (valid_from) where backfilled or not (believed or derived);
