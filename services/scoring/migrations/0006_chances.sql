-- Why: version 4 of the score states chances of operation. `p_built` stays empty; the previous release writes it.
alter table scores
  add column p_cod_24 float8,
  add column p_cod_24_low float8,
  add column p_cod_24_high float8,
  add column p_cod_36 float8,
  add column p_cod_36_low float8,
  add column p_cod_36_high float8,
  add column p_energized_24 float8,
  add column p_energized_24_low float8,
  add column p_energized_24_high float8,
  add column p_energized_36 float8,
  add column p_energized_36_low float8,
  add column p_energized_36_high float8,
  -- Past requests of the operator that had come as far, and why there is no chance.
  add column comparable_requests integer,
  add column p_reason text,
  -- Columns that the rule of investable requests compares, beside `eligible` and `p_cod_36`.
  add column cod_months float8,
  add column incremental_mw float8;

-- The filters of requests, on scores.
create or replace view scored_requests as
  select s.project_id, s.score_version, s.score, s.investable, s.eligible, s.project_capacity_mw, s.project_id as id, s.project_region as region,
    s.project_state as state, s.project_type_std as type_std, s.project_capacity_mw as capacity_mw, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital, p.plant_state, p.request_class, p.kind, p.listed,
    p.status_flag, s.p_cod_36, s.cod_months, s.incremental_mw
  from scores s left join projects p using (project_id) left join credits c using (project_id)
    left join developer_ratings r on r.developer_id = p.developer_id;
