-- Why: rows of each pipeline: what /source-freshness and the extracts `sources` both say.
create view source_records as
  select p.pipeline, case p.pipeline when 'form-d' then 'capital' else 'signals' end as database,
    case p.pipeline when 'news' then (select count(*) from articles) when '8-k' then (select count(*) from filings)
      else (select count(*) from raises) end as records,
    case p.pipeline when 'form-d' then (select count(*) from indexed_filings where state = 'known') else 0 end as unchecked_records,
    p.last_checked_at, p.last_changed_at, p.last_success_at, p.last_outcome
  from pipelines p;
