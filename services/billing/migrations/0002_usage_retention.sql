-- Why: old requests are deleted from the ledger and their sums are retained; a recount must not rebuild sums from an incomplete ledger.

create table usage_retention (
  single boolean primary key default true check (single),
  -- Begin of a day (UTC). From here on the ledger is complete.
  since timestamptz not null default '-infinity'
);
insert into usage_retention default values;
