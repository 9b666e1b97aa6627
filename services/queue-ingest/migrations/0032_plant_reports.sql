-- Why: what the EIA says of a plant is read from columns, no longer from its sentence; rows show the chance of operation.
alter table projects
  add column plant_report text,
  add column plant_reported_on date,
  add column construction_begun_by date,
  add column p_cod_36 float8;
alter table project_versions
  add column plant_report text,
  add column plant_reported_on date,
  add column construction_begun_by date,
  add column p_cod_36 float8;

-- The sentence states the month of a monthly list.
create function plant_report_in(says text, out plant_report text, out plant_reported_on date, out construction_begun_by date) language sql immutable as $$
  select case when says like '%under construction by%' then 'under_construction' when says like '%is cancelled or postponed' then 'cancelled'
      else 'planned' end,
    coalesce(substring(says from '(\d{4}-\d{2}):') || '-01', substring(says from '^EIA-860 of (\d{4})') || '-12-31')::date,
    substring(says from 'under construction by (\d{4}-\d{2}-\d{2})')::date
$$;
update projects set (plant_report, plant_reported_on, construction_begun_by) = (select * from plant_report_in(plant_state_evidence)),
  as_filed = as_filed || '{"plant_report": null, "plant_reported_on": null, "construction_begun_by": null}'
  where plant_state_evidence ~ '^EIA.*(is planned for|under construction by|is cancelled or postponed)';
update project_versions set (plant_report, plant_reported_on, construction_begun_by) = (select * from plant_report_in(plant_state_evidence)),
  as_filed = as_filed || '{"plant_report": null, "plant_reported_on": null, "construction_begun_by": null}'
  where plant_state_evidence ~ '^EIA.*(is planned for|under construction by|is cancelled or postponed)' and valid_to is null;
drop function plant_report_in;

create or replace trigger projects_body_update before update on projects for each row
  when ((old.version, old.status_std, old.status_evidence, old.plant_state, old.plant_state_evidence, old.energy_community_eligible,
      old.low_income_eligible, old.domestic_content_eligible, old.domestic_content_basis,
      old.tax_credit_type, old.tax_credit_status, old.tax_credit_pct, old.estimated_credit_value,
      old.effective_credit_rate, old.needs_capital, old.investable, old.p_cod_36, old.investability_score)
    is distinct from (new.version, new.status_std, new.status_evidence, new.plant_state, new.plant_state_evidence,
      new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible, new.domestic_content_basis,
      new.tax_credit_type, new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value,
      new.effective_credit_rate, new.needs_capital, new.investable, new.p_cod_36, new.investability_score))
  execute function write_project_body();
