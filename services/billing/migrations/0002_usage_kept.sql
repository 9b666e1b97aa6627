-- Why: the ledger forgets single requests and keeps their sums; from what is left of it those sums must never be made again.

create table usage_kept (
  single boolean primary key default true check (single),
  -- Begin of a day (UTC). From here on the ledger is whole.
  since timestamptz not null default '-infinity'
);
insert into usage_kept default values;
