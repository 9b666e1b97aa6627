-- Why: projects.as_filed has replaced this table; no release since migration 17 reads or writes it.
drop table evidenced_statuses;
