-- The schema subscriptions after all migrations. Generated: UPDATE_SNAPSHOT=1 npx vitest run --project integration test/postgres/schema.test.ts

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

create table deliveries (
	id bigint not null generated always as identity,
	webhook_id bigint not null,
	message_id text not null,
	type text not null,
	seq bigint,
	body text not null,
	state text not null,
	attempts integer not null default 0,
	first_attempt_at timestamptz,
	last_attempt_at timestamptz,
	next_attempt_at timestamptz,
	latency_ms integer,
	answer_status integer,
	answer_start text,
	error text,
	created_at timestamptz not null,
	constraint deliveries_pkey primary key (id),
	constraint deliveries_webhook_id_message_id_key unique (webhook_id, message_id),
	constraint deliveries_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade,
	constraint deliveries_state_check check ((state = any (array['pending'::text, 'delivered'::text, 'failed'::text])))
);
create index deliveries_pending on deliveries (webhook_id, seq, id) where (state = 'pending'::text);
create index deliveries_webhook on deliveries (webhook_id, id);

create table inbox (
	event_id text not null,
	reaction text not null,
	received_at timestamptz not null default now(),
	constraint inbox_pkey primary key (event_id, reaction)
);
create index inbox_received_at on inbox (received_at);

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

create table published_events (
	seq bigint not null,
	event_id text not null,
	subject text not null,
	payload text not null,
	traceparent text,
	published_at timestamptz not null default now(),
	constraint published_events_pkey primary key (seq)
);

create table requested_mails (
	id bigint not null generated always as identity,
	account_id bigint not null,
	inbox_sha256 text not null,
	requested_at timestamptz not null,
	constraint requested_mails_pkey primary key (id)
);
create index requested_mails_account on requested_mails (account_id, requested_at);
create index requested_mails_inbox on requested_mails (inbox_sha256, requested_at);

create table saved_queries (
	id bigint not null generated always as identity,
	account_id bigint not null,
	name text not null,
	statement text not null,
	database text not null,
	parameters jsonb not null,
	version bigint not null default 1,
	created_at timestamptz not null default now(),
	changed_at timestamptz not null default now(),
	constraint saved_queries_pkey primary key (id),
	constraint saved_queries_name unique (account_id, name)
);

create table watchlist_entries (
	watchlist_id bigint not null,
	seq bigint not null,
	project_id text not null,
	event text,
	constraint watchlist_entries_pkey primary key (watchlist_id, seq),
	constraint watchlist_entries_watchlist_id_fkey foreign key (watchlist_id) references watchlists(id) on delete cascade,
	constraint watchlist_entries_event_check check ((event = any (array['entered'::text, 'left'::text])))
);

create table watchlist_members (
	watchlist_id bigint not null,
	project_id text not null,
	constraint watchlist_members_pkey primary key (watchlist_id, project_id),
	constraint watchlist_members_watchlist_id_fkey foreign key (watchlist_id) references watchlists(id) on delete cascade
);

create table watchlists (
	id bigint not null generated always as identity,
	account_id bigint not null,
	name text not null,
	filters jsonb not null,
	seq bigint,
	version bigint not null default 1,
	free boolean not null default false,
	used_at timestamptz not null default now(),
	created_at timestamptz not null default now(),
	constraint watchlists_pkey primary key (id)
);
create index watchlists_account on watchlists (account_id, id);

create table webhooks (
	id bigint not null generated always as identity,
	account_id bigint not null,
	url text not null,
	filters jsonb,
	watchlist_id bigint,
	include_row boolean not null,
	digest text,
	digest_day date,
	secret text not null,
	old_secret text,
	old_secret_until timestamptz,
	seq bigint not null,
	enabled boolean not null default true,
	disabled_at timestamptz,
	disabled_reason text,
	last_delivered boolean not null default false,
	free boolean not null default false,
	created_at timestamptz not null default now(),
	format text not null default 'json'::text,
	mail_token text,
	events text[] not null default '{changes}'::text[],
	constraint webhooks_pkey primary key (id),
	constraint webhooks_watchlist_id_fkey foreign key (watchlist_id) references watchlists(id),
	constraint webhooks_digest_check check ((digest = 'daily'::text)),
	constraint webhooks_format check ((format = any (array['json'::text, 'slack'::text, 'teams'::text, 'email'::text])))
);
create index webhooks_account on webhooks (account_id, id);
create unique index webhooks_mail_token on webhooks (mail_token);
create index webhooks_watchlist on webhooks (watchlist_id) where (watchlist_id is not null);

-- function iso(moment timestamptz) returns text
