-- Why: of each value the cell it stands in is said, from the tables of each list and the rows of its requests.
alter table snapshot_files
  -- Of each table that its requests are in: sheet, header as filed, and by field the columns and the rule. Null of lists from before.
  add column tables jsonb,
  -- Of the requests in `stated`, in its order: the table (from 0) and the row (from 1) of each.
  add column stated_tables smallint[],
  add column stated_rows integer[],
  -- By request: further rows that decide a field, [[table, row, [field, ...]], ...].
  add column further_rows jsonb;
