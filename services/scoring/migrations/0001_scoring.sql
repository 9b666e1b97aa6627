-- Why: copies of what is scored, what was made of them (tax credits, scores, ratings of developers), and what has been published.
-- Everything that was made is a function of the copies, the reference lists and the day: nothing here is counted up.

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create function mw(total float8) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(total::numeric, 3)::float8, 0)
$$;

-- Great-circle distance (km), for what is near a place.
create function distance_km(lat1 float8, lon1 float8, lat2 float8, lon2 float8) returns float8
  language sql immutable parallel safe as $$
  select 12742 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2
    + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))
$$;

-- How request numbers are compared: "ae1_001" is AE1-001, "0517" is 517.
create function queue_key(number text) returns text language sql immutable parallel safe as $$
  select ltrim(upper(regexp_replace(btrim(number), '[\s_]+', '-', 'g')), '0')
$$;

-- How names of places are compared: "Chesterfield 230 kV" is CHESTERFIELD 230KV. Null for an empty name.
create function place_key(name text) returns text language sql immutable parallel safe as $$
  select nullif(regexp_replace(lower(name), '[^a-z0-9]+', '', 'g'), '')
$$;

-- Copies. A newer `version` replaces an older one.
create table projects (
  project_id text primary key,
  -- Which of its operator's lists it is in: dates are judged by the day of the newest one.
  feed text not null,
  queue_id text not null,
  name text,
  region text not null,
  kind text not null,
  state text,
  county text,
  counties text[] not null,
  fips text,
  -- As filed.
  developer text,
  developer_id integer,
  developer_canonical text,
  developer_tier text not null,
  type_std text not null,
  -- Copied for filters alone, like ia_status_filed, construction_stage_confidence, lat, lon and last_changed_at.
  status text,
  status_std text not null,
  listed text not null,
  capacity_mw float8,
  queue_date date,
  cod date,
  ia_date date,
  security_posted boolean,
  construction_stage text not null,
  construction_stage_confidence float8 not null,
  study_phase text,
  study_phase_filed text,
  ia_status text not null,
  ia_status_filed text,
  poi text,
  -- The transmission owner, by which neighbours are chosen whose costs are shown.
  utility text,
  lat float8,
  lon float8,
  located boolean not null,
  -- [{on, old, new}], oldest first
  cod_changes jsonb not null check (jsonb_typeof(cod_changes) = 'array'),
  -- How much later than first projected; null where the date never changed.
  cod_slip_days integer,
  -- The list that last changed it; null after a republished event.
  snapshot_id bigint,
  -- The event contained a score.
  shown boolean not null default false,
  last_changed_at timestamptz not null,
  version bigint not null,
  -- A request that is scored: it is in the newest list and can still be built.
  open boolean not null generated always as
    (kind = 'generation' and listed = 'listed' and status_std in ('Active', 'Suspended')) stored,
  -- Equal for requests that look like one filed twice.
  twin_key text generated always as (case when kind = 'generation' and listed = 'listed' and status_std = 'Active' then
    md5(region || '|' || lower(coalesce(name, '')) || '|' || lower(poi) || '|' || type_std || '|' || capacity_mw::text || '|'
      || (queue_date - date '2000-01-01'))
  end) stored
);
create index projects_developer on projects (developer_id) where developer_id is not null;
create index projects_twin on projects (twin_key) where twin_key is not null;
create index projects_feed on projects (feed) where open;
create index projects_queue_key on projects (region, queue_key(queue_id));

-- Newest accepted snapshot of each list.
create table feeds (
  feed text primary key,
  as_of timestamptz not null,
  -- 0 where it is only known from republished events.
  snapshot_id bigint not null
);

create table developers (
  developer_id integer primary key,
  canonical_name text not null,
  tier text not null,
  aliases text[] not null,
  -- In the curated register; false: only named in a queue.
  known boolean not null,
  version bigint not null
);
create index developers_canonical_name on developers (lower(canonical_name));

create table articles (
  article_id bigint primary key,
  title text not null,
  domain text not null,
  published_at timestamptz not null,
  event_type text not null,
  -- The headline says that a company looks for money or a buyer.
  seeks_capital boolean not null,
  version bigint not null
);
create table article_developers (
  article_id bigint not null references articles on delete cascade,
  developer_id integer not null,
  confidence float8 not null,
  -- The headline states as a fact that this developer has filed for bankruptcy.
  bankruptcy boolean not null,
  -- News about a developer's worldwide parent is not a sign of the developer's own distress.
  subject text not null check (subject in ('us_business', 'parent')),
  primary key (article_id, developer_id)
);
create index article_developers_developer on article_developers (developer_id);

create table raises (
  accession_number text primary key,
  -- The offering, shared by a filing and its amendments. As of a day, the newest filing until then counts.
  chain text not null,
  filing_date date not null,
  issuer_name text not null,
  is_amendment boolean not null,
  is_latest boolean not null,
  total_offering_amount float8,
  total_amount_sold float8,
  developer_id integer,
  match_method text not null,
  version bigint not null
);
create index raises_developer on raises (developer_id, filing_date) where developer_id is not null;
create index raises_filing_date on raises (filing_date);

-- Form D filings by month, of all issuers: a developer has raised $0 only if its months were loaded, otherwise the amount is unknown.
create table raise_months (
  month date primary key,
  filings integer not null,
  -- A month has about 5,000; a list of some companies has far fewer.
  whole boolean not null generated always as (filings >= 2000) stored
);

create table filings (
  accession_number text primary key,
  filing_date date not null,
  issuer_name text not null,
  event_type text not null,
  item_codes text[] not null,
  first_told boolean not null,
  developer_id integer,
  version bigint not null
);
create index filings_developer on filings (developer_id) where developer_id is not null;

-- Changes of hands, by the names of both sides.
create table transfers (
  ma_event_id bigint primary key,
  event_type text not null,
  effective_on date not null,
  seller_canonical text,
  buyer_canonical text,
  confidence text not null,
  retracted boolean not null,
  version bigint not null
);
create index transfers_seller on transfers (seller_canonical);
create index transfers_buyer on transfers (buyer_canonical);

-- Recompute queues, filled in the transaction that changed an input. Each mark is a row of its own, so that writers do not wait, and what is
-- marked while it is being computed is computed once more.
create table project_recompute_queue (mark bigint generated always as identity primary key, project_id text not null);
create index project_recompute_queue_project on project_recompute_queue (project_id);
create table developer_recompute_queue (mark bigint generated always as identity primary key, developer_id integer not null);
create index developer_recompute_queue_developer on developer_recompute_queue (developer_id);

-- The federal credit that an open request could claim, by the law and the lists of the day it was computed.
create table credits (
  project_id text primary key references projects on delete cascade,
  credit_type text,
  status text not null,
  base_rate float8 not null,
  phase_factor float8 not null,
  effective_rate float8 not null,
  at_risk_rate float8,
  estimated_value float8,
  energy_community_eligible boolean,
  -- Null: the bonus is open to the technology, and what the plant is built of is published by no source.
  domestic_content_eligible boolean,
  domestic_content_basis text,
  low_income_eligible boolean,
  -- Year placed in service that the rate is for.
  cod_year integer not null,
  -- Notice whose list of energy communities was used.
  notice text,
  warnings text[] not null,
  -- Copied from the request, so that indexes of this table serve filters by place and the order by capacity.
  project_region text,
  project_state text,
  project_type_std text,
  project_capacity_mw float8
);
create index credits_itc on credits (estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;
create index credits_itc_region on credits (project_region, estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;
create index credits_itc_state on credits (project_state, estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;

-- Scores of open requests, by version of the weights and tables: one version is served, another may be in preparation.
create table scores (
  score_version integer not null,
  project_id text not null references projects on delete cascade,
  score integer not null check (score between 0 and 100),
  grade text not null,
  investable boolean not null,
  -- Investable but for its score.
  eligible boolean not null,
  -- The chance of built or advancing; null under versions before 3.
  p_built float8,
  -- The five components, 0 to 100 each; their weights are the version's.
  developer_tier smallint not null,
  milestone_progress smallint not null,
  tax_credit_value smallint not null,
  iso_posture smallint not null,
  deal_cleanliness smallint not null,
  -- Inputs of the score, and their SHA-256: equal inputs under one version give the same score for ever, and the same
  -- explanation, which is written when it is read.
  inputs jsonb not null,
  inputs_hash text not null,
  scored_at timestamptz not null,
  -- Copied from the request, so that indexes of this table serve filters by place and the order by capacity.
  project_region text,
  project_state text,
  project_type_std text,
  project_capacity_mw float8,
  primary key (project_id, score_version)
);
create index scores_eligible on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where eligible;
create index scores_investable on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where investable;
create index scores_investable_region on scores (score_version, project_region, score desc, project_capacity_mw desc nulls last, project_id)
  where investable;
create index scores_investable_state on scores (score_version, project_state, score desc, project_capacity_mw desc nulls last, project_id)
  where investable;

-- Index-only scans of /investable and /deals/itc read the table for pages not vacuumed since their last write: by default up to a fifth of the rows.
alter table scores set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
alter table credits set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);

-- Updates the copies, whether or not the score is computed again: credits first, the order in which both are written together.
create function move_place() returns trigger language plpgsql as $$
begin
  update credits set (project_region, project_state, project_type_std, project_capacity_mw)
    = (new.region, new.state, new.type_std, new.capacity_mw) where project_id = new.project_id;
  update scores set (project_region, project_state, project_type_std, project_capacity_mw)
    = (new.region, new.state, new.type_std, new.capacity_mw) where project_id = new.project_id;
  return null;
end
$$;
create trigger projects_place after update on projects for each row
  when ((old.region, old.state, old.type_std, old.capacity_mw) is distinct from (new.region, new.state, new.type_std, new.capacity_mw))
  execute function move_place();

-- Last published score of a request. The version is a time in ms, so that it rises even if these tables are rebuilt.
create table published_scores (
  project_id text primary key,
  version bigint not null,
  payload jsonb not null
);

-- Developer ratings, with the counts that they follow from.
create table developer_ratings (
  developer_id integer primary key references developers on delete cascade,
  counts jsonb not null,
  -- Evidence of the rating.
  coverage jsonb not null,
  distress_level text not null,
  distress_score integer not null,
  distress_components jsonb,
  needs_capital boolean not null,
  needs_capital_reasons text[] not null,
  tax_credit_activity text not null,
  -- Copied from `counts`, for ranking and for filters.
  requests integer not null generated always as
    ((counts -> 'active')::integer + (counts -> 'operational')::integer + (counts -> 'withdrawn')::integer) stored,
  capital_raised float8 not null generated always as ((counts ->> 'capitalRaised')::float8) stored,
  operational_mw float8 not null generated always as ((counts ->> 'operationalMw')::float8) stored,
  -- USD; null where nothing operates.
  capital_per_operational_mw float8 generated always as (case when (counts ->> 'operationalMw')::float8 > 0 then
    round(((counts ->> 'capitalRaised')::float8 / (counts ->> 'operationalMw')::float8)::numeric, 2)::float8 end) stored,
  version bigint not null,
  payload jsonb not null
);
-- Served ratings: developers of the register, and those that a request names.
create view shown_ratings as
  select r.developer_id, r.counts, r.coverage, r.distress_level, r.distress_score, r.distress_components, r.needs_capital,
    r.needs_capital_reasons, r.tax_credit_activity, r.requests, r.operational_mw,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_raised end as capital_raised,
    case when (r.coverage -> 'form_d' ->> 'looked_at')::boolean then r.capital_per_operational_mw end as capital_per_operational_mw,
    d.canonical_name, d.tier, d.aliases, mw(r.operational_mw + (r.counts ->> 'activeMw')::float8) as capacity_mw
  from developer_ratings r join developers d using (developer_id)
  where d.known or r.requests > 0;

create table settings (
  single boolean primary key default true check (single),
  -- The version of the score that is served, and the one that is being prepared beside it.
  active_version integer not null,
  preparing_version integer,
  -- The day for which everything that depends on the day was last computed, and the reference lists it was computed with.
  computed_on date,
  references_version bigint not null default 0,
  -- Lists before this one belonged to the bundled sample: late events about them are ignored.
  sample_until bigint not null default 0
);

-- Scores with every column that a filter of requests names, under the contract's names. A join without a selected column costs nothing.
create view scored_requests as
  select s.project_id, s.score_version, s.score, s.investable, s.eligible, s.project_capacity_mw, s.project_id as id, s.project_region as region,
    s.project_state as state, s.project_type_std as type_std, s.project_capacity_mw as capacity_mw, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital
  from scores s left join projects p using (project_id) left join credits c using (project_id)
    left join developer_ratings r on r.developer_id = p.developer_id;

-- The same of credits, with the score of the version that is served.
create view credited_requests as
  select c.project_id, c.credit_type, c.status as credit_status, c.effective_rate, c.estimated_value, c.project_id as id,
    c.project_region as region, c.project_state as state, c.project_type_std as type_std, c.project_capacity_mw as capacity_mw,
    s.investable, s.score as investability_score,
    p.queue_id, p.name, p.counties, p.fips, p.developer, p.developer_id, p.developer_canonical, p.developer_tier, p.status, p.status_std,
    p.poi, p.queue_date, p.last_changed_at, p.lat, p.lon, p.construction_stage, p.construction_stage_confidence, p.study_phase,
    p.study_phase_filed, p.ia_status, p.ia_status_filed, c.energy_community_eligible, c.low_income_eligible,
    c.effective_rate as tax_credit_pct, r.needs_capital
  from credits c left join projects p using (project_id)
    left join scores s on s.project_id = c.project_id and s.score_version = (select active_version from settings)
    left join developer_ratings r on r.developer_id = p.developer_id;
