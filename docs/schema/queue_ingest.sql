-- The schema queue_ingest after all migrations. Generated: UPDATE_SNAPSHOT=1 npx vitest run --project integration test/postgres/schema.test.ts

create table change_counts (
	detected_at timestamptz not null,
	region text not null,
	kind text,
	change_type text not null,
	changes bigint not null,
	capacity_mw numeric not null
);
create unique index change_counts_group on change_counts (detected_at, region, kind, change_type) nulls not distinct;
create index change_counts_new on change_counts (detected_at) include (region, changes, capacity_mw) where ((change_type = 'new_project'::text) and (coalesce(kind, 'generation'::text) = 'generation'::text) and (changes > 0));
create trigger change_counts_days_delete after delete on change_counts referencing old table as removed for each statement execute function count_change_days();
create trigger change_counts_days_insert after insert on change_counts referencing new table as added for each statement execute function count_change_days();
create trigger change_counts_days_truncate after truncate on change_counts for each statement execute function forget_counts('change_days');
create trigger change_counts_days_update after update on change_counts referencing old table as removed new table as added for each statement execute function count_change_days();

create table change_days (
	day date not null,
	change_type text not null,
	changes bigint not null,
	constraint change_days_pkey primary key (day, change_type)
);

create table changes (
	seq bigint not null,
	snapshot_id bigint not null,
	detected_at timestamptz not null,
	region text not null,
	feed text not null,
	project_id text,
	version bigint,
	queue_id text,
	kind text,
	change_type text not null,
	field_name text,
	old_value text,
	new_value text,
	project_name text,
	developer_canonical text,
	capacity_mw double precision,
	type_std text,
	state text,
	backfilled boolean not null default false,
	constraint changes_pkey primary key (seq),
	constraint changes_snapshot_id_fkey foreign key (snapshot_id) references snapshots(id)
);
create index changes_cod on changes (project_id, seq) where (field_name = 'cod'::text);
create index changes_detected_at on changes (detected_at desc, seq desc);
create index changes_project on changes (project_id);
create index changes_region on changes (region, detected_at desc, seq desc) include (change_type);
create index changes_type on changes (change_type, detected_at desc, seq desc);
create trigger changes_counted_delete after delete on changes referencing old table as removed for each statement execute function count_changes();
create trigger changes_counted_insert after insert on changes referencing new table as added for each statement execute function count_changes();
create trigger changes_counted_truncate after truncate on changes for each statement execute function forget_counts('change_counts');
create trigger changes_counted_update after update on changes referencing old table as removed new table as added for each statement execute function count_changes();
create trigger changes_withdrawals after insert on changes referencing new table as added for each statement execute function keep_withdrawals();

create table company_evidence (
	source text not null,
	edition text not null,
	row_number integer not null,
	"position" integer not null,
	raw_name text not null,
	parent_name text,
	share double precision,
	location text,
	registrant_cik bigint,
	utility_id integer,
	ownership_type text,
	attribution text,
	sha256 text not null,
	constraint company_evidence_pkey primary key (source, edition, row_number, "position"),
	constraint company_evidence_sha256_fkey foreign key (sha256) references raw_files(sha256),
	constraint company_evidence_source_check check ((source = any (array['eia_861'::text, 'gem'::text, 'sec_exhibit_21'::text, 'sec_company_tickers'::text])))
);
create index company_evidence_name on company_evidence (spelling(raw_name));

create table corrections (
	correction_id integer not null generated always as identity,
	about text not null,
	project_id text,
	full_key text,
	raw_name text,
	scheme text,
	value text,
	developer_id integer,
	author text not null,
	made_at timestamptz not null,
	reason text not null,
	evidence_url text,
	dispute_id integer,
	ended_at timestamptz,
	ended_by text,
	ended_reason text,
	constraint corrections_pkey primary key (correction_id),
	constraint corrections_developer_id_fkey foreign key (developer_id) references developers(developer_id) on delete cascade,
	constraint corrections_dispute_id_fkey foreign key (dispute_id) references disputes(dispute_id) on delete set null,
	constraint corrections_about_check check ((about = any (array['request'::text, 'name'::text, 'identifier'::text]))),
	constraint corrections_check check (
case about
    when 'request'::text then (project_id is not null)
    when 'name'::text then ((full_key is not null) and (raw_name is not null))
    else ((scheme is not null) and (value is not null))
end)
);
create unique index corrections_identifier on corrections (scheme, value) where ((about = 'identifier'::text) and (ended_at is null));
create unique index corrections_name on corrections (full_key) where ((about = 'name'::text) and (ended_at is null));
create unique index corrections_request on corrections (project_id) where ((about = 'request'::text) and (ended_at is null));

create table county_totals (
	county text not null,
	state text,
	fips text not null,
	lower_county text not null,
	projects bigint not null,
	capacity_mw numeric not null
);
create unique index county_totals_county on county_totals (county, state, fips) nulls not distinct;

create table data_version (
	single boolean not null default true,
	version bigint not null,
	raised_at timestamptz not null default now(),
	constraint data_version_pkey primary key (single),
	constraint data_version_single_check check (single)
);

create table datacenter_facilities (
	id text not null,
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	as_of date,
	same_as text,
	name text,
	name_key text,
	operator text,
	status text,
	status_filed text,
	facility_type text,
	address text,
	address_key text,
	city text,
	county text,
	state text not null,
	lat double precision,
	lon double precision,
	location_precision text,
	capacity_mw double precision,
	energy_low_mwh_year double precision,
	energy_high_mwh_year double precision,
	market text,
	year_opened integer,
	constraint datacenter_facilities_pkey primary key (id)
);
create index datacenter_facilities_edition on datacenter_facilities (source, edition);
create index datacenter_facilities_name on datacenter_facilities (state, name_key);
create index datacenter_facilities_same_as on datacenter_facilities (same_as) where (same_as is not null);

create table datacenter_proposals (
	id text not null,
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	as_of date,
	name text not null,
	proposal_type text,
	status_std text,
	status text,
	outcome_detail text,
	capacity_mw double precision,
	companies text[] not null,
	town text,
	address text,
	county text,
	counties text[] not null,
	state text not null,
	lat double precision,
	lon double precision,
	location_precision text,
	size_acres double precision,
	announced text,
	opening_year integer,
	zoning_allowed boolean,
	land_sold boolean,
	own_generation boolean,
	updated_on date,
	constraint datacenter_proposals_pkey primary key (id)
);
create index datacenter_proposals_state on datacenter_proposals (state);

create table dataset_editions (
	feed text not null,
	edition text not null,
	database text not null,
	sha256 text not null,
	snapshot_id bigint not null,
	published_on date,
	rows_in integer not null,
	parsed integer not null,
	stored integer not null,
	applied_at timestamptz not null,
	constraint dataset_editions_pkey primary key (feed, edition),
	constraint dataset_editions_sha256_fkey foreign key (sha256) references raw_files(sha256),
	constraint dataset_editions_database check ((database = any (array['dg'::text, 'datacenter'::text, 'market'::text, 'grid'::text, 'master'::text]))) not VALID
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

create table deleted_projects (
	id text not null,
	deleted_at timestamptz not null default now(),
	version bigint not null,
	constraint deleted_projects_pkey primary key (id)
);

create table developer_aliases (
	developer_id integer not null,
	alias text not null,
	ambiguous boolean not null,
	origin text not null,
	constraint developer_aliases_pkey primary key (developer_id, alias),
	constraint developer_aliases_developer_id_fkey foreign key (developer_id) references developers(developer_id),
	constraint developer_aliases_origin_check check ((origin = any (array['register'::text, 'former'::text])))
);

create table developer_identifiers (
	scheme text not null,
	value text not null,
	developer_id integer not null,
	method text not null,
	confidence double precision not null,
	evidence text not null,
	source text not null,
	constraint developer_identifiers_pkey primary key (scheme, value),
	constraint developer_identifiers_developer_id_fkey foreign key (developer_id) references developers(developer_id) on delete cascade,
	constraint developer_identifiers_scheme_check check ((scheme = any (array['cik'::text, 'lei'::text, 'eia_utility'::text, 'eia_entity'::text])))
);
create index developer_identifiers_developer on developer_identifiers (developer_id);

create table developer_links (
	raw_name text not null,
	full_key text not null,
	outcome text not null,
	developer_id integer,
	method text,
	confidence double precision,
	matched_text text,
	is_shell boolean not null,
	family text,
	candidates jsonb,
	reason text,
	linked_at timestamptz not null default now(),
	constraint developer_links_pkey primary key (raw_name),
	constraint developer_links_developer_id_fkey foreign key (developer_id) references developers(developer_id),
	constraint developer_links_check check (((developer_id is not null) = (outcome = any (array['matched'::text, 'new'::text])))),
	constraint developer_links_outcome_check check ((outcome = any (array['matched'::text, 'review'::text, 'shell'::text, 'new'::text, 'none'::text])))
);
create index developer_links_developer on developer_links (developer_id);
create index developer_links_full_key on developer_links (full_key);

create table developers (
	developer_id integer not null generated always as identity,
	canonical_name text not null,
	full_key text not null,
	tier text not null,
	headquarters_state text,
	parent_company text,
	parent_name text,
	certainty text,
	known boolean not null,
	ambiguous boolean not null default false,
	contact_published boolean not null default false,
	prefixes text[] not null default '{}'::text[],
	portfolio jsonb not null,
	total_projects integer not null generated always as (((portfolio ->> 'total_projects'::text))::integer) stored,
	active_capacity_mw double precision not null generated always as (((portfolio ->> 'active_capacity_mw'::text))::double precision) stored,
	completion_rate double precision generated always as (((portfolio ->> 'completion_rate'::text))::double precision) stored,
	needs_capital boolean,
	tax_credit_activity text,
	distress_level text,
	rated_version bigint not null default 0,
	version bigint not null default 1,
	updated_at timestamptz not null default now(),
	company_kind text not null default 'sponsor'::text,
	company_group text,
	constraint developers_pkey primary key (developer_id),
	constraint developers_canonical_name_key unique (canonical_name),
	constraint developers_full_key_key unique (full_key),
	constraint developers_certainty_check check ((certainty = any (array['seen'::text, 'known'::text]))),
	constraint developers_company_kind_check check ((company_kind = any (array['sponsor'::text, 'special_purpose'::text])))
);
create index developers_listed_capacity on developers (total_projects desc nulls last, active_capacity_mw desc, developer_id) where (known or (total_projects > 0));

create table dg_records (
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	id text not null,
	kind text not null,
	program text,
	state text,
	county text,
	fips text,
	area text,
	area_type text,
	utility_id integer,
	utility text,
	balancing_authority text,
	technology text,
	technology_filed text,
	sector text,
	capacity_mw double precision,
	capacity_basis text,
	customers integer,
	facilities integer,
	generators integer,
	energy_sold_back_mwh double precision,
	backup_mw double precision,
	utility_owned_mw double precision,
	adjustment boolean not null,
	in_totals boolean not null,
	year integer,
	constraint dg_records_pkey primary key (id),
	constraint dg_records_kind_check check ((kind = any (array['utility_total'::text, 'area_total'::text])))
);
create index dg_records_source on dg_records (source, edition);

create table disputes (
	dispute_id integer not null generated always as identity,
	about text not null,
	project_id text,
	field text,
	developer_id integer,
	scheme text,
	value text,
	stated text,
	proposed text,
	reason text not null,
	evidence_url text not null,
	filer text,
	state text not null default 'open'::text,
	opened_at timestamptz not null,
	settled_at timestamptz,
	settled_by text,
	decision text,
	constraint disputes_pkey primary key (dispute_id),
	constraint disputes_developer_id_fkey foreign key (developer_id) references developers(developer_id) on delete cascade,
	constraint disputes_about_check check ((about = any (array['project_field'::text, 'developer_link'::text, 'identifier'::text, 'ownership'::text]))),
	constraint disputes_check check (((state = 'open'::text) = (settled_at is null))),
	constraint disputes_state_check check ((state = any (array['open'::text, 'accepted'::text, 'refused'::text])))
);
create index disputes_filer on disputes (filer, opened_at) where (filer is not null);
create index disputes_open on disputes (opened_at) where (state = 'open'::text);

create table eia_schedules (
	year integer not null,
	schedule text not null,
	sha256 text not null,
	early_release boolean not null,
	published_on date,
	stored integer not null,
	loaded_at timestamptz not null default now(),
	constraint eia_schedules_pkey primary key (year, schedule),
	constraint eia_schedules_sha256_fkey foreign key (sha256) references raw_files(sha256),
	constraint eia_schedules_schedule_check check ((schedule = any (array['utility'::text, 'plant'::text, 'generator'::text, 'wind'::text, 'solar'::text, 'storage'::text, 'multifuel'::text, 'owner'::text])))
);

create table feeds (
	feed text not null,
	region text,
	applied_as_of timestamptz,
	applied_sha256 text,
	published_on date,
	requests integer not null default 0,
	etag text,
	last_modified text,
	last_checked_at timestamptz,
	last_success_at timestamptz,
	last_changed_at timestamptz,
	last_outcome text,
	last_reason text,
	paused boolean not null default false,
	constraint feeds_pkey primary key (feed)
);

create table filed_rows (
	project_id text not null,
	feed text not null,
	cells jsonb not null,
	constraint filed_rows_pkey primary key (project_id, feed),
	constraint filed_rows_project_id_fkey foreign key (project_id) references projects(id) on delete cascade deferrable initially deferred
);

create table generator_ownership (
	plant_id integer not null,
	generator_id text not null,
	year integer not null,
	version bigint not null,
	recorded_at timestamptz not null default now(),
	body text not null,
	constraint generator_ownership_pkey primary key (plant_id, generator_id, year)
);

create table generators (
	year integer not null,
	schedule text not null,
	plant_id integer not null,
	generator_id text not null,
	stage text not null,
	status text,
	technology text,
	prime_mover text,
	utility_id integer,
	utility_name text,
	plant_name text,
	state text,
	county text,
	capacity_mw double precision,
	summer_mw double precision,
	operating_year integer,
	constraint generators_pkey primary key (year, schedule, plant_id, generator_id),
	constraint generators_stage_check check ((stage = any (array['operable'::text, 'proposed'::text, 'retired'::text])))
);
create index generators_plant_id on generators (plant_id, year desc);
create index generators_unit on generators (plant_id, generator_id, year);

create table grid_units (
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	plant_id integer not null,
	generator_id text not null,
	entity_id integer,
	entity_name text,
	producer_type text,
	plant_name text,
	state text,
	technology text,
	prime_mover text,
	summer_mw double precision,
	capacity_mw double precision,
	status text,
	year integer,
	month integer,
	lat double precision,
	lon double precision,
	constraint grid_units_pkey primary key (source, edition, plant_id, generator_id)
);
create index grid_units_plant on grid_units (plant_id);

create table identified_editions (
	only_row boolean not null default true,
	editions text not null,
	constraint identified_editions_pkey primary key (only_row),
	constraint identified_editions_only_row_check check (only_row)
);

create table inbox (
	event_id text not null,
	reaction text not null,
	received_at timestamptz not null default now(),
	constraint inbox_pkey primary key (event_id, reaction)
);
create index inbox_received_at on inbox (received_at);

create table lbnl_requests (
	entity text not null,
	q_id text not null,
	repeat integer not null,
	lbnl_region text,
	key text not null,
	status_std text not null,
	request jsonb not null,
	constraint lbnl_requests_pkey primary key (entity, q_id, repeat)
);
create index lbnl_requests_key on lbnl_requests (lbnl_region, key);

create table linked_editions (
	only_row boolean not null default true,
	editions text not null,
	linked_at timestamptz not null default now(),
	constraint linked_editions_pkey primary key (only_row),
	constraint linked_editions_only_row_check check (only_row)
);

create table mapped_words (
	mapped_id integer not null generated always as identity,
	feed text not null,
	field text not null,
	word text not null,
	word_key text not null,
	means text not null,
	author text not null,
	made_at timestamptz not null,
	ended_at timestamptz,
	ended_by text,
	constraint mapped_words_pkey primary key (mapped_id)
);
create unique index mapped_words_standing on mapped_words (feed, field, word_key) where (ended_at is null);

create table market_days (
	iso text not null,
	market text not null,
	hub_id text not null,
	local_date date not null,
	hours smallint not null,
	whole_hours smallint not null,
	hours_of_day smallint not null,
	lmp_sum double precision not null,
	lmp_min double precision not null,
	lmp_max double precision not null,
	energy_sum double precision,
	congestion_sum double precision,
	loss_sum double precision,
	first_at timestamptz not null,
	last_at timestamptz not null,
	published_on date,
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	constraint market_days_pkey primary key (iso, market, hub_id, local_date)
);
create index market_days_date on market_days (local_date, iso, hub_id, market);

create table market_hubs (
	iso text not null,
	hub_id text not null,
	hub text not null,
	hub_type text not null,
	timezone text not null,
	finest_interval text not null,
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	constraint market_hubs_pkey primary key (iso, hub_id),
	constraint market_hubs_finest_interval_check check ((finest_interval = any (array['hour'::text, 'month'::text]))),
	constraint market_hubs_hub_type_check check ((hub_type = any (array['hub'::text, 'zone'::text, 'interface'::text, 'node'::text])))
);

create table market_prices (
	source text not null,
	edition text not null,
	hub_id text not null,
	starts_at timestamptz not null,
	iso text not null,
	market text not null,
	local_date date not null,
	hour_ending text not null,
	lmp double precision not null,
	energy double precision,
	congestion double precision,
	loss double precision,
	minutes smallint not null,
	version integer,
	published_on date,
	snapshot_id bigint not null,
	served boolean not null default false,
	constraint market_prices_pkey primary key (source, edition, hub_id, starts_at),
	constraint market_prices_market_check check ((market = any (array['day_ahead'::text, 'real_time'::text, 'real_time_commitment'::text]))),
	constraint market_prices_minutes_check check (((minutes >= 1) and (minutes <= 60)))
);
create index market_prices_day on market_prices (iso, market, hub_id, local_date);
create index market_prices_newest on market_prices (starts_at, iso, hub_id, market) where served;
create unique index market_prices_served on market_prices (iso, market, hub_id, starts_at) where served;

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

create table plant_owners (
	year integer not null,
	plant_id integer not null,
	generator_id text not null,
	"position" integer not null,
	owner_id integer,
	owner_name text not null,
	fraction double precision,
	owner_street text,
	owner_city text,
	owner_state text,
	owner_zip text,
	status text,
	plant_name text,
	state text,
	utility_id integer,
	utility_name text,
	constraint plant_owners_pkey primary key (year, plant_id, generator_id, "position")
);

create table plants (
	year integer not null,
	plant_id integer not null,
	name text,
	utility_id integer,
	utility_name text,
	street text,
	city text,
	state text,
	zip text,
	county text,
	lat double precision,
	lon double precision,
	nerc_region text,
	balancing_authority text,
	sector text,
	grid_owner text,
	grid_voltage_kv double precision,
	constraint plants_pkey primary key (year, plant_id)
);
create index plants_plant_id on plants (plant_id, year desc);
create index plants_state on plants (state);

create table project_aliases (
	project_id text not null,
	number text not null,
	region text not null,
	key text not null,
	first_seen_at timestamptz not null,
	constraint project_aliases_pkey primary key (project_id, number),
	constraint project_aliases_project_id_fkey foreign key (project_id) references projects(id) deferrable initially deferred
);
create index project_aliases_key on project_aliases (region, key);

create table project_counts (
	kind text not null,
	listed text not null,
	region text not null,
	state text,
	type_std text not null,
	status_std text not null,
	status text,
	projects bigint not null,
	capacity_mw numeric not null
);
create unique index project_counts_group on project_counts (kind, listed, region, state, type_std, status_std, status) nulls not distinct;

create table project_developers (
	project_id text not null,
	developer_id integer not null,
	method text not null,
	confidence double precision not null,
	company text not null,
	evidence text not null,
	plant_id integer,
	constraint project_developers_pkey primary key (project_id),
	constraint project_developers_developer_id_fkey foreign key (developer_id) references developers(developer_id),
	constraint project_developers_project_id_fkey foreign key (project_id) references projects(id) on delete cascade
);
create index project_developers_developer on project_developers (developer_id);

create table project_plants (
	project_id text not null,
	plant_id integer not null,
	method text not null,
	confidence double precision not null,
	evidence text not null,
	link_kind text not null default 'direct'::text,
	constraint project_plants_pkey primary key (project_id),
	constraint project_plants_project_id_fkey foreign key (project_id) references projects(id) on delete cascade,
	constraint project_plants_link_kind_check check ((link_kind = any (array['direct'::text, 'one_of'::text, 'part'::text])))
);
create index project_plants_plant on project_plants (plant_id);

create table project_versions (
	entry bigint not null generated always as identity,
	project_id text not null,
	version bigint not null,
	snapshot_id bigint not null,
	valid_from timestamptz not null,
	valid_to timestamptz,
	derived boolean not null default false,
	queue_id text,
	name text,
	region text,
	state text,
	county text,
	counties text[],
	fips text,
	developer text,
	developer_tier text,
	developer_id integer,
	developer_canonical text,
	type text,
	type_std text,
	kind text,
	status text,
	status_std text,
	status_basis text,
	status_evidence text,
	status_flag text,
	listed text,
	capacity_mw double precision,
	components jsonb not null default '[]'::jsonb,
	summer_mw double precision,
	winter_mw double precision,
	queue_date date,
	cod date,
	actual_cod date,
	withdrawn_date date,
	ia_date date,
	backfeed_date date,
	energized_date date,
	security_posted boolean,
	construction_stage text,
	construction_stage_confidence double precision,
	study_phase text,
	study_phase_filed text,
	ia_status text,
	ia_status_filed text,
	poi text,
	utility text,
	cluster text,
	service text,
	lat double precision,
	lon double precision,
	location_precision text,
	energy_community_eligible boolean,
	low_income_eligible boolean,
	domestic_content_eligible boolean,
	domestic_content_basis text,
	tax_credit_type text,
	tax_credit_status text,
	tax_credit_pct double precision,
	estimated_credit_value double precision,
	effective_credit_rate double precision,
	needs_capital boolean,
	investable boolean,
	investability_score integer,
	feed text,
	first_seen_at timestamptz,
	last_changed_at timestamptz,
	missing_since timestamptz,
	disappeared_at timestamptz,
	key text,
	unit text,
	row_hash text,
	plant_state text default 'unknown'::text,
	plant_state_basis text,
	plant_state_evidence text,
	request_class text default 'new'::text,
	incremental_mw double precision,
	operating_mw double precision,
	queue_date_current date,
	capacity_basis text default 'injection_limit'::text,
	added_type_std text,
	as_filed jsonb,
	poi_id text,
	plant_report text,
	plant_reported_on date,
	construction_begun_by date,
	p_cod_36 double precision,
	constraint project_versions_pkey primary key (entry)
);
create index project_versions_days on project_versions (project_id, valid_from desc);
create index project_versions_filed on project_versions (developer) where (developer is not null);
create index project_versions_in_order on project_versions (project_id, coalesce(valid_to, 'infinity'::timestamptz), valid_from) include (valid_to, entry, kind, listed);
create index project_versions_of_developer on project_versions (developer_id, coalesce(valid_to, 'infinity'::timestamptz), valid_from) where (developer_id is not null);
create index project_versions_of_moment on project_versions (slot_of(valid_from, valid_to), region, state, valid_from) include (valid_to, project_id, entry, kind, listed, type_std, status_std, status_flag, plant_state, request_class, capacity_mw, incremental_mw, operating_mw);
create index project_versions_version on project_versions (project_id, version);

create table projects (
	id text not null,
	queue_id text not null,
	region text not null,
	feed text not null,
	key text not null,
	unit text,
	kind text not null,
	name text,
	state text,
	county text,
	counties text[] not null default '{}'::text[],
	fips text,
	developer text,
	developer_tier text,
	developer_id integer,
	developer_canonical text,
	type text,
	type_std text not null,
	status text,
	status_std text not null,
	status_basis text,
	status_evidence text,
	status_flag text,
	capacity_mw double precision,
	components jsonb not null default '[]'::jsonb,
	summer_mw double precision,
	winter_mw double precision,
	queue_date date,
	cod date,
	actual_cod date,
	withdrawn_date date,
	ia_date date,
	backfeed_date date,
	energized_date date,
	security_posted boolean,
	construction_stage text not null,
	construction_stage_confidence double precision not null,
	study_phase text,
	study_phase_filed text,
	ia_status text not null,
	ia_status_filed text,
	poi text,
	utility text,
	cluster text,
	service text,
	lat double precision,
	lon double precision,
	location_precision text,
	energy_community_eligible boolean,
	low_income_eligible boolean,
	domestic_content_eligible boolean,
	domestic_content_basis text,
	tax_credit_type text,
	tax_credit_status text,
	tax_credit_pct double precision,
	estimated_credit_value double precision,
	effective_credit_rate double precision,
	needs_capital boolean,
	investable boolean,
	investability_score integer,
	score_seen bigint not null default 0,
	first_seen_at timestamptz not null,
	last_changed_at timestamptz not null,
	missing_since timestamptz,
	disappeared_at timestamptz,
	listed text not null default 'listed'::text,
	version bigint not null,
	raw jsonb not null default '{}'::jsonb,
	row_hash text not null,
	body text not null,
	plant_state text not null default 'unknown'::text,
	plant_state_basis text,
	plant_state_evidence text,
	request_class text not null default 'new'::text,
	incremental_mw double precision,
	operating_mw double precision,
	queue_date_current date,
	capacity_basis text not null default 'injection_limit'::text,
	added_type_std text,
	as_filed jsonb,
	poi_id text,
	plant_report text,
	plant_reported_on date,
	construction_begun_by date,
	p_cod_36 double precision,
	represented_by text,
	is_repeat boolean not null default false,
	constraint projects_pkey primary key (id),
	constraint projects_developer_id_fkey foreign key (developer_id) references developers(developer_id)
);
create index projects_agreed on projects (ia_date, id) include (kind, listed, region, state, type_std, status_std, capacity_mw, developer_id) where (ia_date is not null);
create index projects_by_developer on projects (developer_id, capacity_mw desc nulls last, id) include (kind, listed, status_std, queue_date, construction_stage) where (developer_id is not null);
create index projects_by_feed on projects (feed) include (missing_since);
create index projects_by_kind on projects (kind, id) where (kind <> 'generation'::text);
create index projects_by_region on projects (region, id) include (kind, listed, state, type_std, status_std, capacity_mw, queue_date, construction_stage);
create index projects_by_state on projects (state, id) include (kind, listed, region, type_std, status_std, capacity_mw, queue_date, construction_stage);
create index projects_covering on projects (id) include (kind, listed, region, state, type_std, status_std, capacity_mw, queue_date, cod, last_changed_at, lat, lon, fips, construction_stage, construction_stage_confidence, study_phase, ia_status, developer_id, developer_tier, energy_community_eligible, low_income_eligible, tax_credit_pct, effective_credit_rate, estimated_credit_value, needs_capital, investable, investability_score, p_cod_36);
create index projects_open on projects (region, id) include (state, type_std, kind, listed, status_std, status_flag, plant_state, request_class, capacity_mw, incremental_mw, operating_mw) where ((kind = 'generation'::text) and (listed = 'listed'::text) and ((status_std = 'Active'::text) or (plant_state = 'partially_operating'::text)));
create index projects_poi on projects (poi_id) include (kind) where (poi_id is not null);
create index projects_withdrawn on projects (withdrawn_date, id) include (kind, listed, region, state, type_std, status_std, capacity_mw, developer_id) where (withdrawn_date is not null);
create trigger projects_body_insert before insert on projects for each row execute function write_project_body();
create trigger projects_body_update before update on projects for each row when (((((((((((((((((((old.version is distinct FROM new.version) or (old.status_std is distinct FROM new.status_std)) or (old.status_evidence is distinct FROM new.status_evidence)) or (old.plant_state is distinct FROM new.plant_state)) or (old.plant_state_evidence is distinct FROM new.plant_state_evidence)) or (old.energy_community_eligible is distinct FROM new.energy_community_eligible)) or (old.low_income_eligible is distinct FROM new.low_income_eligible)) or (old.domestic_content_eligible is distinct FROM new.domestic_content_eligible)) or (old.domestic_content_basis is distinct FROM new.domestic_content_basis)) or (old.tax_credit_type is distinct FROM new.tax_credit_type)) or (old.tax_credit_status is distinct FROM new.tax_credit_status)) or (old.tax_credit_pct is distinct FROM new.tax_credit_pct)) or (old.estimated_credit_value is distinct FROM new.estimated_credit_value)) or (old.effective_credit_rate is distinct FROM new.effective_credit_rate)) or (old.needs_capital is distinct FROM new.needs_capital)) or (old.investable is distinct FROM new.investable)) or (old.p_cod_36 is distinct FROM new.p_cod_36)) or (old.investability_score is distinct FROM new.investability_score))) execute function write_project_body();
create trigger projects_counted_delete after delete on projects referencing old table as removed for each statement execute function count_projects();
create trigger projects_counted_insert after insert on projects referencing new table as added for each statement execute function count_projects();
create trigger projects_counted_truncate after truncate on projects for each statement execute function forget_counts('project_counts');
create trigger projects_counted_update after update on projects referencing old table as removed new table as added for each statement execute function count_projects();
create trigger projects_counties_truncate after truncate on projects for each statement execute function forget_counts('county_totals');
create trigger projects_deleted after delete on projects referencing old table as removed for each statement execute function remember_deleted();
create trigger projects_listed before insert or update of missing_since, disappeared_at on projects for each row execute function write_listed();
create trigger projects_searched_delete after delete on projects referencing old table as removed for each statement execute function forget_searched();
create trigger projects_searched_insert after insert on projects referencing new table as added for each statement execute function keep_searched();
create trigger projects_searched_truncate after truncate on projects for each statement execute function forget_counts('searched_projects');
create trigger projects_searched_update after update on projects for each row when (((((((((((old.id is distinct FROM new.id) or (old.kind is distinct FROM new.kind)) or (old.name is distinct FROM new.name)) or (old.queue_id is distinct FROM new.queue_id)) or (old.developer is distinct FROM new.developer)) or (old.poi is distinct FROM new.poi)) or (old.capacity_mw is distinct FROM new.capacity_mw)) or (old.county is distinct FROM new.county)) or (old.state is distinct FROM new.state)) or (old.fips is distinct FROM new.fips))) execute function renew_searched();
create trigger projects_totals_truncate after truncate on projects for each statement execute function forget_counts('queue_totals');
create trigger projects_withdrawals after update on projects for each row when (((('Withdrawn'::text = old.status_std) or ('Withdrawn'::text = new.status_std)) and ((((old.status_std is distinct FROM new.status_std) or (old.region is distinct FROM new.region)) or (old.developer_canonical is distinct FROM new.developer_canonical)) or (old.capacity_mw is distinct FROM new.capacity_mw)))) execute function refresh_withdrawal();

create table published_events (
	seq bigint not null,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	published_at timestamptz not null default now(),
	constraint published_events_pkey primary key (seq)
);

create table queue_totals (
	kind text not null,
	listed text not null,
	region text not null,
	type_std text not null,
	projects bigint not null,
	capacity_mw numeric not null,
	credit_eligible bigint not null,
	energy_community bigint not null,
	low_income bigint not null,
	credit_value numeric not null,
	conditional bigint not null,
	conditional_value numeric not null,
	high_value numeric not null,
	low_value numeric not null,
	constraint queue_totals_pkey primary key (kind, listed, region, type_std)
);

create table raw_files (
	sha256 text not null,
	bytes bytea not null,
	size_bytes bigint not null,
	archived_at timestamptz not null default now(),
	constraint raw_files_pkey primary key (sha256)
);

create table reconciled_editions (
	only_row boolean not null default true,
	basis text not null,
	computed_at timestamptz not null,
	constraint reconciled_editions_pkey primary key (only_row),
	constraint reconciled_editions_only_row_check check (only_row)
);

create table reconciliations (
	source text not null,
	region text not null,
	place integer not null,
	body jsonb not null,
	constraint reconciliations_pkey primary key (source, region)
);

create table register_edition (
	only_row boolean not null default true,
	sha256 text not null,
	applied_at timestamptz not null default now(),
	constraint register_edition_pkey primary key (only_row),
	constraint register_edition_only_row_check check (only_row)
);

create table request_relations (
	project_id text not null,
	other_id text not null,
	relation text not null,
	method text not null,
	confidence double precision not null,
	evidence text not null,
	constraint request_relations_pkey primary key (project_id, other_id),
	constraint request_relations_other_id_fkey foreign key (other_id) references projects(id) on delete cascade,
	constraint request_relations_project_id_fkey foreign key (project_id) references projects(id) on delete cascade
);
create index request_relations_other on request_relations (other_id);

create table request_reports (
	source text not null,
	edition text not null,
	snapshot_id bigint not null,
	region text not null,
	key text not null,
	type_std text not null,
	status_std text,
	on_date date,
	constraint request_reports_pkey primary key (source, edition, key)
);
create index request_reports_key on request_reports (region, key);

create table searched_projects (
	id text not null,
	lower_id text not null,
	lower_name text not null,
	lower_queue_id text not null,
	lower_developer text not null,
	lower_rest text not null,
	capacity_mw double precision not null,
	words text[] not null,
	constraint searched_projects_pkey primary key (lower_id, id)
);
create index searched_projects_capacity on searched_projects (capacity_mw desc, id);
create index searched_projects_name on searched_projects (lower_name);
create index searched_projects_queue_id on searched_projects (lower_queue_id);
create index searched_projects_words on searched_projects using gin (words) WITH (gin_pending_list_limit='16384');

create table searched_words (
	word text not null,
	constraint searched_words_pkey primary key (word)
);
create index searched_words_reversed on searched_words (reverse(word));

create table snapshot_files (
	snapshot_id bigint not null,
	"position" integer not null,
	feed text,
	sha256 text not null,
	name text not null,
	url text,
	etag text,
	last_modified text,
	fetched_at timestamptz not null default now(),
	published_on date,
	rows_in integer,
	requests integer,
	dropped jsonb,
	unknown_values jsonb,
	unknown_columns jsonb,
	as_of timestamptz,
	stated text[],
	stated_tables smallint[],
	stated_rows integer[],
	unmerged jsonb,
	further_rows jsonb,
	tables jsonb,
	mapped_words jsonb,
	format text,
	structure jsonb,
	layout text,
	compared_with bigint,
	drift jsonb,
	newest_event date,
	constraint snapshot_files_pkey primary key (snapshot_id, "position"),
	constraint snapshot_files_sha256_fkey foreign key (sha256) references raw_files(sha256),
	constraint snapshot_files_snapshot_id_fkey foreign key (snapshot_id) references snapshots(id)
);
create index snapshot_files_sha256 on snapshot_files (sha256);

create table snapshots (
	id bigint not null generated always as identity,
	region text not null,
	feed text,
	as_of timestamptz not null,
	outcome text not null,
	reason text,
	hold_once boolean not null default false,
	rows integer not null default 0,
	new integer not null default 0,
	changed integer not null default 0,
	status_changes integer not null default 0,
	withdrawn integer not null default 0,
	disappeared integer not null default 0,
	measures jsonb,
	started_at timestamptz not null default now(),
	finished_at timestamptz,
	constraint snapshots_pkey primary key (id),
	constraint snapshots_outcome_check check ((outcome = any (array['started'::text, 'applied'::text, 'backfilled'::text, 'retracted'::text, 'unchanged'::text, 'quarantined'::text, 'failed'::text])))
);
create index snapshots_applied on snapshots (region, as_of) where (outcome = any (array['applied'::text, 'backfilled'::text]));
create index snapshots_region on snapshots (region, id desc);

create table utilities (
	year integer not null,
	utility_id integer not null,
	name text not null,
	street text,
	city text,
	state text,
	zip text,
	entity_type text,
	constraint utilities_pkey primary key (year, utility_id)
);

create table withdrawal_counts (
	detected_at timestamptz not null,
	region text not null,
	developer_canonical text,
	requests bigint not null,
	capacity_mw numeric not null
);
create unique index withdrawal_counts_group on withdrawal_counts (detected_at, region, developer_canonical) nulls not distinct;

create table withdrawals (
	project_id text not null,
	detected_at timestamptz not null,
	withdrawn boolean not null,
	region text not null,
	developer_canonical text,
	capacity_mw double precision,
	constraint withdrawals_pkey primary key (project_id),
	constraint withdrawals_project_id_fkey foreign key (project_id) references projects(id) on delete cascade
);
create index withdrawals_detected_at on withdrawals (detected_at) include (region, developer_canonical, capacity_mw) where withdrawn;
create trigger withdrawals_counted_delete after delete on withdrawals for each row when (old.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_insert after insert on withdrawals for each row when (new.withdrawn) execute function count_withdrawal();
create trigger withdrawals_counted_truncate after truncate on withdrawals for each statement execute function forget_counts('withdrawal_counts');
create trigger withdrawals_counted_update after update on withdrawals for each row when (((old.withdrawn or new.withdrawn) and (old.* is distinct FROM new.*))) execute function count_withdrawal();

-- view datacenter_pipeline (record text, id text, kind text, name text, region text, queue_id text, kind_filed text, known_by text, status_std text, status text, outcome_detail text, capacity_mw double precision, companies text[], state text, county text, counties text[], town text, address text, lat double precision, lon double precision, location_precision text, size_acres double precision, announced text, opening_year integer, queue_date date, cod date, poi text, utility text, zoning_allowed boolean, land_sold boolean, own_generation boolean, source text, as_of date, updated_on date)
-- view developer_rows (developer_id integer, canonical_name text, tier text, total_projects integer, total_capacity_mw double precision, operating_capacity_mw double precision, in_construction_mw double precision, active_capacity_mw double precision, withdrawn_projects integer, operational_projects integer, completion_rate double precision, states_active jsonb, primary_technologies jsonb, needs_capital boolean, company_kind text, company_group text)
-- view developer_sources (source text, records bigint, last_checked_at timestamptz, last_changed_at timestamptz)
-- view dg_edition_rows (source text, edition text, published_on date, records integer, applied_at timestamptz)
-- view dg_rows (id text, kind text, source text, edition text, published_on date, program text, state text, county text, fips text, area text, area_type text, city text, zone text, utility_id integer, utility text, balancing_authority text, name text, developer text, technology text, technology_filed text, sector text, capacity_mw double precision, capacity_kw double precision, capacity_basis text, storage_mwh double precision, customers integer, facilities integer, generators integer, energy_sold_back_mwh double precision, backup_mw double precision, utility_owned_mw double precision, adjustment boolean, in_totals boolean, year integer, in_service_on date)
-- view grid_units_dated (source text, edition text, snapshot_id bigint, plant_id integer, generator_id text, entity_id integer, entity_name text, producer_type text, plant_name text, state text, technology text, prime_mover text, summer_mw double precision, capacity_mw double precision, status text, year integer, month integer, lat double precision, lon double precision, as_of date)
-- view listed_developers (developer_id integer, canonical_name text, full_key text, tier text, headquarters_state text, parent_company text, parent_name text, certainty text, known boolean, ambiguous boolean, contact_published boolean, prefixes text[], portfolio jsonb, total_projects integer, active_capacity_mw double precision, completion_rate double precision, needs_capital boolean, tax_credit_activity text, distress_level text, rated_version bigint, version bigint, updated_at timestamptz, company_kind text, company_group text)
-- view listed_generators (year integer, schedule text, plant_id integer, generator_id text, stage text, status text, technology text, prime_mover text, utility_id integer, utility_name text, plant_name text, state text, county text, capacity_mw double precision, summer_mw double precision, operating_year integer, type_std text, newest boolean)
-- view market_day_rows (iso text, hub text, hub_id text, hub_type text, market text, starts_at timestamptz, local_date date, hour_ending text, lmp_usd_mwh double precision, energy_usd_mwh double precision, congestion_usd_mwh double precision, loss_usd_mwh double precision, min_lmp_usd_mwh double precision, max_lmp_usd_mwh double precision, hours integer, complete boolean, timezone text, source text, published_on date)
-- view market_hour_rows (iso text, hub text, hub_id text, hub_type text, market text, starts_at timestamptz, local_date date, hour_ending text, lmp_usd_mwh double precision, energy_usd_mwh double precision, congestion_usd_mwh double precision, loss_usd_mwh double precision, min_lmp_usd_mwh double precision, max_lmp_usd_mwh double precision, hours integer, complete boolean, timezone text, source text, published_on date)
-- view market_month_rows (iso text, hub text, hub_id text, hub_type text, market text, starts_at timestamptz, local_date date, hour_ending text, lmp_usd_mwh double precision, energy_usd_mwh double precision, congestion_usd_mwh double precision, loss_usd_mwh double precision, min_lmp_usd_mwh double precision, max_lmp_usd_mwh double precision, hours integer, complete boolean, timezone text, source text, published_on date)
-- view moved_projects (project_id text)
-- view named_developers (raw_name text, developer_id integer, canonical_name text, tier text, needs_capital boolean)
-- view plant_companies (plant_id integer, plant_name text, name text, role text, as_of date, share double precision)
-- view project_history (id text, entry bigint, version bigint, valid_from timestamptz, valid_to timestamptz, snapshot_id bigint, derived boolean, queue_id text, name text, region text, state text, county text, counties text[], fips text, developer text, developer_tier text, developer_id integer, developer_canonical text, type text, type_std text, kind text, status text, status_std text, status_basis text, status_evidence text, status_flag text, listed text, plant_state text, plant_state_basis text, plant_state_evidence text, plant_report text, plant_reported_on date, construction_begun_by date, request_class text, capacity_mw double precision, capacity_basis text, incremental_mw double precision, added_type_std text, operating_mw double precision, components jsonb, summer_mw double precision, winter_mw double precision, queue_date date, queue_date_current date, cod date, actual_cod date, withdrawn_date date, ia_date date, backfeed_date date, energized_date date, security_posted boolean, construction_stage text, construction_stage_confidence double precision, study_phase text, study_phase_filed text, ia_status text, ia_status_filed text, poi text, poi_id text, utility text, cluster text, service text, lat double precision, lon double precision, location_precision text, energy_community_eligible boolean, low_income_eligible boolean, domestic_content_eligible boolean, domestic_content_basis text, tax_credit_type text, tax_credit_status text, tax_credit_pct double precision, estimated_credit_value double precision, effective_credit_rate double precision, needs_capital boolean, investable boolean, p_cod_36 double precision, investability_score integer, feed text, first_seen_at timestamptz, last_changed_at timestamptz, missing_since timestamptz, disappeared_at timestamptz, as_filed jsonb, key text, unit text, row_hash text)
-- view source_records (feed text, database text, records bigint, unchecked_records bigint, last_checked_at timestamptz, last_changed_at timestamptz)
-- function cents(value double precision) returns double precision
-- function cod_changes(wanted text) returns json
-- function correction_text(c corrections) returns text
-- function count_change_days() returns trigger
-- function count_changes() returns trigger
-- function count_projects() returns trigger
-- function count_withdrawal() returns trigger
-- function distance_km(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision) returns double precision
-- function eia_editions() returns text
-- function eia_type_std(technology text, prime_mover text) returns text
-- function feeds_of(s snapshots) returns text[]
-- function forget_counts() returns trigger
-- function forget_searched() returns trigger
-- function fraction(part bigint, whole bigint) returns double precision
-- function hours_between(first date, after date, zone text) returns integer
-- function iso(moment timestamptz) returns text
-- function keep_searched() returns trigger
-- function keep_withdrawals() returns trigger
-- function listing_of(missing_since timestamptz, disappeared_at timestamptz) returns text
-- function mw(total double precision) returns double precision
-- function portfolio_status(status_std text, status_flag text, request_class text) returns text
-- function portfolios_from(wanted integer[], requests portfolio_request[]) returns TABLE(developer_id integer, portfolio jsonb)
-- function portfolios_of(wanted integer[]) returns TABLE(developer_id integer, portfolio jsonb)
-- function quarter_days(moment timestamptz) returns integer
-- function refresh_withdrawal() returns trigger
-- function remember_deleted() returns trigger
-- function renew_searched() returns trigger
-- function request_developer(wanted text, filed text) returns TABLE(developer_id integer, canonical_name text, tier text, needs_capital boolean)
-- function schedule_place(schedule text) returns integer
-- function slot_of(valid_from timestamptz, valid_to timestamptz) returns integer
-- function slots_at(moment timestamptz) returns integer[]
-- function spelling(value text) returns text
-- function state_body(p project_history) returns text
-- function state_slot(class integer, quarter_days integer) returns integer
-- function words_of(value text) returns text[]
-- function write_listed() returns trigger
-- function write_project_body() returns trigger
