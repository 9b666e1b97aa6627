-- Why: how fresh the register of developers and the evidence about companies are. No pipeline is watched for these: they come in by hand.
create view developer_sources as
  select 'developer-register' as source, (select count(*) from developers where known) as records, e.applied_at as last_checked_at,
    e.applied_at as last_changed_at
  from (select 1) one left join register_edition e on true
  union all
  select s.source, coalesce(sum(c.n), 0)::bigint, max(f.fetched_at), max(f.fetched_at)
  from unnest(array['eia_861', 'gem', 'sec_exhibit_21']) as s (source)
    left join (select source, sha256, count(*) as n from company_evidence group by source, sha256) c using (source)
    left join lateral (select max(fetched_at) as fetched_at from snapshot_files f where f.sha256 = c.sha256) f on true
  group by s.source;
