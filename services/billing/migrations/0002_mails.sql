-- Why: a mailed link verifies an account's address or replaces a lost key, and an account can be deleted by its owner.
create table mails (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('verify', 'recover')),
  -- Null: the account was deleted. The row is retained for the limits.
  account_id bigint references accounts (id),
  -- Null as soon as the account is deleted.
  address text,
  -- Mails to an inbox are limited by it, for all callers together: SHA-256 of the address without what follows a plus sign.
  inbox_sha256 text not null,
  requested_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Accepted by the mail server, or given up: no further attempt.
  sent_at timestamptz,
  failed_at timestamptz,
  -- The token of the link is in the mail alone. Each attempt has a new one.
  token_sha256 text unique check (token_sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz,
  used_at timestamptz
);
create index mails_inbox on mails (inbox_sha256, requested_at);
create index mails_account on mails (account_id, requested_at);
create index mails_due on mails (next_attempt_at) where sent_at is null and failed_at is null;

alter table accounts add column deleted_at timestamptz;
