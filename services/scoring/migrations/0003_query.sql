-- Why: scores, credits and standings as strangers' SQL may read them (database `scoring`), named as the HTTP fields are.

create view query_scoring.scores as
  select s.project_id, p.queue_id, p.name, p.region, p.state, p.county, p.fips, p.developer, p.developer_id, p.developer_canonical,
    p.developer_tier, p.type_std, p.status_std, p.capacity_mw, p.queue_date, p.cod, p.construction_stage, p.study_phase, p.ia_status,
    s.score as investability_score, s.grade, s.investable, s.milestone_progress as milestone_progress_score,
    s.iso_posture as iso_posture_score, s.tax_credit_value as tax_credit_value_score, s.deal_cleanliness as deal_cleanliness_score,
    s.developer_tier as developer_tier_score, c.credit_type as tax_credit_type, c.status as tax_credit_status,
    c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, s.inputs, s.score_version, s.scored_at
  from scores s join projects p using (project_id) left join credits c using (project_id)
  where s.score_version = (select active_version from settings);
comment on view query_scoring.scores is 'Open requests with their scores, components and credits, as GET /investable and GET /score/{project_id} show them; closed requests are not scored';
comment on column query_scoring.scores.project_id is 'Id of the request, as in the database master';
comment on column query_scoring.scores.queue_id is 'The operator''s number, as filed';
comment on column query_scoring.scores.name is 'Name of the project';
comment on column query_scoring.scores.region is 'Grid operator';
comment on column query_scoring.scores.state is 'Two-letter code of the state';
comment on column query_scoring.scores.county is 'First county';
comment on column query_scoring.scores.fips is 'County FIPS code, five digits';
comment on column query_scoring.scores.developer is 'Developer as filed';
comment on column query_scoring.scores.developer_id is 'Number of the canonical developer';
comment on column query_scoring.scores.developer_canonical is 'The developer behind the name as filed';
comment on column query_scoring.scores.developer_tier is 'Tier of the canonical developer; unknown where none is known';
comment on column query_scoring.scores.type_std is 'Standardised technology';
comment on column query_scoring.scores.status_std is 'Active or Suspended';
comment on column query_scoring.scores.capacity_mw is 'Injection limit at the point of interconnection [MW]';
comment on column query_scoring.scores.queue_date is 'Day on which the request entered the queue';
comment on column query_scoring.scores.cod is 'Projected commercial operation date';
comment on column query_scoring.scores.construction_stage is 'early, mid, late, construction or suspended';
comment on column query_scoring.scores.study_phase is 'Standardised study phase';
comment on column query_scoring.scores.ia_status is 'Standardised state of the interconnection agreement';
comment on column query_scoring.scores.investability_score is 'Score, 0 to 100 [points]';
comment on column query_scoring.scores.grade is 'A, B, C, D or F';
comment on column query_scoring.scores.investable is 'Whether it passes the investability rule';
comment on column query_scoring.scores.milestone_progress_score is 'Component: how far it has come, 0 to 100 [points]';
comment on column query_scoring.scores.iso_posture_score is 'Component: how requests of its operator fare, 0 to 100 [points]';
comment on column query_scoring.scores.tax_credit_value_score is 'Component: what its tax credit is worth, 0 to 100 [points]';
comment on column query_scoring.scores.deal_cleanliness_score is 'Component: 100 less what speaks against it, 0 to 100 [points]';
comment on column query_scoring.scores.developer_tier_score is 'Component: tier and record of its developer, 0 to 100 [points]';
comment on column query_scoring.scores.tax_credit_type is 'ITC or PTC; null: no credit';
comment on column query_scoring.scores.tax_credit_status is 'How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination';
comment on column query_scoring.scores.effective_credit_rate is 'Credit as a part of the eligible cost, adders included [fraction]';
comment on column query_scoring.scores.estimated_credit_value is 'Estimated value of the credit [USD]';
comment on column query_scoring.scores.inputs is 'What the score was computed from, as GET /score/{project_id} shows it';
comment on column query_scoring.scores.score_version is 'Version of the weights and tables';
comment on column query_scoring.scores.scored_at is 'When these inputs were first seen, UTC';

create view query_scoring.tax_credits as
  select c.project_id, p.region, p.state, p.fips, p.type_std, p.capacity_mw, c.credit_type as tax_credit_type,
    c.status as tax_credit_status, c.base_rate as base_credit_pct, c.phase_factor, c.effective_rate as effective_credit_rate,
    c.at_risk_rate, c.estimated_value as estimated_credit_value, c.energy_community_eligible, c.domestic_content_eligible,
    c.low_income_eligible, c.cod_year, c.notice as energy_community_notice, c.warnings
  from credits c join projects p using (project_id);
comment on view query_scoring.tax_credits is 'The federal credit that each open request could claim, by the law and the lists of the day it was computed, as GET /deals/itc shows it';
comment on column query_scoring.tax_credits.project_id is 'Id of the request, as in the database master';
comment on column query_scoring.tax_credits.region is 'Grid operator';
comment on column query_scoring.tax_credits.state is 'Two-letter code of the state';
comment on column query_scoring.tax_credits.fips is 'County FIPS code, five digits';
comment on column query_scoring.tax_credits.type_std is 'Standardised technology';
comment on column query_scoring.tax_credits.capacity_mw is 'Injection limit at the point of interconnection [MW]';
comment on column query_scoring.tax_credits.tax_credit_type is 'ITC or PTC; null: no credit';
comment on column query_scoring.tax_credits.tax_credit_status is 'How sure the credit is: eligible, conditional, terminated, ineligible, requires_determination';
comment on column query_scoring.tax_credits.base_credit_pct is 'Rate before adders, as a part of the eligible cost [fraction]';
comment on column query_scoring.tax_credits.phase_factor is 'Part of the credit that is left at the end dates [fraction]';
comment on column query_scoring.tax_credits.effective_credit_rate is '(base + adders) x phase factor; of a PTC its ITC equivalent [fraction]';
comment on column query_scoring.tax_credits.at_risk_rate is 'What is left of a conditional rate if its condition fails [fraction]';
comment on column query_scoring.tax_credits.estimated_credit_value is 'Estimated value; null where no cost of the technology is known [USD]';
comment on column query_scoring.tax_credits.energy_community_eligible is 'Whether it lies in an energy community; null where no list says';
comment on column query_scoring.tax_credits.domestic_content_eligible is 'Whether the domestic-content bonus is counted';
comment on column query_scoring.tax_credits.low_income_eligible is 'Whether the low-income bonus is open to it; null where no list says';
comment on column query_scoring.tax_credits.cod_year is 'Year placed in service that the rate is for: of cod, or assumed (see warnings)';
comment on column query_scoring.tax_credits.energy_community_notice is 'Notice whose list of energy communities was looked at';
comment on column query_scoring.tax_credits.warnings is 'Codes, as GET /tax-credits/calculate explains them';

create view query_scoring.developer_standings as
  select s.developer_id, d.canonical_name as developer, d.tier, s.capital_raised, (s.counts ->> 'raiseCount')::integer as raise_count,
    (s.counts ->> 'latestRaise')::date as latest_raise, s.operational_mw as operational_capacity_mw,
    (s.counts ->> 'activeMw')::float8 as active_capacity_mw,
    case when s.operational_mw > 0 then round((s.capital_raised / s.operational_mw)::numeric, 2)::float8 end
      as capital_per_operational_mw,
    (s.counts ->> 'financing')::integer as financing_events,
    (s.counts ->> 'ma')::integer + (s.counts ->> 'transfers')::integer as ma_events,
    (s.counts ->> 'distress')::integer as distress_events, (s.counts ->> 'litigation')::integer as litigation_events,
    round((s.counts ->> 'withdrawn')::numeric / nullif((s.counts ->> 'withdrawn')::integer + (s.counts ->> 'active')::integer
      + (s.counts ->> 'operational')::integer, 0), 4)::float8 as withdrawal_rate,
    (s.counts ->> 'active')::integer as active_projects, (s.counts ->> 'operational')::integer as operational_projects,
    (s.counts ->> 'withdrawn')::integer as withdrawn_projects, (s.counts ->> 'behind')::integer as behind_schedule,
    (s.counts ->> 'codSlipped')::integer as cod_slipped_projects, (s.counts ->> 'stuck')::integer as stuck_in_queue_projects,
    case when (s.counts ->> 'withCost')::integer > 0 then (s.counts ->> 'highCost')::integer end as high_ic_cost_projects,
    (s.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw, s.distress_level, s.distress_score,
    s.distress_components is not null as distress_judged, s.distress_components, s.needs_capital, s.needs_capital_reasons,
    s.tax_credit_activity
  from standings s join developers d using (developer_id)
  -- As the leaderboard: a developer that somebody knows, or that a request names.
  where d.known or (s.counts ->> 'active')::integer + (s.counts ->> 'operational')::integer + (s.counts ->> 'withdrawn')::integer > 0;
comment on view query_scoring.developer_standings is 'What each developer raised and built, what is said of it, and whether it is in distress or needs capital, as GET /capital/leaderboard and GET /developers/{developer_id}/capital show it';
comment on column query_scoring.developer_standings.developer_id is 'Number of the developer';
comment on column query_scoring.developer_standings.developer is 'Canonical name';
comment on column query_scoring.developer_standings.tier is 'Tier of the developer';
comment on column query_scoring.developer_standings.capital_raised is 'Sold by the newest filing of each Form D offering [USD]';
comment on column query_scoring.developer_standings.raise_count is 'Its Form D offerings';
comment on column query_scoring.developer_standings.latest_raise is 'Day of its latest Form D';
comment on column query_scoring.developer_standings.operational_capacity_mw is 'Capacity of its requests that operate [MW]';
comment on column query_scoring.developer_standings.active_capacity_mw is 'Capacity of its requests that are still in a queue [MW]';
comment on column query_scoring.developer_standings.capital_per_operational_mw is 'Divergence; null when nothing operates [USD/MW]';
comment on column query_scoring.developer_standings.financing_events is 'Headlines and reports of financing within 24 months';
comment on column query_scoring.developer_standings.ma_events is 'Headlines, reports and changes of hands within 24 months';
comment on column query_scoring.developer_standings.distress_events is 'Headlines and reports of distress within 24 months';
comment on column query_scoring.developer_standings.litigation_events is 'Headlines of litigation within 24 months';
comment on column query_scoring.developer_standings.withdrawal_rate is 'Withdrawn of all its requests; null of none [fraction]';
comment on column query_scoring.developer_standings.active_projects is 'Requests still in a queue';
comment on column query_scoring.developer_standings.operational_projects is 'Requests that operate';
comment on column query_scoring.developer_standings.withdrawn_projects is 'Requests that were withdrawn';
comment on column query_scoring.developer_standings.behind_schedule is 'Active requests past their projected operation';
comment on column query_scoring.developer_standings.cod_slipped_projects is 'Active requests whose projected operation moved later by 180 days or more';
comment on column query_scoring.developer_standings.stuck_in_queue_projects is 'Active requests filed over 60 months ago without an executed agreement';
comment on column query_scoring.developer_standings.high_ic_cost_projects is 'Requests with a high interconnection cost; null where no cost is known';
comment on column query_scoring.developer_standings.max_ic_cost_per_kw is 'Highest interconnection cost of its requests; null where none is known [USD/kW]';
comment on column query_scoring.developer_standings.distress_level is 'Low, Moderate, Elevated or High';
comment on column query_scoring.developer_standings.distress_score is 'Score of distress, 0 to 100 [points]';
comment on column query_scoring.developer_standings.distress_judged is 'False: no request and no event is known, and Low says nothing';
comment on column query_scoring.developer_standings.distress_components is 'What the score is made of, as distress_signal.components of the HTTP answers';
comment on column query_scoring.developer_standings.needs_capital is 'Whether it needs capital';
comment on column query_scoring.developer_standings.needs_capital_reasons is 'Why';
comment on column query_scoring.developer_standings.tax_credit_activity is 'How much tax credit its open requests from stage mid on would bring: none, low, medium or high';

grant select on query_scoring.scores, query_scoring.tax_credits, query_scoring.developer_standings to query_scoring;
