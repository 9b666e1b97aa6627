-- Why: the queues as strangers' SQL may read them (database `master`): documented views, named as the HTTP fields are, and nothing else.

-- Rows of each source that was ever looked at: what /source-freshness and the view `sources` both say.
create view source_records as
  select f.feed,
    coalesce(
      (select e.database from dataset_editions e where e.feed = f.feed limit 1),
      -- A dataset that was never accepted is known by its attempts.
      (select s.region from snapshots s where s.feed = f.feed and s.region in ('dg', 'datacenter', 'market') limit 1),
      case when f.feed = 'eia860' then 'grid' when f.region = 'DG' then 'dg' else 'master' end) as database,
    case f.feed
      when 'lbnl' then (select count(*) from lbnl_requests)
      when 'eia860' then (select coalesce(sum(s.stored), 0)::bigint from eia_schedules s)
      else coalesce(p.requests, 0) + (select coalesce(sum(e.stored), 0)::bigint from dataset_editions e where e.feed = f.feed)
    end as records,
    coalesce(p.missing, 0) as unchecked_records, f.last_checked_at, f.last_changed_at
  from feeds f left join (
    select feed, count(*) as requests, count(missing_since) as missing from projects group by feed) p using (feed);

create view query_master.projects as
  select id, queue_id, name, region, state, county, counties, fips, developer, developer_tier, developer_id, developer_canonical,
    type, type_std, kind, status, status_std, status_flag, capacity_mw, summer_mw, winter_mw, queue_date, cod, actual_cod,
    withdrawn_date, ia_date, backfeed_date, energized_date, security_posted, construction_stage, construction_stage_confidence,
    study_phase, study_phase_filed, ia_status, ia_status_filed, poi, utility, cluster, service, lat, lon, location_precision,
    energy_community_eligible, low_income_eligible, domestic_content_eligible, tax_credit_type, tax_credit_status, tax_credit_pct,
    estimated_credit_value, effective_credit_rate, needs_capital, investable, investability_score, feed, first_seen_at,
    last_changed_at, missing_since, version
  from projects;
comment on view query_master.projects is 'One row per interconnection request, as GET /projects?population=all shows it. For totals of the transmission queues add kind = ''generation''';
comment on column query_master.projects.id is '<REGION>-<number as filed>, assigned once';
comment on column query_master.projects.queue_id is 'The operator''s number, as filed';
comment on column query_master.projects.name is 'Name of the project; where none is published, of its point of interconnection';
comment on column query_master.projects.region is 'Grid operator: PJM, MISO, ERCOT, CAISO, NYISO, SPP or ISO-NE';
comment on column query_master.projects.state is 'Two-letter code of the state';
comment on column query_master.projects.county is 'First county';
comment on column query_master.projects.counties is 'All counties';
comment on column query_master.projects.fips is 'County FIPS code, five digits';
comment on column query_master.projects.developer is 'Developer as filed; null where the operator publishes none';
comment on column query_master.projects.developer_tier is 'Tier of the canonical developer; unknown where none is known';
comment on column query_master.projects.developer_id is 'Number of the canonical developer, as in the database developer';
comment on column query_master.projects.developer_canonical is 'The developer behind the name as filed';
comment on column query_master.projects.type is 'Technology as filed';
comment on column query_master.projects.type_std is 'Standardised technology: Solar, Storage, Wind, Gas, Solar + Storage and so on';
comment on column query_master.projects.kind is 'generation, or a row that is none: transmission, load, distribution';
comment on column query_master.projects.status is 'Status as filed';
comment on column query_master.projects.status_std is 'Active, Withdrawn, Operational or Suspended';
comment on column query_master.projects.status_flag is 'at_risk: a termination is announced; retired: built and closed since';
comment on column query_master.projects.capacity_mw is 'Injection limit at the point of interconnection [MW]';
comment on column query_master.projects.summer_mw is 'Summer capacity as filed [MW]';
comment on column query_master.projects.winter_mw is 'Winter capacity as filed [MW]';
comment on column query_master.projects.queue_date is 'Day on which the request entered the queue';
comment on column query_master.projects.cod is 'Projected commercial operation date';
comment on column query_master.projects.actual_cod is 'Day on which commercial operation began';
comment on column query_master.projects.withdrawn_date is 'Day on which the request was withdrawn';
comment on column query_master.projects.ia_date is 'Day on which the interconnection agreement was signed';
comment on column query_master.projects.backfeed_date is 'Day from which the site can draw power';
comment on column query_master.projects.energized_date is 'Day on which the plant was energised or synchronised';
comment on column query_master.projects.security_posted is 'Whether financial security is posted; null where it is not published';
comment on column query_master.projects.construction_stage is 'early, mid, late, construction, operational, withdrawn or suspended';
comment on column query_master.projects.construction_stage_confidence is 'How sure the stage is, 0 to 1 [fraction]';
comment on column query_master.projects.study_phase is 'Not Started, Feasibility, SIS, Facilities, GIA or IA Executed';
comment on column query_master.projects.study_phase_filed is 'Study phase in the operator''s words';
comment on column query_master.projects.ia_status is 'Standardised state of the interconnection agreement';
comment on column query_master.projects.ia_status_filed is 'State of the agreement in the operator''s words';
comment on column query_master.projects.poi is 'Point of interconnection as filed';
comment on column query_master.projects.utility is 'Transmission owner at the point of interconnection';
comment on column query_master.projects.cluster is 'Study cluster or cycle';
comment on column query_master.projects.service is 'Service asked for, as filed: NRIS, ERIS and so on';
comment on column query_master.projects.lat is 'Latitude [degrees]';
comment on column query_master.projects.lon is 'Longitude [degrees]';
comment on column query_master.projects.location_precision is 'How exactly the place is known: poi, county or state';
comment on column query_master.projects.energy_community_eligible is 'Whether it lies in an energy community; null where no list says';
comment on column query_master.projects.low_income_eligible is 'Whether the low-income bonus is open to it; null where no list says';
comment on column query_master.projects.domestic_content_eligible is 'Whether the domestic-content bonus is counted; null of a closed request';
comment on column query_master.projects.tax_credit_type is 'ITC or PTC; null: no credit, or the request is closed';
comment on column query_master.projects.tax_credit_status is 'How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination';
comment on column query_master.projects.tax_credit_pct is 'Credit as a part of the eligible cost, adders included: 0.4 is 40 % [fraction]';
comment on column query_master.projects.estimated_credit_value is 'Estimated value of the credit [USD]';
comment on column query_master.projects.effective_credit_rate is 'The same rate as tax_credit_pct, as /investable names it [fraction]';
comment on column query_master.projects.needs_capital is 'Whether its developer needs capital; null where none is known';
comment on column query_master.projects.investable is 'Whether it passes the investability rule; null of a closed request';
comment on column query_master.projects.investability_score is 'Score, 0 to 100; null of a closed request, which is not scored [points]';
comment on column query_master.projects.feed is 'The list that states this row';
comment on column query_master.projects.first_seen_at is 'Time of the first snapshot that shows it, UTC';
comment on column query_master.projects.last_changed_at is 'Time of the last snapshot that changed it, UTC';
comment on column query_master.projects.missing_since is 'Absent from the operator''s list since, UTC; not a withdrawal';
comment on column query_master.projects.version is 'Number of its state, from 1: the same as in project_versions';

create view query_master.project_raw as select id as project_id, region, feed, raw from projects;
comment on view query_master.project_raw is 'Every other column of a request as the operator filed it';
comment on column query_master.project_raw.project_id is 'Id of the request in projects';
comment on column query_master.project_raw.region is 'Grid operator';
comment on column query_master.project_raw.feed is 'The list that states the row';
comment on column query_master.project_raw.raw is 'Cells as filed by their headers: raw ->> ''<header>''';

create view query_master.project_aliases as select project_id, number, region, key as queue_key, first_seen_at from project_aliases;
comment on view query_master.project_aliases is 'Every number that a request was ever filed under';
comment on column query_master.project_aliases.project_id is 'Id of the request in projects';
comment on column query_master.project_aliases.number is 'Number as filed';
comment on column query_master.project_aliases.region is 'Grid operator whose number it is';
comment on column query_master.project_aliases.queue_key is 'The number as numbers are compared: with region it joins lbnl_requests';
comment on column query_master.project_aliases.first_seen_at is 'Time of the first snapshot that shows the number, UTC';

-- The present state is read from its request: only states that ended are read from their bodies, each parsed once.
create view query_master.project_versions as
  select v.project_id, v.version, v.valid_from, v.valid_to, p.region, p.name, p.developer, p.developer_canonical, p.type_std, p.kind,
    p.status, p.status_std, p.capacity_mw, p.queue_date, p.cod, p.construction_stage, p.study_phase, p.ia_status, p.poi
  from project_versions v join projects p on p.id = v.project_id
  where v.valid_to is null
  union all
  select v.project_id, v.version, v.valid_from, v.valid_to, b.region, b.name, b.developer, b.developer_canonical, b.type_std, b.kind,
    b.status, b.status_std, b.capacity_mw, b.queue_date, b.cod, b.construction_stage, b.study_phase, b.ia_status, b.poi
  from project_versions v cross join lateral json_to_record(v.body::json) as b (region text, name text, developer text,
    developer_canonical text, type_std text, kind text, status text, status_std text, capacity_mw float8, queue_date date, cod date,
    construction_stage text, study_phase text, ia_status text, poi text)
  where v.valid_to is not null;
comment on view query_master.project_versions is 'What each request was from one snapshot to another; valid_to of its present state is null. Choose by project_id or valid_from where you can';
comment on column query_master.project_versions.project_id is 'Id of the request in projects';
comment on column query_master.project_versions.version is 'Number of the state, from 1';
comment on column query_master.project_versions.valid_from is 'Time of the snapshot that first shows this state, UTC';
comment on column query_master.project_versions.valid_to is 'Time of the snapshot that ended this state, UTC; null: it holds';
comment on column query_master.project_versions.region is 'Grid operator';
comment on column query_master.project_versions.name is 'Name of the project then';
comment on column query_master.project_versions.developer is 'Developer as filed then';
comment on column query_master.project_versions.developer_canonical is 'The developer behind that name';
comment on column query_master.project_versions.type_std is 'Standardised technology then';
comment on column query_master.project_versions.kind is 'generation, transmission, load or distribution';
comment on column query_master.project_versions.status is 'Status as filed then';
comment on column query_master.project_versions.status_std is 'Standardised status then';
comment on column query_master.project_versions.capacity_mw is 'Injection limit then [MW]';
comment on column query_master.project_versions.queue_date is 'Day on which the request entered the queue';
comment on column query_master.project_versions.cod is 'Commercial operation date projected then';
comment on column query_master.project_versions.construction_stage is 'Stage then';
comment on column query_master.project_versions.study_phase is 'Study phase then';
comment on column query_master.project_versions.ia_status is 'State of the interconnection agreement then';
comment on column query_master.project_versions.poi is 'Point of interconnection as filed then';

grant select on query_master.projects, query_master.project_raw, query_master.project_aliases, query_master.project_versions
  to query_master;
