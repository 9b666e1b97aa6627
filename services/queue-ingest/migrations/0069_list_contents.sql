-- Why: what holds after a list that is loaded late depends on what the lists say that follow it and are loaded already.
alter table snapshot_files
  -- Of a list that was taken in, its own time. The next three are null of lists from before the columns existed.
  add column as_of timestamptz,
  -- Requests of which the list has a row.
  add column stated text[],
  -- Numbers, normalised, that it shows in rows that say nothing more.
  add column named text[],
  -- By request: rows as the list has them, where the history has them merged with an earlier list's or not at all.
  add column unmerged jsonb;
