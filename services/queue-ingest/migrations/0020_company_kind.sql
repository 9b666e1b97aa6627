-- Why: a company made for one project is distinguished from one that develops several, which alone has a tier and a parent.
alter table developers
  add column company_kind text not null default 'sponsor' check (company_kind in ('sponsor', 'special_purpose')),
  -- Words that the names of a series of such companies share ("ip lumina bess" of "IP Lumina II BESS"); null for a company alone.
  add column company_group text;

create or replace view listed_developers as select * from developers where known or total_projects > 0;

create or replace view developer_rows as
  select d.developer_id, d.canonical_name, d.tier, p.*, d.needs_capital, d.company_kind, d.company_group
  from developers d cross join lateral jsonb_to_record(d.portfolio) as p (
    total_projects integer, total_capacity_mw float8, operating_capacity_mw float8, in_construction_mw float8,
    active_capacity_mw float8, withdrawn_projects integer, operational_projects integer, completion_rate float8,
    states_active jsonb, primary_technologies jsonb);
