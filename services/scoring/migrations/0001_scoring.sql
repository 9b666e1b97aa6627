-- Why: copies of what is scored, what was made of them (tax credits, scores, ratings of developers), and what has been published.
-- Everything that was made is a function of the copies, the reference lists and the day: nothing here is counted up.

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create function mw(total float8) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(total::numeric, 3)::float8, 0)
$$;

-- Copies. Whatever is newer by `version` replaces.
create table projects (
  project_id text primary key,
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
  status_std text not null,
  listed text not null,
  capacity_mw float8,
  queue_date date,
  cod date,
  ia_date date,
  security_posted boolean,
  construction_stage text not null,
  study_phase text,
  study_phase_filed text,
  ia_status text not null,
  poi text,
  located boolean not null,
  -- [{on, old, new}], oldest first
  cod_changes jsonb not null check (jsonb_typeof(cod_changes) = 'array'),
  -- How much later than first projected; null where nothing was ever moved.
  cod_slip_days integer,
  -- Of the list that last said something of it; null when it was only said again.
  snapshot_id bigint,
  -- The event showed a score.
  shown boolean not null default false,
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

create table developers (
  developer_id integer primary key,
  canonical_name text not null,
  tier text not null,
  aliases text[] not null,
  -- Of the curated register; else only named in a queue.
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
  primary key (article_id, developer_id)
);
create index article_developers_developer on article_developers (developer_id);

create table raises (
  accession_number text primary key,
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

-- What has to be computed again, marked in the transaction that changed what it is computed from. A mark is a row of its own: those who
-- mark do not wait, and what is marked while it is being computed is computed once more.
create table project_recompute_queue (mark bigint generated always as identity primary key, project_id text not null);
create index project_recompute_queue_project on project_recompute_queue (project_id);
create table developer_recompute_queue (mark bigint generated always as identity primary key, developer_id integer not null);
create index developer_recompute_queue_developer on developer_recompute_queue (developer_id);

-- What federal credit an open request could claim, by the law and the lists of the day it was computed.
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
  domestic_content_eligible boolean not null,
  low_income_eligible boolean,
  -- Year placed in service that the rate is for.
  cod_year integer not null,
  -- Notice whose list of energy communities was looked at.
  notice text,
  warnings text[] not null
);
create index credits_itc on credits (estimated_value desc nulls last, project_id) where credit_type = 'ITC' and effective_rate > 0;

-- Scores of open requests, by version of the weights and tables: one version is served, another may be in preparation.
create table scores (
  score_version integer not null,
  project_id text not null references projects on delete cascade,
  score integer not null check (score between 0 and 100),
  grade text not null,
  investable boolean not null,
  -- The five components, 0 to 100 each; their weights are the version's.
  developer_tier smallint not null,
  milestone_progress smallint not null,
  tax_credit_value smallint not null,
  iso_posture smallint not null,
  deal_cleanliness smallint not null,
  -- What the score was computed from, and its SHA-256: equal inputs under one version give the same score for ever, and the same
  -- explanation, which is written when it is read.
  inputs jsonb not null,
  inputs_hash text not null,
  scored_at timestamptz not null,
  primary key (project_id, score_version)
);
create index scores_investable on scores (score_version, score desc, project_id) where investable;

-- What was last published of a request. The version is a moment in ms: it grows even when these tables are made anew.
create table published_scores (
  project_id text primary key,
  version bigint not null,
  payload jsonb not null
);

-- How a developer is rated, with the counts that the rating follows from.
create table developer_ratings (
  developer_id integer primary key references developers on delete cascade,
  counts jsonb not null,
  distress_level text not null,
  distress_score integer not null,
  distress_components jsonb,
  needs_capital boolean not null,
  needs_capital_reasons text[] not null,
  tax_credit_activity text not null,
  -- Of `counts`, for ranking and for filters.
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
-- Ratings that are shown: of developers of the register, and of those that a request names.
create view shown_ratings as
  select r.*, d.canonical_name, d.tier, d.aliases from developer_ratings r join developers d using (developer_id)
  where d.known or r.requests > 0;

create table settings (
  single boolean primary key default true check (single),
  -- The version of the score that is served, and the one that is being prepared beside it.
  active_version integer not null,
  preparing_version integer,
  -- The day for which everything that depends on the day was last computed, and the reference lists it was computed with.
  computed_on date,
  references_version bigint not null default 0,
  -- Lists before this one were the bundled sample's: what is still said of them is forgotten.
  sample_until bigint not null default 0
);
