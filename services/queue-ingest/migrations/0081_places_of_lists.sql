-- Why: what lists were known after a change is read like what requests were: of each list its place in the change feed.

alter table snapshots
  -- From which change on it was a newest list, and until which: from there on it was taken back. Null: never (it came late), and not yet.
  add column seq_from bigint,
  add column seq_to bigint;
