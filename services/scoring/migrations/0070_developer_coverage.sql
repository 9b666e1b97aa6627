-- Why: what a developer's rating rests on is said with it, and $0 is not said to be raised where no filing was looked at.

alter table developer_ratings add column coverage jsonb;

-- Of each month the Form D filings that are kept, of whatever issuers.
create table raise_months (
  month date primary key,
  filings integer not null,
  -- A month has about 5,000; a list of some companies has far fewer.
  whole boolean not null generated always as (filings >= 2000) stored
);
insert into raise_months (month, filings) select date_trunc('month', filing_date), count(*) from raises group by 1;

drop view shown_ratings;
create view shown_ratings as
  select r.developer_id, r.counts, r.coverage, r.distress_level, r.distress_score, r.distress_components, r.needs_capital,
    r.needs_capital_reasons, r.tax_credit_activity, r.requests, r.operational_mw,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_raised end as capital_raised,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_per_operational_mw end as capital_per_operational_mw,
    d.canonical_name, d.tier, d.aliases
  from developer_ratings r join developers d using (developer_id)
  where d.known or r.requests > 0;

-- Everything is rated anew.
update settings set computed_on = null;
