-- The schema scoring after all migrations. Generated: UPDATE_SNAPSHOT=1 npx vitest run --project integration test/postgres/schema.test.ts

create table article_developers (
	article_id bigint not null,
	developer_id integer not null,
	confidence double precision not null,
	bankruptcy boolean not null,
	subject text not null,
	constraint article_developers_pkey primary key (article_id, developer_id),
	constraint article_developers_article_id_fkey foreign key (article_id) references articles(article_id) on delete cascade,
	constraint article_developers_subject_check check ((subject = any (array['us_business'::text, 'parent'::text])))
);
create index article_developers_developer on article_developers (developer_id);

create table articles (
	article_id bigint not null,
	title text not null,
	domain text not null,
	published_at timestamptz not null,
	event_type text not null,
	seeks_capital boolean not null,
	version bigint not null,
	constraint articles_pkey primary key (article_id)
);

create table coal_tracts (
	file_id bigint not null,
	tract text not null,
	tract_type text,
	eligible_from date,
	file_row integer not null,
	filed jsonb not null,
	constraint coal_tracts_pkey primary key (file_id, tract),
	constraint coal_tracts_file_id_fkey foreign key (file_id) references reference_files(id) on delete cascade,
	constraint coal_tracts_tract_check check ((tract ~ '^\d{11}$'::text))
);

create table credits (
	project_id text not null,
	credit_type text,
	status text not null,
	base_rate double precision not null,
	phase_factor double precision not null,
	effective_rate double precision not null,
	at_risk_rate double precision,
	estimated_value double precision,
	energy_community_eligible boolean,
	domestic_content_eligible boolean,
	domestic_content_basis text,
	low_income_eligible boolean,
	cod_year integer not null,
	notice text,
	warnings text[] not null,
	project_region text,
	project_state text,
	project_type_std text,
	project_capacity_mw double precision,
	p_credit double precision,
	expected_value double precision,
	constraint credits_pkey primary key (project_id),
	constraint credits_project_id_fkey foreign key (project_id) references projects(project_id) on delete cascade
);
create index credits_itc on credits (estimated_value desc nulls last, effective_rate desc, project_id) include (status) where ((credit_type = 'ITC'::text) and (effective_rate > (0)::double precision));
create index credits_itc_expected on credits (expected_value desc nulls last, effective_rate desc, project_id) include (status) where ((credit_type = 'ITC'::text) and (effective_rate > (0)::double precision));
create index credits_itc_region on credits (project_region, estimated_value desc nulls last, effective_rate desc, project_id) include (status) where ((credit_type = 'ITC'::text) and (effective_rate > (0)::double precision));
create index credits_itc_state on credits (project_state, estimated_value desc nulls last, effective_rate desc, project_id) include (status) where ((credit_type = 'ITC'::text) and (effective_rate > (0)::double precision));

create table data_version (
	single boolean not null default true,
	version bigint not null,
	raised_at timestamptz not null default now(),
	constraint data_version_pkey primary key (single),
	constraint data_version_single_check check (single)
);

create table dead_letters (
	id bigint not null generated always as identity,
	reaction text not null,
	subject text not null,
	event_id text,
	payload text not null,
	reason text not null,
	received_at timestamptz not null default now(),
	constraint dead_letters_pkey primary key (id)
);

create table developer_rating_versions (
	developer_id integer not null,
	rated_at timestamptz not null,
	rated_until timestamptz not null default 'infinity'::timestamptz,
	distress_level text not null,
	needs_capital boolean,
	constraint developer_rating_versions_pkey primary key (developer_id, rated_at)
);

create table developer_ratings (
	developer_id integer not null,
	counts jsonb not null,
	coverage jsonb not null,
	distress_level text not null,
	distress_score integer not null,
	distress_components jsonb,
	needs_capital boolean,
	needs_capital_reasons text[] not null,
	tax_credit_activity text not null,
	requests integer not null generated always as (((((counts -> 'active'::text))::integer + ((counts -> 'operational'::text))::integer) + ((counts -> 'withdrawn'::text))::integer)) stored,
	capital_raised double precision not null generated always as (((counts ->> 'capitalRaised'::text))::double precision) stored,
	operational_mw double precision not null generated always as (((counts ->> 'operationalMw'::text))::double precision) stored,
	capital_per_operational_mw double precision generated always as (
case
    when (((counts ->> 'operationalMw'::text))::double precision > (0)::double precision) then (round(((((counts ->> 'capitalRaised'::text))::double precision / ((counts ->> 'operationalMw'::text))::double precision))::numeric, 2))::double precision
    else null::double precision
end) stored,
	version bigint not null,
	payload jsonb not null,
	constraint developer_ratings_pkey primary key (developer_id),
	constraint developer_ratings_developer_id_fkey foreign key (developer_id) references developers(developer_id) on delete cascade
);

create table developer_recompute_queue (
	mark bigint not null generated always as identity,
	developer_id integer not null,
	constraint developer_recompute_queue_pkey primary key (mark)
);
create index developer_recompute_queue_developer on developer_recompute_queue (developer_id);

create table developers (
	developer_id integer not null,
	canonical_name text not null,
	tier text not null,
	aliases text[] not null,
	known boolean not null,
	version bigint not null,
	company_kind text,
	constraint developers_pkey primary key (developer_id)
);
create index developers_canonical_name on developers (lower(canonical_name));

create table energy_community_counties (
	file_id bigint not null,
	fips text not null,
	statistical boolean not null,
	area text,
	vintage text,
	note text,
	file_row integer not null,
	filed jsonb not null,
	constraint energy_community_counties_pkey primary key (file_id, fips),
	constraint energy_community_counties_file_id_fkey foreign key (file_id) references reference_files(id) on delete cascade,
	constraint energy_community_counties_fips_check check ((fips ~ '^\d{5}$'::text))
);

create table feeds (
	feed text not null,
	as_of timestamptz not null,
	snapshot_id bigint not null,
	constraint feeds_pkey primary key (feed)
);

create table filed_interconnection_costs (
	file_id bigint not null,
	project_id text,
	region text,
	queue_key text,
	cost_usd_per_kw double precision not null,
	as_of date,
	source text,
	study text,
	dollars_year integer,
	poi_usd_per_kw double precision,
	network_usd_per_kw double precision,
	constraint filed_interconnection_costs_file_id_project_id_region_queue_key unique nulls not distinct (file_id, project_id, region, queue_key, as_of),
	constraint filed_interconnection_costs_file_id_fkey foreign key (file_id) references reference_files(id) on delete cascade,
	constraint filed_interconnection_costs_check check (((num_nonnulls(project_id, queue_key) = 1) and (num_nonnulls(region, queue_key) = any (array[0, 2])))),
	constraint filed_interconnection_costs_cost_usd_per_kw_check check (((cost_usd_per_kw >= (0)::double precision) and (cost_usd_per_kw <= (20000)::double precision)))
);
create index filed_interconnection_costs_project on filed_interconnection_costs (project_id) where (project_id is not null);
create index filed_interconnection_costs_queue on filed_interconnection_costs (region, queue_key) where (queue_key is not null);

create table filings (
	accession_number text not null,
	filing_date date not null,
	issuer_name text not null,
	event_type text not null,
	item_codes text[] not null,
	first_told boolean not null,
	developer_id integer,
	version bigint not null,
	subsidiary_bankruptcy boolean,
	constraint filings_pkey primary key (accession_number)
);
create index filings_developer on filings (developer_id) where (developer_id is not null);

create table inbox (
	event_id text not null,
	reaction text not null,
	received_at timestamptz not null default now(),
	constraint inbox_pkey primary key (event_id, reaction)
);
create index inbox_received_at on inbox (received_at);

create table interconnection_costs (
	project_id text not null,
	cost_usd_per_kw double precision not null,
	as_of date,
	source text,
	sha256 text not null,
	study text,
	dollars_year integer,
	poi_usd_per_kw double precision,
	network_usd_per_kw double precision,
	constraint interconnection_costs_pkey primary key (project_id),
	constraint interconnection_costs_project_id_fkey foreign key (project_id) references projects(project_id) on delete cascade
);

create table low_income_counties (
	file_id bigint not null,
	fips text not null,
	low_income integer not null,
	tracts integer,
	constraint low_income_counties_pkey primary key (file_id, fips),
	constraint low_income_counties_file_id_fkey foreign key (file_id) references reference_files(id) on delete cascade,
	constraint low_income_counties_check check ((tracts >= low_income)),
	constraint low_income_counties_fips_check check ((fips ~ '^\d{5}$'::text)),
	constraint low_income_counties_low_income_check check ((low_income >= 0))
);

create table low_income_tracts (
	file_id bigint not null,
	tract text not null,
	share double precision not null,
	file_row integer not null,
	filed jsonb not null,
	constraint low_income_tracts_pkey primary key (file_id, tract),
	constraint low_income_tracts_file_id_fkey foreign key (file_id) references reference_files(id) on delete cascade,
	constraint low_income_tracts_share_check check (((share > (0)::double precision) and (share <= (1)::double precision))),
	constraint low_income_tracts_tract_check check ((tract ~ '^\d{11}$'::text))
);

create table migrations (
	name text not null,
	sha256 text not null,
	applied_at timestamptz not null default now(),
	constraint migrations_pkey primary key (name)
);

create table outbox (
	id bigint not null generated always as identity,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	created_at timestamptz not null default now(),
	constraint outbox_pkey primary key (id)
);

create table project_recompute_queue (
	mark bigint not null generated always as identity,
	project_id text not null,
	constraint project_recompute_queue_pkey primary key (mark)
);
create index project_recompute_queue_project on project_recompute_queue (project_id);

create table projects (
	project_id text not null,
	feed text not null,
	queue_id text not null,
	name text,
	region text not null,
	kind text not null,
	state text,
	county text,
	counties text[] not null,
	fips text,
	developer text,
	developer_id integer,
	developer_canonical text,
	developer_tier text not null,
	type_std text not null,
	status text,
	status_std text not null,
	listed text not null,
	capacity_mw double precision,
	queue_date date,
	cod date,
	ia_date date,
	security_posted boolean,
	construction_stage text not null,
	construction_stage_confidence double precision not null,
	study_phase text,
	study_phase_filed text,
	ia_status text not null,
	ia_status_filed text,
	poi text,
	utility text,
	lat double precision,
	lon double precision,
	located boolean not null,
	cod_changes jsonb not null,
	cod_slip_days integer,
	snapshot_id bigint,
	shown boolean not null default false,
	last_changed_at timestamptz not null,
	version bigint not null,
	open boolean not null generated always as (((kind = 'generation'::text) and (listed = 'listed'::text) and (status_std = any (array['Active'::text, 'Suspended'::text])))) stored,
	twin_key text generated always as (
case
    when ((kind = 'generation'::text) and (listed = 'listed'::text) and (status_std = 'Active'::text)) then md5(((((((((((region || '|'::text) || lower(coalesce(name, ''::text))) || '|'::text) || lower(poi)) || '|'::text) || type_std) || '|'::text) || (capacity_mw)::text) || '|'::text) || (queue_date - '2000-01-01'::date)))
    else null::text
end) stored,
	plant_state text,
	status_flag text,
	request_class text,
	added_type_std text,
	incremental_mw double precision,
	components jsonb not null default '[]'::jsonb,
	plant_state_basis text,
	plant_report text,
	plant_reported_on date,
	construction_begun_by date,
	constraint projects_pkey primary key (project_id),
	constraint projects_cod_changes_check check ((jsonb_typeof(cod_changes) = 'array'::text))
);
create index projects_developer on projects (developer_id) where (developer_id is not null);
create index projects_feed on projects (feed) where open;
create index projects_queue_key on projects (region, queue_key(queue_id));
create index projects_twin on projects (twin_key) where (twin_key is not null);
create trigger projects_arrived after insert on projects referencing new table as arrived for each statement execute function cost_new_projects();
create trigger projects_place after update on projects for each row when (((((old.region is distinct FROM new.region) or (old.state is distinct FROM new.state)) or (old.type_std is distinct FROM new.type_std)) or (old.capacity_mw is distinct FROM new.capacity_mw))) execute function move_place();
create trigger projects_renumbered after update of queue_id, region on projects for each row when (((old.queue_id is distinct FROM new.queue_id) or (old.region is distinct FROM new.region))) execute function cost_renumbered_project();

create table published_events (
	seq bigint not null,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	published_at timestamptz not null default now(),
	constraint published_events_pkey primary key (seq)
);

create table published_scores (
	project_id text not null,
	version bigint not null,
	payload jsonb not null,
	constraint published_scores_pkey primary key (project_id)
);

create table raise_months (
	month date not null,
	filings integer not null,
	whole boolean not null generated always as ((filings >= 2000)) stored,
	constraint raise_months_pkey primary key (month)
);

create table raises (
	accession_number text not null,
	filing_date date not null,
	issuer_name text not null,
	is_amendment boolean not null,
	is_latest boolean not null,
	total_offering_amount double precision,
	total_amount_sold double precision,
	developer_id integer,
	match_method text not null,
	version bigint not null,
	constraint raises_pkey primary key (accession_number)
);
create index raises_developer on raises (developer_id, filing_date) where (developer_id is not null);
create index raises_filing_date on raises (filing_date);

create table reference_files (
	id bigint not null generated always as identity,
	sha256 text not null,
	name text not null,
	size_bytes bigint not null,
	source text not null,
	kind text not null,
	notice text,
	valid_from date,
	published_on date,
	rows_in integer not null,
	rows integer not null,
	complete boolean not null,
	sample boolean not null,
	dropped jsonb not null,
	layout jsonb,
	loaded_at timestamptz not null,
	constraint reference_files_pkey primary key (id),
	constraint reference_files_source_sha256_key unique (source, sha256),
	constraint reference_files_dropped_check check ((jsonb_typeof(dropped) = 'array'::text)),
	constraint reference_files_kind_check check ((kind = any (array['counties'::text, 'coal-tracts'::text, 'places'::text, 'low-income'::text, 'ic-costs'::text]))),
	constraint reference_files_source_check check ((source = any (array['energy-communities'::text, 'low-income'::text, 'ic-costs'::text])))
);

create table reference_sources (
	source text not null,
	last_success_at timestamptz,
	last_checked_at timestamptz,
	last_changed_at timestamptz,
	last_outcome text,
	last_reason text,
	constraint reference_sources_pkey primary key (source),
	constraint reference_sources_last_outcome_check check ((last_outcome = any (array['applied'::text, 'unchanged'::text, 'refused'::text]))),
	constraint reference_sources_source_check check ((source = any (array['energy-communities'::text, 'low-income'::text, 'ic-costs'::text])))
);

create table reference_versions (
	single boolean not null default true,
	version bigint not null,
	edition uuid not null default gen_random_uuid(),
	constraint reference_versions_pkey primary key (single),
	constraint reference_versions_single_check check (single)
);

create table score_versions (
	project_id text not null,
	published_at timestamptz not null,
	published_until timestamptz not null default 'infinity'::timestamptz,
	score_version integer not null,
	score integer not null,
	grade text not null,
	investable boolean not null,
	inputs jsonb not null,
	inputs_hash text not null,
	credit jsonb not null,
	request jsonb,
	p_cod_36 double precision,
	constraint score_versions_pkey primary key (project_id, published_at)
);

create table scores (
	score_version integer not null,
	project_id text not null,
	score integer not null,
	grade text not null,
	investable boolean not null,
	eligible boolean not null,
	developer_tier smallint not null,
	milestone_progress smallint not null,
	tax_credit_value smallint not null,
	iso_posture smallint not null,
	deal_cleanliness smallint not null,
	inputs jsonb not null,
	inputs_hash text not null,
	scored_at timestamptz not null,
	project_region text,
	project_state text,
	project_type_std text,
	project_capacity_mw double precision,
	p_cod_24 double precision,
	p_cod_24_low double precision,
	p_cod_24_high double precision,
	p_cod_36 double precision,
	p_cod_36_low double precision,
	p_cod_36_high double precision,
	p_energized_24 double precision,
	p_energized_24_low double precision,
	p_energized_24_high double precision,
	p_energized_36 double precision,
	p_energized_36_low double precision,
	p_energized_36_high double precision,
	comparable_requests integer,
	p_reason text,
	cod_months double precision,
	incremental_mw double precision,
	constraint scores_pkey primary key (project_id, score_version),
	constraint scores_project_id_fkey foreign key (project_id) references projects(project_id) on delete cascade,
	constraint scores_score_check check (((score >= 0) and (score <= 100)))
);
create index scores_eligible on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where eligible;
create index scores_investable on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where investable;
create index scores_investable_region on scores (score_version, project_region, score desc, project_capacity_mw desc nulls last, project_id) where investable;
create index scores_investable_state on scores (score_version, project_state, score desc, project_capacity_mw desc nulls last, project_id) where investable;

create table settings (
	single boolean not null default true,
	active_version integer not null,
	computed_on date,
	references_version bigint not null default 0,
	sample_until bigint not null default 0,
	constraint settings_pkey primary key (single),
	constraint settings_single_check check (single)
);

create table transfers (
	ma_event_id bigint not null,
	event_type text not null,
	effective_on date not null,
	seller_canonical text,
	buyer_canonical text,
	confidence text not null,
	retracted boolean not null,
	version bigint not null,
	constraint transfers_pkey primary key (ma_event_id)
);
create index transfers_buyer on transfers (buyer_canonical);
create index transfers_seller on transfers (seller_canonical);

-- view credited_requests (project_id text, credit_type text, credit_status text, effective_rate double precision, estimated_value double precision, id text, region text, state text, type_std text, capacity_mw double precision, investable boolean, investability_score integer, queue_id text, name text, counties text[], fips text, developer text, developer_id integer, developer_canonical text, developer_tier text, status text, status_std text, poi text, queue_date date, last_changed_at timestamptz, lat double precision, lon double precision, construction_stage text, construction_stage_confidence double precision, study_phase text, study_phase_filed text, ia_status text, ia_status_filed text, energy_community_eligible boolean, low_income_eligible boolean, tax_credit_pct double precision, needs_capital boolean, plant_state text, request_class text, kind text, listed text, status_flag text, p_credit double precision, expected_value double precision, cod date, ia_date date)
-- view interconnection_cost_ranges (rule text, region text, place_key text, place text, type_std text, n integer, p25 double precision, median double precision, p75 double precision, studied_from date, studied_to date, dollars_year integer)
-- view scored_requests (project_id text, score_version integer, score integer, investable boolean, eligible boolean, project_capacity_mw double precision, id text, region text, state text, type_std text, capacity_mw double precision, investability_score integer, queue_id text, name text, counties text[], fips text, developer text, developer_id integer, developer_canonical text, developer_tier text, status text, status_std text, poi text, queue_date date, last_changed_at timestamptz, lat double precision, lon double precision, construction_stage text, construction_stage_confidence double precision, study_phase text, study_phase_filed text, ia_status text, ia_status_filed text, energy_community_eligible boolean, low_income_eligible boolean, tax_credit_pct double precision, needs_capital boolean, plant_state text, request_class text, kind text, listed text, status_flag text, p_cod_36 double precision, cod_months double precision, incremental_mw double precision, cod date, ia_date date)
-- view shown_ratings (developer_id integer, counts jsonb, coverage jsonb, distress_level text, distress_score integer, distress_components jsonb, needs_capital boolean, needs_capital_reasons text[], tax_credit_activity text, requests integer, operational_mw double precision, capital_raised double precision, capital_per_operational_mw double precision, canonical_name text, tier text, aliases text[], capacity_mw double precision, company_kind text, late_stage_mw double precision)
-- view source_records (source text, records bigint, last_checked_at timestamptz, last_changed_at timestamptz, last_success_at timestamptz, last_outcome text)
-- function cost_new_projects() returns trigger
-- function cost_renumbered_project() returns trigger
-- function distance_km(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision) returns double precision
-- function iso(moment timestamptz) returns text
-- function move_place() returns trigger
-- function mw(total double precision) returns double precision
-- function newest_costs(ids text[]) returns SETOF interconnection_costs
-- function place_key(name text) returns text
-- function queue_key(number text) returns text
