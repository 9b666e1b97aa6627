-- Why: news, current reports and changes of hands as strangers' SQL may read them (database `signals`), named as the HTTP fields are.

create view query_signals.events as
  select m.article_id, m.developer_id, d.canonical_name as developer_canonical, m.event_type, a.title, a.url, a.domain, m.published_at,
    a.source, m.matched_on, m.matched_text, m.confidence as match_confidence, a.source_country, a.copies
  from article_matches m join articles a using (article_id) join developers d using (developer_id);
comment on view query_signals.events is 'News about developers as GET /events shows it: one row per headline and developer that it names';
comment on column query_signals.events.article_id is 'Number of the headline: count(distinct article_id) counts headlines';
comment on column query_signals.events.developer_id is 'Number of the developer';
comment on column query_signals.events.developer_canonical is 'Canonical name of the developer';
comment on column query_signals.events.event_type is 'Class of the headline: distress, litigation, ma, financing, project or mention';
comment on column query_signals.events.title is 'Headline';
comment on column query_signals.events.url is 'Address of its earliest appearance';
comment on column query_signals.events.domain is 'Site of that address';
comment on column query_signals.events.published_at is 'Publication, else when the source first saw it, UTC';
comment on column query_signals.events.source is 'Name of the news feed';
comment on column query_signals.events.matched_on is 'Where the developer was found: title, url, title_project, organizations or body';
comment on column query_signals.events.matched_text is 'What the developer was found by';
comment on column query_signals.events.match_confidence is 'How sure the match is; 0.9: the name stands in the headline [fraction]';
comment on column query_signals.events.source_country is 'Country of the site';
comment on column query_signals.events.copies is 'Further appearances of the same headline within three days';

create view query_signals.material_events as
  select f.accession_number, f.filing_date, f.report_date, f.form_type, f.issuer_name, f.cik, f.sic, f.item_codes, f.items, f.categories,
    f.event_type, f.url, f.energy::int as energy_keyword, f.developer_id, d.canonical_name as developer_canonical, f.match_method,
    f.first_told
  from filings f left join developers d using (developer_id) where f.event_type is not null;
comment on view query_signals.material_events is 'Current reports (8-K) of events that matter to lenders and buyers, as GET /material-events shows them';
comment on column query_signals.material_events.accession_number is 'The SEC''s number of the filing';
comment on column query_signals.material_events.filing_date is 'Day of filing';
comment on column query_signals.material_events.report_date is 'Day of the event reported';
comment on column query_signals.material_events.form_type is '8-K or 8-K/A';
comment on column query_signals.material_events.issuer_name is 'Company that filed';
comment on column query_signals.material_events.cik is 'The SEC''s number of the company';
comment on column query_signals.material_events.sic is 'Code of its industry';
comment on column query_signals.material_events.item_codes is 'Items reported: 1.03, 2.01 and so on';
comment on column query_signals.material_events.items is 'Their titles';
comment on column query_signals.material_events.categories is 'Categories of the items: distress, ma, debt, equity, agreement';
comment on column query_signals.material_events.event_type is 'Class of the report: financing, ma or distress';
comment on column query_signals.material_events.url is 'Address of the filing';
comment on column query_signals.material_events.energy_keyword is '1: the issuer''s industry or name is the energy sector''s; else 0';
comment on column query_signals.material_events.developer_id is 'Number of the developer that it was matched to';
comment on column query_signals.material_events.developer_canonical is 'Canonical name of that developer';
comment on column query_signals.material_events.match_method is 'What it was matched by; none where it was not';
comment on column query_signals.material_events.first_told is 'False where every event in it was told by an earlier filing';

create view query_signals.ma_events as
  select event_type, asset_class, effective_on as effective_date, plant_id as plant_id_eia, generator_id, project_id, queue_id, region,
    asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned, source, confidence,
    reason
  from ma_events where not retracted;
comment on view query_signals.ma_events is 'Plants and queue positions that changed hands, as GET /ma-events shows them; what was taken back is not here';
comment on column query_signals.ma_events.event_type is 'ownership_change (of an operating plant) or queue_developer_change';
comment on column query_signals.ma_events.asset_class is 'operating or queue_project';
comment on column query_signals.ma_events.effective_date is 'Day on which the reports first show it';
comment on column query_signals.ma_events.plant_id_eia is 'EIA plant code';
comment on column query_signals.ma_events.generator_id is 'Number of the generator within its plant, as filed';
comment on column query_signals.ma_events.project_id is 'Id of the interconnection request';
comment on column query_signals.ma_events.queue_id is 'The operator''s number of the request, as filed';
comment on column query_signals.ma_events.region is 'Grid operator of the request';
comment on column query_signals.ma_events.asset_name is 'Name of the plant or project';
comment on column query_signals.ma_events.capacity_mw is 'Capacity of the generator or request [MW]';
comment on column query_signals.ma_events.technology is 'Technology: EIA''s words of a plant, standardised of a request';
comment on column query_signals.ma_events.state is 'Two-letter code of the state';
comment on column query_signals.ma_events.seller is 'Who held it before, as filed';
comment on column query_signals.ma_events.seller_canonical is 'Developer that the seller is known to be';
comment on column query_signals.ma_events.buyer is 'Who holds it since, as filed';
comment on column query_signals.ma_events.buyer_canonical is 'Developer that the buyer is known to be';
comment on column query_signals.ma_events.fraction_owned is 'What the buyer holds afterwards, 0 to 1 [fraction]';
comment on column query_signals.ma_events.source is 'eia_860_ownership, eia_860_operator or queue_snapshots';
comment on column query_signals.ma_events.confidence is 'high, medium or low';
comment on column query_signals.ma_events.reason is 'Why this confidence';

-- A row for each way in: what /source-freshness and the views `sources` both say.
create view source_records as
  select p.pipeline, case p.pipeline when 'form-d' then 'capital' else 'signals' end as database,
    case p.pipeline when 'news' then (select count(*) from articles) when '8-k' then (select count(*) from filings)
      else (select count(*) from raises) end as records,
    case p.pipeline when 'form-d' then (select count(*) from indexed_filings where state = 'known') else 0 end as unchecked_records,
    p.last_checked_at, p.last_changed_at, p.last_success_at, p.last_outcome
  from pipelines p;

create view query_signals.sources as
  select pipeline as source, records, unchecked_records, last_checked_at as last_checked, last_success_at as last_success,
    last_changed_at as last_changed, last_outcome
  from source_records where database = 'signals';
comment on view query_signals.sources is 'How fresh news and current reports are';
comment on column query_signals.sources.source is 'news or 8-k';
comment on column query_signals.sources.records is 'Headlines or reports that are stored, matched or not';
comment on column query_signals.sources.unchecked_records is 'Records that are known of and not stored';
comment on column query_signals.sources.last_checked is 'When it was last looked at, UTC';
comment on column query_signals.sources.last_success is 'When it was last taken in or found unchanged, UTC';
comment on column query_signals.sources.last_changed is 'When it last brought something new, UTC';
comment on column query_signals.sources.last_outcome is 'Outcome of the last look: applied, unchanged, refused or failed';

grant select on query_signals.events, query_signals.material_events, query_signals.ma_events, query_signals.sources to query_signals;
