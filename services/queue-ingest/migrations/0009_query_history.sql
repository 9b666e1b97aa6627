-- Why: the rest of the database `master` for SQL: the change feed, Berkeley Lab's list, and where all rows come from.

create view query_master.changes as
  select seq, detected_at, project_id, queue_id, region, kind, change_type, field_name, old_value, new_value, project_name,
    developer_canonical, capacity_mw, type_std, state, feed
  from changes;
comment on view query_master.changes is 'The change feed: one row per difference between two snapshots of a list, as GET /changes shows it, without its limit in days';
comment on column query_master.changes.seq is 'Grows by one, without gaps, in commit order';
comment on column query_master.changes.detected_at is 'Time of the snapshot that shows the change, UTC';
comment on column query_master.changes.project_id is 'Id of the request in projects; null on a summary of a bulk recode';
comment on column query_master.changes.queue_id is 'The operator''s number, as filed';
comment on column query_master.changes.region is 'Grid operator';
comment on column query_master.changes.kind is 'generation, or a row of the list that is none';
comment on column query_master.changes.change_type is 'new_project, status_change, capacity_change, cod_change, developer_change, study_phase_change, field_update, disappeared or correction';
comment on column query_master.changes.field_name is 'Field that differs';
comment on column query_master.changes.old_value is 'Its value before';
comment on column query_master.changes.new_value is 'Its value since';
comment on column query_master.changes.project_name is 'Name of the project at the change';
comment on column query_master.changes.developer_canonical is 'The developer behind the request at the change';
comment on column query_master.changes.capacity_mw is 'Injection limit at the change [MW]';
comment on column query_master.changes.type_std is 'Standardised technology at the change';
comment on column query_master.changes.state is 'Two-letter code of the state';
comment on column query_master.changes.feed is 'The list that shows the change';

create view query_master.lbnl_requests as
  select entity, q_id, repeat, lbnl_region, key as queue_key, request ->> 'name' as name, request ->> 'developer' as developer,
    request ->> 'state' as state, request ->> 'county' as county, request -> 'raw' ->> 'fips' as fips, request ->> 'type' as type,
    request ->> 'typeStd' as type_std, request ->> 'status' as status, status_std,
    (request ->> 'capacityMw')::float8 as capacity_mw, (request ->> 'queueDate')::date as queue_date,
    (request ->> 'cod')::date as cod, (request ->> 'actualCod')::date as actual_cod,
    (request ->> 'withdrawnDate')::date as withdrawn_date, (request ->> 'iaDate')::date as ia_date,
    request ->> 'studyPhase' as study_phase, request ->> 'iaStatusFiled' as ia_status_filed, request ->> 'poi' as poi,
    request ->> 'utility' as utility, request ->> 'cluster' as cluster, request ->> 'service' as service
  from lbnl_requests;
comment on view query_master.lbnl_requests is 'Requests of all operators and some fifty utilities as Berkeley Lab''s yearly "Queued Up" file lists them (CC BY 4.0, Lawrence Berkeley National Laboratory): history and comparison, never added to projects';
comment on column query_master.lbnl_requests.entity is 'Operator or utility whose queue it is';
comment on column query_master.lbnl_requests.q_id is 'Number of the request, unique within its entity only';
comment on column query_master.lbnl_requests.repeat is 'Tells rows apart that share entity and number, from 1';
comment on column query_master.lbnl_requests.lbnl_region is 'Region in Berkeley Lab''s words: an operator, West or Southeast';
comment on column query_master.lbnl_requests.queue_key is 'The number as numbers are compared: with lbnl_region it joins project_aliases';
comment on column query_master.lbnl_requests.name is 'Name of the project';
comment on column query_master.lbnl_requests.developer is 'Developer as listed';
comment on column query_master.lbnl_requests.state is 'Two-letter code of the state';
comment on column query_master.lbnl_requests.county is 'First county';
comment on column query_master.lbnl_requests.fips is 'County FIPS codes, five digits each, parted by commas';
comment on column query_master.lbnl_requests.type is 'Technology as listed';
comment on column query_master.lbnl_requests.type_std is 'Standardised technology';
comment on column query_master.lbnl_requests.status is 'Status as listed';
comment on column query_master.lbnl_requests.status_std is 'Active, Withdrawn, Operational or Suspended';
comment on column query_master.lbnl_requests.capacity_mw is 'Largest of the parts of a hybrid, which share one connection [MW]';
comment on column query_master.lbnl_requests.queue_date is 'Day on which the request entered the queue';
comment on column query_master.lbnl_requests.cod is 'Proposed date of operation';
comment on column query_master.lbnl_requests.actual_cod is 'Day on which operation began';
comment on column query_master.lbnl_requests.withdrawn_date is 'Day on which the request was withdrawn';
comment on column query_master.lbnl_requests.ia_date is 'Day on which the interconnection agreement was signed';
comment on column query_master.lbnl_requests.study_phase is 'Standardised study phase; null of a withdrawn request';
comment on column query_master.lbnl_requests.ia_status_filed is 'State of the agreement in the operator''s words';
comment on column query_master.lbnl_requests.poi is 'Point of interconnection';
comment on column query_master.lbnl_requests.utility is 'Utility at the point of interconnection';
comment on column query_master.lbnl_requests.cluster is 'Study cluster';
comment on column query_master.lbnl_requests.service is 'Service asked for';

create view query_master.sources as
  select f.feed as source, r.database, r.records, r.unchecked_records, f.applied_as_of as as_of, f.published_on,
    f.last_checked_at as last_checked, f.last_success_at as last_success, f.last_changed_at as last_changed, f.last_outcome, f.last_reason
  from feeds f join source_records r using (feed);
comment on view query_master.sources is 'How fresh each list, form and dataset is that the databases master, grid, dg, datacenter and market are made of';
comment on column query_master.sources.source is 'Name of the source: feed of the rows that it states';
comment on column query_master.sources.database is 'Database that holds its rows';
comment on column query_master.sources.records is 'Rows that stand on it';
comment on column query_master.sources.unchecked_records is 'Rows that its last accepted list did not show';
comment on column query_master.sources.as_of is 'Time that the last accepted list is of, UTC';
comment on column query_master.sources.published_on is 'Day of publication that the file states';
comment on column query_master.sources.last_checked is 'When it was last looked at, UTC';
comment on column query_master.sources.last_success is 'Time of the last list that was accepted or found unchanged, UTC';
comment on column query_master.sources.last_changed is 'When it last brought something new, UTC';
comment on column query_master.sources.last_outcome is 'Outcome of the last look: applied, unchanged, quarantined or failed';
comment on column query_master.sources.last_reason is 'Why it was held back or failed';

create view query_master.snapshots as
  select s.region, coalesce(s.feed, f.feed) as feed, s.as_of, s.outcome, s.reason, s.retraction, s.rows, s.new, s.changed,
    s.status_changes, s.withdrawn, s.disappeared, s.started_at, s.finished_at, regexp_replace(f.name, '^.*[/\\]', '') as file_name,
    f.published_on, f.rows_in, f.requests, f.dropped, f.unknown_values, f.unknown_columns
  from snapshots s left join snapshot_files f on f.snapshot_id = s.id;
comment on view query_master.snapshots is 'Every attempt to take in a list, one row per file of it; an attempt with several files repeats its own counts on each';
comment on column query_master.snapshots.region is 'Grid operator; else LBNL, EIA-860, companies or the database of a dataset';
comment on column query_master.snapshots.feed is 'The list, where it was known';
comment on column query_master.snapshots.as_of is 'Time that the list is of, UTC';
comment on column query_master.snapshots.outcome is 'applied, unchanged, quarantined (held back by a guard), failed, retracted or started';
comment on column query_master.snapshots.reason is 'Why it was held back or failed';
comment on column query_master.snapshots.retraction is 'Whether it put back an earlier list';
comment on column query_master.snapshots.rows is 'Requests that the attempt stored or found';
comment on column query_master.snapshots.new is 'Of them new ones';
comment on column query_master.snapshots.changed is 'Of them changed ones';
comment on column query_master.snapshots.status_changes is 'Of them with another status';
comment on column query_master.snapshots.withdrawn is 'Known requests that became Withdrawn';
comment on column query_master.snapshots.disappeared is 'Known requests that are newly missing';
comment on column query_master.snapshots.started_at is 'Begin of the attempt, UTC';
comment on column query_master.snapshots.finished_at is 'End of the attempt, UTC';
comment on column query_master.snapshots.file_name is 'Name of the file';
comment on column query_master.snapshots.published_on is 'Day of publication that the file states';
comment on column query_master.snapshots.rows_in is 'Data rows found in the file';
comment on column query_master.snapshots.requests is 'Of them kept';
comment on column query_master.snapshots.dropped is 'What was left out: an array of objects with reason, count and examples';
comment on column query_master.snapshots.unknown_values is 'Values outside the known vocabulary, kept as filed: an array of objects with field, value and count';
comment on column query_master.snapshots.unknown_columns is 'Headers that no known column claims';

grant select on query_master.changes, query_master.lbnl_requests, query_master.sources, query_master.snapshots to query_master;
