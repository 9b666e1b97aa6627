-- Why: what lists were known after a change is read like what requests were: of each list its place in the change feed.

alter table snapshots
  -- From which change on it was a newest list, and until which: from there on it was taken back. Null: never (it came late), and not yet.
  add column seq_from bigint,
  add column seq_to bigint;

-- A list that differed in nothing was known from the change before it.
update snapshots s set seq_from = p.place from (
  select s.id, coalesce(c.first, max(c.last) over (order by s.id), 0) as place
  from snapshots s left join (
    select snapshot_id, min(seq) as first, max(seq) as last from changes group by snapshot_id) c on c.snapshot_id = s.id) p
where p.id = s.id and s.outcome in ('applied', 'retracted');
update snapshots s set seq_to = (
  select n.seq_from from snapshots n where n.region = s.region and n.retraction and n.id > s.id order by n.id limit 1)
where s.outcome = 'retracted';
