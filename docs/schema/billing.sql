-- The schema billing after all migrations. Generated: UPDATE_SNAPSHOT=1 npx vitest run --project integration test/postgres/schema.test.ts

create table accounts (
	id bigint not null generated always as identity,
	email text,
	registered_email text,
	name text,
	plan text not null,
	monthly_queries integer,
	per_minute integer,
	created_at timestamptz not null default now(),
	deleted_at timestamptz,
	constraint accounts_pkey primary key (id),
	constraint accounts_email_key unique (email),
	constraint accounts_plan_fkey foreign key (plan) references plans(name),
	constraint accounts_email_check check ((email = lower(email))),
	constraint accounts_monthly_queries_check check ((monthly_queries >= 0)),
	constraint accounts_per_minute_check check ((per_minute > 0))
);

create table covered_files (
	account_id bigint not null,
	sha256 text not null,
	resource text not null,
	covered_at timestamptz not null,
	constraint covered_files_pkey primary key (account_id, sha256),
	constraint covered_files_account_id_fkey foreign key (account_id) references accounts(id),
	constraint covered_files_sha256_check check ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
create index covered_files_covered_at on covered_files (covered_at);
create index covered_files_resource on covered_files (account_id, resource, covered_at);

create table credit_entries (
	id bigint not null generated always as identity,
	credits_id bigint not null,
	kind text not null,
	amount_micro_usd bigint not null,
	payment_id bigint,
	payment_intent text,
	event_id text,
	at timestamptz not null default now(),
	constraint credit_entries_pkey primary key (id),
	constraint credit_entries_event_id_key unique (event_id),
	constraint credit_entries_payment_intent_key unique (payment_intent),
	constraint credit_entries_credits_id_fkey foreign key (credits_id) references credits(id),
	constraint credit_entries_payment_id_fkey foreign key (payment_id) references payments(id),
	constraint credit_entries_kind_check check ((kind = any (array['purchase'::text, 'debit'::text, 'refund'::text, 'void'::text])))
);
create index credit_entries_credits on credit_entries (credits_id);
create unique index credit_entries_once on credit_entries (payment_id, kind) where (payment_id is not null);

create table credit_reversals (
	payment_intent text not null,
	refunded_micro_usd bigint not null default 0,
	disputed_micro_usd bigint not null default 0,
	voided_micro_usd bigint not null default 0,
	at timestamptz not null default now(),
	constraint credit_reversals_pkey primary key (payment_intent),
	constraint credit_reversals_disputed_micro_usd_check check ((disputed_micro_usd >= 0)),
	constraint credit_reversals_refunded_micro_usd_check check ((refunded_micro_usd >= 0)),
	constraint credit_reversals_voided_micro_usd_check check ((voided_micro_usd >= 0))
);

create table credits (
	id bigint not null generated always as identity,
	sha256 text not null,
	hint text not null,
	balance_micro_usd bigint not null default 0,
	daily_cap_micro_usd bigint,
	spent_on date,
	spent_micro_usd bigint not null default 0,
	day_limit_micro_usd bigint,
	created_at timestamptz not null default now(),
	constraint credits_pkey primary key (id),
	constraint credits_sha256_key unique (sha256),
	constraint credits_daily_cap_micro_usd_check check ((daily_cap_micro_usd > 0)),
	constraint credits_never_negative check ((balance_micro_usd >= 0)),
	constraint credits_sha256_check check ((sha256 ~ '^[0-9a-f]{64}$'::text)),
	constraint credits_within_day check (((day_limit_micro_usd is null) or (spent_micro_usd <= day_limit_micro_usd)))
);

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

create table inbox (
	event_id text not null,
	reaction text not null,
	received_at timestamptz not null default now(),
	constraint inbox_pkey primary key (event_id, reaction)
);
create index inbox_received_at on inbox (received_at);

create table keys (
	id bigint not null generated always as identity,
	account_id bigint not null,
	sha256 text not null,
	hint text not null,
	registered boolean not null default false,
	daily_queries integer,
	created_at timestamptz not null default now(),
	expires_at timestamptz,
	replaced_by bigint,
	revoked_at timestamptz,
	version bigint not null default 1,
	constraint keys_pkey primary key (id),
	constraint keys_sha256_key unique (sha256),
	constraint keys_account_id_fkey foreign key (account_id) references accounts(id),
	constraint keys_replaced_by_fkey foreign key (replaced_by) references keys(id),
	constraint keys_daily_queries_check check ((daily_queries > 0)),
	constraint keys_sha256_check check ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
create index keys_account on keys (account_id);

create table mails (
	id bigint not null generated always as identity,
	purpose text not null,
	account_id bigint,
	address text,
	inbox_sha256 text not null,
	requested_at timestamptz not null,
	attempts integer not null default 0,
	next_attempt_at timestamptz not null,
	sent_at timestamptz,
	failed_at timestamptz,
	token_sha256 text,
	expires_at timestamptz,
	used_at timestamptz,
	constraint mails_pkey primary key (id),
	constraint mails_token_sha256_key unique (token_sha256),
	constraint mails_account_id_fkey foreign key (account_id) references accounts(id),
	constraint mails_purpose_check check ((purpose = any (array['verify'::text, 'recover'::text]))),
	constraint mails_token_sha256_check check ((token_sha256 ~ '^[0-9a-f]{64}$'::text))
);
create index mails_account on mails (account_id, requested_at);
create index mails_due on mails (next_attempt_at) where ((sent_at is null) and (failed_at is null));
create index mails_inbox on mails (inbox_sha256, requested_at);

create table migrations (
	name text not null,
	sha256 text not null,
	applied_at timestamptz not null default now(),
	constraint migrations_pkey primary key (name)
);

create table oauth_records (
	kind text not null,
	sha256 text not null,
	payload jsonb not null,
	grant_sha256 text,
	key_id bigint,
	consumed_at timestamptz,
	expires_at timestamptz not null,
	constraint oauth_records_pkey primary key (kind, sha256),
	constraint oauth_records_key_id_fkey foreign key (key_id) references keys(id),
	constraint oauth_records_grant_sha256_check check ((grant_sha256 ~ '^[0-9a-f]{64}$'::text)),
	constraint oauth_records_kind_check check ((kind = any (array['Client'::text, 'Interaction'::text, 'AuthorizationCode'::text, 'Grant'::text, 'AccessToken'::text, 'RefreshToken'::text]))),
	constraint oauth_records_sha256_check check ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
create index oauth_records_expires_at on oauth_records (expires_at);
create index oauth_records_grant on oauth_records (grant_sha256) where (grant_sha256 is not null);
create index oauth_records_key on oauth_records (key_id) where (key_id is not null);

create table outbox (
	id bigint not null generated always as identity,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	created_at timestamptz not null default now(),
	constraint outbox_pkey primary key (id)
);

create table paid_answers (
	payment_id bigint not null,
	status integer not null,
	content_type text not null,
	body bytea not null,
	kept_at timestamptz not null default now(),
	constraint paid_answers_pkey primary key (payment_id),
	constraint paid_answers_payment_id_fkey foreign key (payment_id) references payments(id)
);
create index paid_answers_kept_at on paid_answers (kept_at);

create table payments (
	id bigint not null generated always as identity,
	rail text not null,
	network text not null,
	payer text,
	nonce text not null,
	identifier text,
	credential_sha256 text not null,
	operation text not null,
	resource text not null,
	file text,
	amount_micro_usd bigint not null,
	credits_id bigint,
	state text not null,
	stored text,
	reference text,
	request_id text not null,
	claimed_at timestamptz not null default now(),
	settling_at timestamptz,
	finished_at timestamptz,
	delivered_at timestamptz,
	deliveries integer not null default 0,
	leased_until timestamptz,
	attempts integer not null default 0,
	constraint payments_pkey primary key (id),
	constraint payments_credits_id_fkey foreign key (credits_id) references credits(id),
	constraint payments_amount_micro_usd_check check ((amount_micro_usd > 0)),
	constraint payments_rail_check check ((rail = any (array['x402'::text, 'mpp'::text, 'card'::text]))),
	constraint payments_state_check check ((state = any (array['claimed'::text, 'settling'::text, 'settled'::text, 'failed'::text, 'unknown'::text, 'released'::text])))
);
create unique index payments_identifier on payments (rail, payer, identifier) where ((identifier is not null) and (state <> ALL (array['failed'::text, 'released'::text])));
create unique index payments_nonce on payments (rail, nonce) where (state <> 'released'::text);
create index payments_of_files on payments (credits_id, resource, finished_at) where (file is not null);
create index payments_of_requests on payments (credits_id, request_id) where (credits_id is not null);
create index payments_open on payments (claimed_at) where (state = any (array['claimed'::text, 'settling'::text, 'unknown'::text]));
create index payments_reference on payments (reference) where ((credits_id is null) and (reference is not null));
create index payments_released on payments (claimed_at) where (state = 'released'::text);
create index payments_unanswered on payments (rail, payer, resource) where ((credits_id is null) and (delivered_at is null) and (state = any (array['settling'::text, 'unknown'::text, 'settled'::text])));
create index payments_undelivered on payments (finished_at) where ((state = 'settled'::text) and (credits_id is not null) and (delivered_at is null));

create table plans (
	name text not null,
	"position" integer not null,
	monthly_queries integer,
	per_minute integer,
	description text not null,
	constraint plans_pkey primary key (name),
	constraint plans_position_key unique ("position"),
	constraint plans_monthly_queries_check check ((monthly_queries >= 0)),
	constraint plans_per_minute_check check ((per_minute > 0))
);

create table published_events (
	seq bigint not null,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	published_at timestamptz not null default now(),
	constraint published_events_pkey primary key (seq)
);

create table usage (
	event_id text not null,
	occurred_at timestamptz not null,
	account_id bigint,
	key_id bigint,
	operation text not null,
	status integer not null,
	counted boolean not null,
	rail text,
	paid_micro_usd bigint not null default 0,
	duration_ms double precision not null,
	constraint usage_pkey primary key (event_id)
);
create index usage_account on usage (account_id, occurred_at) where (account_id is not null);
create index usage_occurred_at on usage (occurred_at);

create table usage_alerts (
	account_id bigint not null,
	month text not null,
	monthly_queries bigint not null,
	percent smallint not null,
	published_at timestamptz not null default now(),
	constraint usage_alerts_pkey primary key (account_id, month, monthly_queries, percent),
	constraint usage_alerts_account_id_fkey foreign key (account_id) references accounts(id)
);

create table usage_hours (
	account_id bigint not null,
	hour timestamptz not null,
	operation text not null,
	requests bigint not null,
	counted bigint not null,
	failed bigint not null,
	paid_micro_usd bigint not null,
	constraint usage_hours_pkey primary key (account_id, hour, operation)
);

create table usage_retention (
	single boolean not null default true,
	since timestamptz not null default '-infinity'::timestamptz,
	constraint usage_retention_pkey primary key (single),
	constraint usage_retention_single_check check (single)
);

-- function iso(moment timestamptz) returns text
