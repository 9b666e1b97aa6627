-- alone: Why: counting what held on a day read a page of the table for each request; what is counted, filtered and summed stands in the index.
create index concurrently if not exists project_versions_of_day on project_versions using gist (tstzrange(valid_from, valid_to))
  include (valid_from, valid_to, project_id, entry, kind, listed, region, state, type_std, status_std, capacity_mw, tax_credit_pct,
    tax_credit_status, estimated_credit_value, energy_community_eligible, low_income_eligible, construction_stage_confidence)
  where believed
