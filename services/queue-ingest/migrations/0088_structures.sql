-- Why: each list keeps the structure of its file, and how that differs from the structure of the list accepted before it.
alter table snapshot_files
  -- Lists are compared within one format. Null of lists from before, as is all that follows.
  add column format text,
  -- By table: sheet, rows, and of each column the header, kinds of value and share of filled cells.
  add column structure jsonb,
  -- SHA-256 over the sheets and headers: equal for lists of one layout.
  add column layout text,
  -- Snapshot of the list that it was compared with; null where there was none of its format.
  add column compared_with bigint,
  -- [{class, severity, sheet, column, before, after}, ...]
  add column drift jsonb;
