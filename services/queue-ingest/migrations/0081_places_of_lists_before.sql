-- Why: lists that were loaded before their places were kept have one, too, by the changes that they made.

-- A list that differed in nothing was known from the change before it.
update snapshots s set seq_from = p.place from (
  select s.id, coalesce(c.first, max(c.last) over (order by s.id), 0) as place
  from snapshots s left join (
    select snapshot_id, min(seq) as first, max(seq) as last from changes group by snapshot_id) c on c.snapshot_id = s.id) p
where p.id = s.id and s.seq_from is null and s.outcome in ('applied', 'retracted');
update snapshots s set seq_to = (
  select n.seq_from from snapshots n where n.region = s.region and n.retraction and n.id > s.id order by n.id limit 1)
where s.seq_to is null and s.outcome = 'retracted';
