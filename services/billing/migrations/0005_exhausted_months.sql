-- Why: usage_alerts has replaced this table; no release since migration 4 reads or writes it.
drop table exhausted_months;
