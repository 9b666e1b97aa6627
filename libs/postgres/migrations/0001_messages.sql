-- Why: a state change and its event must commit together (outbox), a reaction must take effect once however often its event is
-- delivered (inbox), and a cached response must carry the version of the data that it was read from (data_version).

create table outbox (
  id bigint generated always as identity primary key,
  event_id text not null,
  subject text not null,
  payload text not null,
  traceparent text,
  created_at timestamptz not null default now()
);

-- Events of the last ten minutes by their number in the stream. JetStream acknowledges an event up to two minutes before it syncs its
-- files: the relay puts back into the outbox what a power cut has taken from the stream.
create table published_events (
  seq bigint primary key,
  event_id text not null,
  subject text not null,
  payload text not null,
  traceparent text,
  published_at timestamptz not null default now()
);
-- Compressing rows that are deleted after ten minutes would cost the relay more than everything else it does.
alter table published_events alter column payload set storage external;

create table inbox (
  event_id text not null,
  reaction text not null,
  received_at timestamptz not null default now(),
  primary key (event_id, reaction)
);
create index inbox_received_at on inbox (received_at);

create table dead_letters (
  id bigint generated always as identity primary key,
  reaction text not null,
  subject text not null,
  event_id text,
  payload text not null,
  reason text not null,
  received_at timestamptz not null default now()
);

create table data_version (
  single boolean primary key default true check (single),
  version bigint not null,
  raised_at timestamptz not null default now()
);
insert into data_version (version) values (1);
