-- alone: the median chance of groups of requests comes from this index, which replaces projects_by_id.
create index concurrently if not exists projects_covering on projects (id)
  include (kind, listed, region, state, type_std, status_std, capacity_mw, queue_date, cod, last_changed_at, lat, lon, fips, construction_stage,
    construction_stage_confidence, study_phase, ia_status, developer_id, developer_tier, energy_community_eligible, low_income_eligible, tax_credit_pct,
    effective_credit_rate, estimated_credit_value, needs_capital, investable, investability_score, p_cod_36)
