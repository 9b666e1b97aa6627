-- Why: the value of all tax credits says how sure it is: what of it stands on requests whose stage the operator states, and what on those
-- of which little more is known than that they are open.

-- No transaction writes between what is counted here and the first statement that is counted as it is made; reading goes on.
lock table projects in share row exclusive mode;

-- By construction_stage_confidence: from 0.8, and below 0.5. What lies between is the rest of credit_value.
alter table queue_totals add column high_value numeric not null default 0, add column low_value numeric not null default 0;

create or replace function count_projects() returns trigger language plpgsql as $$
declare
  columns constant text := 'kind, listed, region, state, type_std, status_std, status, capacity_mw, tax_credit_pct, tax_credit_status, '
    'energy_community_eligible, low_income_eligible, estimated_credit_value, construction_stage_confidence';
  added constant text := 'select 1 as sign, ' || columns || ' from added';
  removed constant text := 'select -1 as sign, ' || columns || ' from removed';
  changed constant text := case tg_op when 'INSERT' then added when 'DELETE' then removed
    else added || ' union all ' || removed end;
  more constant text := 'projects = t.projects + excluded.projects,
      capacity_mw = t.capacity_mw + excluded.capacity_mw,
      credit_eligible = t.credit_eligible + excluded.credit_eligible,
      energy_community = t.energy_community + excluded.energy_community,
      low_income = t.low_income + excluded.low_income,
      credit_value = t.credit_value + excluded.credit_value,
      conditional = t.conditional + excluded.conditional,
      conditional_value = t.conditional_value + excluded.conditional_value';
begin
  execute 'with grouped as (
      select kind, listed, region, state, type_std, status_std, status, sum(sign) as projects,
        coalesce(sum(sign * capacity_mw::numeric), 0) as capacity_mw,
        coalesce(sum(sign) filter (where tax_credit_pct > 0), 0) as credit_eligible,
        coalesce(sum(sign) filter (where energy_community_eligible), 0) as energy_community,
        coalesce(sum(sign) filter (where low_income_eligible), 0) as low_income,
        coalesce(sum(sign * estimated_credit_value::numeric), 0) as credit_value,
        coalesce(sum(sign) filter (where tax_credit_pct > 0 and tax_credit_status = ''conditional''), 0) as conditional,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where tax_credit_status = ''conditional''), 0) as conditional_value,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where construction_stage_confidence >= 0.8), 0) as high_value,
        coalesce(sum(sign * estimated_credit_value::numeric) filter (where construction_stage_confidence < 0.5), 0) as low_value
      from (' || changed || ') c group by kind, listed, region, state, type_std, status_std, status),
    groups as (
      insert into project_counts as t
      select kind, listed, region, state, type_std, status_std, status, projects, capacity_mw, credit_eligible, energy_community, low_income,
        credit_value, conditional, conditional_value
      from grouped where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional,
        conditional_value) <> (0, 0, 0, 0, 0, 0, 0, 0)
      on conflict (kind, listed, region, state, type_std, status_std, status) do update set ' || more || ')
    insert into queue_totals as t (kind, listed, region, type_std, projects, capacity_mw, credit_eligible, energy_community, low_income,
      credit_value, conditional, conditional_value, high_value, low_value)
    select * from (
      select kind, listed, region, type_std, sum(projects) as projects, sum(capacity_mw) as capacity_mw, sum(credit_eligible) as credit_eligible,
        sum(energy_community) as energy_community, sum(low_income) as low_income, sum(credit_value) as credit_value,
        sum(conditional) as conditional, sum(conditional_value) as conditional_value, sum(high_value) as high_value,
        sum(low_value) as low_value
      from grouped group by kind, listed, region, type_std) c
    where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional, conditional_value, high_value,
      low_value) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (kind, listed, region, type_std) do update set ' || more || ',
      high_value = t.high_value + excluded.high_value,
      low_value = t.low_value + excluded.low_value';
  return null;
end
$$;

update queue_totals t set high_value = c.high_value, low_value = c.low_value
from (select kind, listed, region, type_std,
    coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence >= 0.8), 0) as high_value,
    coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence < 0.5), 0) as low_value
  from projects group by kind, listed, region, type_std) c
where (t.kind, t.listed, t.region, t.type_std) = (c.kind, c.listed, c.region, c.type_std);
