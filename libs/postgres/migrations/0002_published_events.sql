-- Why: JetStream acknowledges an event up to two minutes before it syncs its files, so a power cut can take what it has acknowledged.

-- Events of the last ten minutes by their number in the stream. The relay puts those that the stream lost back into the outbox.
create table published_events (
  seq bigint primary key,
  event_id text not null,
  subject text not null,
  payload text not null,
  traceparent text,
  published_at timestamptz not null default now()
);
-- To compress what is deleted after ten minutes would take the relay longer than all else.
alter table published_events alter column payload set storage external;
