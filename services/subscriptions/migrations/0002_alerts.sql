-- Why: changes are also sent as texts to Slack and Teams, and as mails to addresses that were confirmed by a link.
alter table webhooks add column format text not null default 'json';
alter table webhooks add constraint webhooks_format check (format in ('json', 'slack', 'teams', 'email')) not valid;
-- In the links of a webhook's mails, which confirm its address or end the mails. Null for other formats.
alter table webhooks add column mail_token text;

-- Mails that an account requested (links and tests) in the last day, by which an inbox and an account are limited.
create table requested_mails (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  -- SHA-256 of the address without what follows a plus sign.
  inbox_sha256 text not null,
  requested_at timestamptz not null
);
create index requested_mails_inbox on requested_mails (inbox_sha256, requested_at);
create index requested_mails_account on requested_mails (account_id, requested_at);
