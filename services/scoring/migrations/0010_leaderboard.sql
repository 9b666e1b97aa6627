-- Why: the leaderboard says what kind of company a developer is and ranks by late-stage capacity; whether capital is needed can be unknown.
alter table developers add column company_kind text;
alter table developer_ratings alter column needs_capital drop not null;
alter table developer_rating_versions alter column needs_capital drop not null;

create or replace view shown_ratings as
  select r.developer_id, r.counts, r.coverage, r.distress_level, r.distress_score, r.distress_components, r.needs_capital,
    r.needs_capital_reasons, r.tax_credit_activity, r.requests, r.operational_mw,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_raised end as capital_raised,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_per_operational_mw end as capital_per_operational_mw,
    d.canonical_name, d.tier, d.aliases, mw(r.operational_mw + (r.counts ->> 'activeMw')::float8) as capacity_mw, d.company_kind,
    coalesce((select mw(sum((b ->> 'mw')::float8)) from jsonb_array_elements(r.counts -> 'lateAndConstruction') b), 0) as late_stage_mw
  from developer_ratings r join developers d using (developer_id)
  where d.known or r.requests > 0;
