-- Why: lists of scores are filtered by the days of the projected operation and of the agreement, too.
create or replace view scored_requests as
  select s.project_id, s.score_version, s.score, s.investable, s.eligible, s.project_capacity_mw, s.project_id as id, s.project_region as region,
    s.project_state as state, s.project_type_std as type_std, s.project_capacity_mw as capacity_mw, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital, p.plant_state, p.request_class, p.kind, p.listed,
    p.status_flag, s.p_cod_36, s.cod_months, s.incremental_mw, p.cod, p.ia_date
  from scores s left join projects p using (project_id) left join credits c using (project_id)
    left join developer_ratings r on r.developer_id = p.developer_id;

create or replace view credited_requests as
  select c.project_id, c.credit_type, c.status as credit_status, c.effective_rate, c.estimated_value, c.project_id as id,
    c.project_region as region, c.project_state as state, c.project_type_std as type_std, c.project_capacity_mw as capacity_mw,
    s.investable, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital, p.plant_state, p.request_class, p.kind, p.listed,
    p.status_flag, c.p_credit, c.expected_value, p.cod, p.ia_date
  from credits c left join projects p using (project_id)
    left join scores s on s.project_id = c.project_id and s.score_version = (select active_version from settings)
    left join developer_ratings r on r.developer_id = p.developer_id;
