-- Why: rows of each source that was ever polled: what /source-freshness and the extract `sources` both say.
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
