-- Why: what stands at the site of a request, and what the request adds to the grid, beside its status.

alter table projects
  add column plant_state text not null default 'unknown',
  add column plant_state_basis text,
  add column plant_state_evidence text,
  add column request_class text not null default 'new',
  add column incremental_mw float8,
  add column operating_mw float8;
alter table project_versions
  add column plant_state text default 'unknown',
  add column plant_state_basis text,
  add column plant_state_evidence text,
  add column request_class text default 'new',
  add column incremental_mw float8,
  add column operating_mw float8;

-- Evidence changes these without a new version of a row that its list has just written.
create or replace trigger projects_body_update before update on projects for each row
  when ((old.version, old.status_std, old.status_evidence, old.plant_state, old.plant_state_evidence, old.energy_community_eligible,
      old.low_income_eligible, old.domestic_content_eligible, old.domestic_content_basis,
      old.tax_credit_type, old.tax_credit_status, old.tax_credit_pct, old.estimated_credit_value,
      old.effective_credit_rate, old.needs_capital, old.investable, old.investability_score)
    is distinct from (new.version, new.status_std, new.status_evidence, new.plant_state, new.plant_state_evidence,
      new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible, new.domestic_content_basis,
      new.tax_credit_type, new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value,
      new.effective_credit_rate, new.needs_capital, new.investable, new.investability_score))
  execute function write_project_body();

-- Active capacity of a developer leaves out void requests and those of existing rights, like all totals of it.
create function portfolio_status(status_std text, status_flag text, request_class text) returns text language sql immutable parallel safe as $$
  select case when status_std = 'Active' and (status_flag = 'void_window' or request_class in ('capacity_rights', 'replacement', 'surplus'))
    then 'left out' else status_std end
$$;
create or replace function portfolios_of(wanted integer[]) returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  select * from portfolios_from(wanted, array(
    select (p.developer_id, portfolio_status(p.status_std, p.status_flag, p.request_class), p.construction_stage, p.capacity_mw, p.state,
      p.type_std)::portfolio_request from projects p
    where p.developer_id = any(wanted) and p.kind = 'generation' and p.listed = 'listed'))
$$;
