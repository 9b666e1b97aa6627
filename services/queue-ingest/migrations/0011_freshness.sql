-- Why: rows and freshness of each source, for /source-freshness, /sources and the extracts `sources`.

-- Sources that were ever polled.
create view source_records as
  select f.feed,
    coalesce(
      (select e.database from dataset_editions e where e.feed = f.feed limit 1),
      -- A dataset that was never accepted is known by its attempts.
      (select s.region from snapshots s where s.feed = f.feed and s.region in ('dg', 'datacenter', 'market') limit 1),
      case when f.feed = 'eia860' then 'grid' when f.region = 'DG' then 'dg' else 'master' end) as database,
    case f.feed
      when 'lbnl' then (select count(*) from lbnl_requests)
      when 'eia860' then (select coalesce(sum(s.stored), 0)::bigint from eia_schedules s)
      else coalesce(p.requests, 0) + (select coalesce(sum(e.stored), 0)::bigint from dataset_editions e where e.feed = f.feed)
    end as records,
    coalesce(p.missing, 0) as unchecked_records, f.last_checked_at, f.last_changed_at
  from feeds f left join (
    select feed, count(*) as requests, count(missing_since) as missing from projects group by feed) p using (feed);

-- The register of developers and the evidence about companies, which are loaded by hand.
create view developer_sources as
  select 'developer-register' as source, (select count(*) from developers where known) as records, e.applied_at as last_checked_at,
    e.applied_at as last_changed_at
  from (select 1) one left join register_edition e on true
  union all
  select s.source, coalesce(sum(c.n), 0)::bigint, max(f.fetched_at), max(f.fetched_at)
  from unnest(array['eia_861', 'gem', 'sec_company_tickers', 'sec_exhibit_21']) as s (source)
    left join (select source, sha256, count(*) as n from company_evidence group by source, sha256) c using (source)
    left join lateral (select max(fetched_at) as fetched_at from snapshot_files f where f.sha256 = c.sha256) f on true
  group by s.source;
