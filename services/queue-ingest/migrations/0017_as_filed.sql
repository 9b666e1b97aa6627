-- Why: each state of a request holds what its operator's lists say where another source, or its absence from them, has replaced it.

-- Values of the replaced columns by the lists alone; null: nothing is replaced. Written instead of evidenced_statuses.
alter table projects add column as_filed jsonb;
alter table project_versions add column as_filed jsonb;
