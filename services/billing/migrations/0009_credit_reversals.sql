-- Why: what a card processor took back of a purchase (refunds, disputes) is voided on the credits that it bought.
create table credit_reversals (
  payment_intent text primary key,
  -- The highest sums reported by now. Each may be reported again, and before the purchase is.
  refunded_micro_usd bigint not null default 0 check (refunded_micro_usd >= 0),
  disputed_micro_usd bigint not null default 0 check (disputed_micro_usd >= 0),
  -- What was voided of both: no more than the token still had.
  voided_micro_usd bigint not null default 0 check (voided_micro_usd >= 0),
  at timestamptz not null default now()
);
