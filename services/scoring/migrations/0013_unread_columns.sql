-- Why: nothing reads these columns, and only `chain` is still written. They are dropped at once, although the release before copies `chain`, because version 1 has no users yet.
alter table projects drop column plant_state_evidence;
alter table raises drop column chain;
alter table scores drop column p_built;
alter table settings drop column preparing_version;
