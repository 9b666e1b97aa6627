-- Why: the EIA's report of a plant is read from columns, no longer from its sentence, and published scores keep their chance.
alter table projects
  add column plant_state_basis text,
  add column plant_report text,
  add column plant_reported_on date,
  add column construction_begun_by date;
-- Null of scores that were published before.
alter table score_versions add column p_cod_36 float8;

update projects set plant_state_basis = case when plant_state_evidence like 'EIA-860M%' then 'eia_860m' end,
  plant_report = case when plant_state_evidence like '%under construction by%' then 'under_construction'
    when plant_state_evidence like '%is cancelled or postponed' then 'cancelled' else 'planned' end,
  plant_reported_on = (substring(plant_state_evidence from '(\d{4}-\d{2}):') || '-01')::date,
  construction_begun_by = substring(plant_state_evidence from 'under construction by (\d{4}-\d{2}-\d{2})')::date
  where plant_state_evidence ~ '^EIA.*(is planned for|under construction by|is cancelled or postponed)';
