-- Why: a list whose newest event is older than that of the list before it is older than its label.

-- Newest day of a withdrawal or a start of operation that the list's rows state, until the list's own day.
alter table snapshot_files add column newest_event date;
