-- Why: the lists of scored requests take the same filters as the list of all requests. What only filters need is copied too.

-- Null until the request is announced again.
alter table projects add column status text, add column ia_status_filed text, add column construction_stage_confidence float8,
  add column lat float8, add column lon float8, add column last_changed_at timestamptz;

-- Great-circle distance (km), for what is near a place.
create function distance_km(lat1 float8, lon1 float8, lat2 float8, lon2 float8) returns float8
  language sql immutable parallel safe as $$
  select 12742 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))
$$;

-- Scores with every column that a filter of requests names, under the contract's names. A join of which no column is asked costs nothing.
create view scored_requests as
  select s.project_id, s.score_version, s.score, s.investable, s.eligible, s.project_capacity_mw, s.project_id as id, s.project_region as region,
    s.project_state as state, s.project_type_std as type_std, s.project_capacity_mw as capacity_mw, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital
  from scores s left join projects p using (project_id) left join credits c using (project_id)
    left join developer_ratings r on r.developer_id = p.developer_id;

-- The same of credits, with the score of the version that is served.
create view credited_requests as
  select c.project_id, c.credit_type, c.status as credit_status, c.effective_rate, c.estimated_value, c.project_id as id,
    c.project_region as region, c.project_state as state, c.project_type_std as type_std, c.project_capacity_mw as capacity_mw,
    s.investable, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital
  from credits c left join projects p using (project_id)
    left join scores s on s.project_id = c.project_id and s.score_version = (select active_version from settings)
    left join developer_ratings r on r.developer_id = p.developer_id;
