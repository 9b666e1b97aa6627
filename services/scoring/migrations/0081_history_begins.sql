-- Why: the past begins with what is known when it begins to be kept: each request since the day on which it last changed.

insert into lists (feed, snapshot_id, region, day)
select distinct on (f.feed) f.feed, f.snapshot_id, p.region, (f.as_of at time zone 'UTC')::date
from feeds f join projects p using (feed) where f.snapshot_id > 0 order by f.feed, p.region;

insert into project_versions (project_id, queue_id, name, region, kind, state, county, counties, fips, developer, developer_id,
  developer_canonical, developer_tier, type_std, status_std, listed, capacity_mw, queue_date, cod, ia_date, security_posted,
  construction_stage, study_phase, study_phase_filed, ia_status, poi, located, cod_changes, cod_slip_days, snapshot_id, shown, version,
  feed, utility, status, ia_status_filed, construction_stage_confidence, lat, lon, last_changed_at, valid_from)
select project_id, queue_id, name, region, kind, state, county, counties, fips, developer, developer_id,
  developer_canonical, developer_tier, type_std, status_std, listed, capacity_mw, queue_date, cod, ia_date, security_posted,
  construction_stage, study_phase, study_phase_filed, ia_status, poi, located, cod_changes, cod_slip_days, p.snapshot_id, shown, version,
  feed, utility, status, ia_status_filed, construction_stage_confidence, lat, lon, last_changed_at,
  (coalesce(p.last_changed_at, f.as_of, now()) at time zone 'UTC')::date
from projects p left join feeds f using (feed);

insert into score_versions (project_id, published_at, score_version, score, grade, investable, inputs, inputs_hash, credit)
select t.project_id, to_timestamp(t.version / 1000.0), s.score_version, s.score, s.grade, s.investable, s.inputs, s.inputs_hash,
  to_jsonb(c) - '{project_id,project_region,project_state,project_type_std,project_capacity_mw}'::text[]
from published_scores t join scores s on s.project_id = t.project_id and s.inputs_hash = t.payload ->> 'inputs_hash'
  and s.score_version = (t.payload ->> 'score_version')::integer
join credits c on c.project_id = t.project_id;

insert into developer_rating_versions (developer_id, rated_at, distress_level, needs_capital)
select developer_id, to_timestamp(version / 1000.0), distress_level, needs_capital from developer_ratings;
