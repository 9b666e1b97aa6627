-- Why: the past is a copy of the owner's history, state by state, with the days that the owner says: a list that is loaded late, and one that is
-- taken back, change what is known of days long gone. `project_versions` serves the release before and can go with the next one.

create table project_states (
  like projects including defaults including generated,
  -- Number of the state in the owner's history; below 0: known before the owner's numbers were.
  entry bigint primary key,
  -- Of the event that said so: a higher one is known better.
  revision bigint not null,
  -- Days of the lists: the first on which it held, and the first on which another did.
  valid_from date not null,
  valid_to date not null default 'infinity',
  -- False: taken back, or replaced since.
  believed boolean not null,
  -- Written for another reason than a list.
  derived boolean not null,
  -- Of a list that was loaded after a newer one.
  backfilled boolean not null,
  -- Its list wrote projected dates in another way.
  dates_recoded boolean not null,
  -- Some day shows it.
  held boolean not null generated always as (believed and valid_to > valid_from) stored
);
create index project_states_project on project_states (project_id, valid_from) where held;
create index project_states_open on project_states (region, valid_to, valid_from) where held and open;
create index project_states_twin on project_states (twin_key) where held and twin_key is not null;
create index project_states_developer on project_states (developer_id) where held and developer_id is not null;
create index project_states_corrected on project_states (valid_from) where backfilled or not (believed or derived);

insert into project_states (entry, revision, believed, derived, backfilled, dates_recoded, valid_from, valid_to, project_id, queue_id, name,
  region, kind, state, county, counties, fips, developer, developer_id, developer_canonical, developer_tier, type_std, status_std, listed,
  capacity_mw, queue_date, cod, ia_date, security_posted, construction_stage, study_phase, study_phase_filed, ia_status, poi, located,
  cod_changes, cod_slip_days, snapshot_id, shown, version, feed, utility, status, ia_status_filed, construction_stage_confidence, lat, lon,
  last_changed_at)
select -row_number() over (order by project_id, version), 0, true, false, false, false, valid_from, valid_to, project_id, queue_id, name,
  region, kind, state, county, counties, fips, developer, developer_id, developer_canonical, developer_tier, type_std, status_std, listed,
  capacity_mw, queue_date, cod, ia_date, security_posted, construction_stage, study_phase, study_phase_filed, ia_status, poi, located,
  cod_changes, cod_slip_days, snapshot_id, shown, version, feed, utility, status, ia_status_filed, construction_stage_confidence, lat, lon,
  last_changed_at
from project_versions where valid_to > valid_from;

-- Installations of programmes are in no queue: their files are no lists of it.
delete from lists l where not exists (select from projects p where p.feed = l.feed and p.kind <> 'distribution');

-- Of the event that a list was said by; 0 where only its requests were.
alter table lists add column revision bigint not null default 0;
