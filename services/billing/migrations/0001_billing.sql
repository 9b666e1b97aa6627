-- Why: authorization and quotas (plans, accounts, keys), usage and its hourly sums, and payments for single calls (payments, credits).
-- This schema is the authority: the gateway's counters can be rebuilt from it. Money is in micro-USD.

create function iso(moment timestamptz) returns text language sql stable parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

create table plans (
  name text primary key,
  position integer not null unique,
  -- Null: unlimited.
  monthly_queries integer check (monthly_queries >= 0),
  -- In any 60 seconds. Null: agreed account by account.
  per_minute integer check (per_minute > 0),
  description text not null
);
-- Specification 8.
insert into plans (name, position, monthly_queries, per_minute, description) values
  ('Free', 1, 50, 10, 'To try everything. A key from /register, no card.'),
  ('Growth', 2, 2500, 60, 'For an application with users.'),
  ('Scale', 3, 20000, 200, 'For a product that lives on this data.'),
  ('Enterprise', 4, null, null, 'Unlimited queries; the rate is agreed.');

create table accounts (
  id bigint generated always as identity primary key,
  -- Verified by the operator, lower case. Null: the account was opened at /register.
  email text unique check (email = lower(email)),
  -- Given at /register, which verifies no address: of any number of accounts, lower case. Null: the operator opened the account.
  registered_email text,
  name text,
  plan text not null references plans (name),
  -- Agreed with this account, instead of its plan's.
  monthly_queries integer check (monthly_queries >= 0),
  per_minute integer check (per_minute > 0),
  created_at timestamptz not null default now()
);

create table keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- The key itself is stored nowhere.
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  hint text not null,
  -- Issued by /register, or replaced a key that was: the account's e-mail address is not verified.
  registered boolean not null default false,
  -- Queries of the month that the key may take in a day (UTC). Null: as many as the plan has.
  daily_queries integer check (daily_queries > 0),
  created_at timestamptz not null default now(),
  -- End of the grace period of a replaced key.
  expires_at timestamptz,
  replaced_by bigint references keys (id),
  revoked_at timestamptz,
  -- Version of the last published event.
  version bigint not null default 1
);
create index keys_account on keys (account_id);

-- The ledger: one row an answered request, however often its event is delivered.
create table usage (
  event_id text primary key,
  occurred_at timestamptz not null,
  -- Null: without a key.
  account_id bigint,
  key_id bigint,
  operation text not null,
  status integer not null,
  counted boolean not null,
  rail text,
  paid_micro_usd bigint not null default 0,
  duration_ms float8 not null
);
create index usage_occurred_at on usage (occurred_at);
create index usage_account on usage (account_id, occurred_at) where account_id is not null;

-- Sums of the ledger by hour: account 0 is all requests without a key. Can be rebuilt from the ledger.
create table usage_hours (
  account_id bigint not null,
  hour timestamptz not null,
  operation text not null,
  requests bigint not null,
  counted bigint not null,
  failed bigint not null,
  paid_micro_usd bigint not null,
  primary key (account_id, hour, operation)
);

-- Old requests are deleted from the ledger while their sums are retained: a recount must not rebuild sums from an incomplete ledger.
create table usage_retention (
  single boolean primary key default true check (single),
  -- Begin of a day (UTC). From here on the ledger is complete.
  since timestamptz not null default '-infinity'
);
insert into usage_retention default values;

-- Months for which usage.exhausted was published for an account.
create table exhausted_months (
  account_id bigint not null references accounts (id),
  month text not null,
  published_at timestamptz not null default now(),
  primary key (account_id, month)
);

-- Prepaid credits: bought by card, debited call by call.
create table credits (
  id bigint generated always as identity primary key,
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  hint text not null,
  -- The sum of its entries. A debit that would make it negative fails together with its claim.
  balance_micro_usd bigint not null default 0 constraint credits_never_negative check (balance_micro_usd >= 0),
  -- Null: the whole balance may be spent in a day.
  daily_cap_micro_usd bigint check (daily_cap_micro_usd > 0),
  -- The day (UTC) of the newest debit, and what was debited on it and not refunded.
  spent_on date,
  spent_micro_usd bigint not null default 0,
  -- The limit of that day: the cap, or the amount already spent when a lower one was set.
  day_limit_micro_usd bigint,
  created_at timestamptz not null default now(),
  -- A debit beyond it fails together with its claim, however many there are at once.
  constraint credits_within_day check (day_limit_micro_usd is null or spent_micro_usd <= day_limit_micro_usd)
);

create table payments (
  id bigint generated always as identity primary key,
  rail text not null check (rail in ('x402', 'mpp', 'card')),
  network text not null,
  payer text,
  -- Identifies what can be charged once: unique within the rail, see below.
  nonce text not null,
  -- The payer's identifier for the purchase (idempotency key).
  identifier text,
  credential_sha256 text not null,
  operation text not null,
  -- SHA-256 of the operation and its parameters.
  resource text not null,
  -- SHA-256 of the file that was charged for; null for other operations.
  file text,
  amount_micro_usd bigint not null check (amount_micro_usd > 0),
  credits_id bigint references credits (id),
  state text not null check (state in ('claimed', 'settling', 'settled', 'failed', 'unknown', 'released')),
  -- The rail needs it to find out the outcome. Null as soon as the outcome is known: it is a credential.
  stored text,
  -- Transaction hash or the processor's id.
  reference text,
  request_id text not null,
  claimed_at timestamptz not null default now(),
  settling_at timestamptz,
  finished_at timestamptz,
  -- When its response was delivered. A settled payment without it can be presented again.
  delivered_at timestamptz,
  deliveries integer not null default 0,
  -- Until when one request has the exclusive right to deliver the response or to find out the outcome.
  leased_until timestamptz,
  attempts integer not null default 0
);
-- Decides which request may charge: one row a nonce, except released ones. A new claim of a released nonce is a new row with a new id:
-- a request that holds the old id cannot change the new claim.
create unique index payments_nonce on payments (rail, nonce) where state <> 'released';
create unique index payments_identifier on payments (rail, payer, identifier)
  where identifier is not null and state not in ('failed', 'released');
create index payments_undelivered on payments (finished_at) where state = 'settled' and credits_id is not null and delivered_at is null;
create index payments_released on payments (claimed_at) where state = 'released';
create index payments_open on payments (claimed_at) where state in ('claimed', 'settling', 'unknown');
-- A payer whose charge was found out late gets that answer also for a new payment, which is not charged.
create index payments_unanswered on payments (rail, payer, resource)
  where credits_id is null and delivered_at is null and state in ('settling', 'unknown', 'settled');
-- Earlier debits for a file, whenever credits are presented for it again.
create index payments_of_files on payments (credits_id, resource, finished_at) where file is not null;
-- Receipts: by the reference of a payment, and by the request that credits were debited for.
create index payments_reference on payments (reference) where credits_id is null and reference is not null;
create index payments_of_requests on payments (credits_id, request_id) where credits_id is not null;

-- Cached responses of payments with an identifier.
create table paid_answers (
  payment_id bigint primary key references payments (id),
  status integer not null,
  content_type text not null,
  body bytea not null,
  kept_at timestamptz not null default now()
);
create index paid_answers_kept_at on paid_answers (kept_at);

-- Every movement of credits; their sum is the balance.
create table credit_entries (
  id bigint generated always as identity primary key,
  credits_id bigint not null references credits (id),
  kind text not null check (kind in ('purchase', 'debit', 'refund', 'void')),
  amount_micro_usd bigint not null,
  payment_id bigint references payments (id),
  -- The purchase: unique, however often the processor reports it.
  payment_intent text unique,
  event_id text unique,
  at timestamptz not null default now()
);
-- A payment is debited once and refunded once, each by its whole amount.
create unique index credit_entries_once on credit_entries (payment_id, kind) where payment_id is not null;
create index credit_entries_credits on credit_entries (credits_id);

-- Card processors report refunds and disputes as running sums, repeatedly and in any order: what they took back of a purchase is voided on
-- the credits that it bought.
create table credit_reversals (
  payment_intent text primary key,
  -- The highest sums reported so far. Each may be reported again, and before the purchase is.
  refunded_micro_usd bigint not null default 0 check (refunded_micro_usd >= 0),
  disputed_micro_usd bigint not null default 0 check (disputed_micro_usd >= 0),
  -- The voided part of both: no more than the token still had.
  voided_micro_usd bigint not null default 0 check (voided_micro_usd >= 0),
  at timestamptz not null default now()
);

-- One charge covers a file of an export for a day, whichever gateway sends it: by account for callers with a key, else by payment.
create table covered_files (
  account_id bigint not null references accounts (id),
  -- SHA-256 of the file.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- SHA-256 of the operation and its parameters.
  resource text not null,
  covered_at timestamptz not null,
  primary key (account_id, sha256)
);
create index covered_files_resource on covered_files (account_id, resource, covered_at);
create index covered_files_covered_at on covered_files (covered_at);
