-- Why: who gives an agent a key or prepaid credits says what it may spend in a day (UTC).

-- Queries of the month that one key may take in a day; null: as many as the plan has.
alter table keys add column daily_queries integer check (daily_queries > 0);

alter table credits
  -- Null: as much as there is.
  add column daily_cap_micro_usd bigint check (daily_cap_micro_usd > 0),
  -- The day of the newest debit, and what was debited on it and not refunded.
  add column spent_on date,
  add column spent_micro_usd bigint not null default 0,
  -- What may be spent on that day: the cap, or what had been spent when a lower one was set.
  add column day_limit_micro_usd bigint,
  -- A debit beyond it fails together with its claim, however many there are at once.
  add constraint credits_within_day check (day_limit_micro_usd is null or spent_micro_usd <= day_limit_micro_usd);
