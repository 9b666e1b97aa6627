-- Why: exempt offerings (Form D) as strangers' SQL may read them (database `capital`), named as the HTTP fields are.

create view query_capital.capital_raises as
  select r.accession_number, r.filing_date, r.is_amendment::int as is_amendment, r.issuer_name, r.cik, r.entity_type, r.jurisdiction,
    r.issuer_city, r.issuer_state, r.year_of_inc, r.industry_group, r.total_offering_amount, r.total_amount_sold,
    r.date_of_first_sale, r.is_equity::int as is_equity, r.is_debt::int as is_debt, r.related_persons, r.energy::int as energy_keyword,
    r.developer_id, d.canonical_name as developer_canonical, r.project_name, r.match_method, r.match_confidence, r.matched_text, r.chain,
    r.is_latest
  from raises r left join developers d using (developer_id);
comment on view query_capital.capital_raises is 'Exempt offerings as filed (Form D and D/A), as GET /capital-raises shows them. An amendment restates: sum amounts of is_latest only';
comment on column query_capital.capital_raises.accession_number is 'The SEC''s number of the filing';
comment on column query_capital.capital_raises.filing_date is 'Day of filing';
comment on column query_capital.capital_raises.is_amendment is '1: an amendment (D/A); 0: a new filing';
comment on column query_capital.capital_raises.issuer_name is 'Company that raises';
comment on column query_capital.capital_raises.cik is 'The SEC''s number of the company';
comment on column query_capital.capital_raises.entity_type is 'Kind of company, as filed';
comment on column query_capital.capital_raises.jurisdiction is 'Where it is incorporated';
comment on column query_capital.capital_raises.issuer_city is 'City of the issuer';
comment on column query_capital.capital_raises.issuer_state is 'SEC''s code of its place: a US state, or A6, E9 and so on for elsewhere';
comment on column query_capital.capital_raises.year_of_inc is 'Year of incorporation, as filed';
comment on column query_capital.capital_raises.industry_group is 'Industry, as filed';
comment on column query_capital.capital_raises.total_offering_amount is 'Whole offering; null where it is indefinite [USD]';
comment on column query_capital.capital_raises.total_amount_sold is 'Sold since the first sale, cumulative [USD]';
comment on column query_capital.capital_raises.date_of_first_sale is 'Day of the first sale';
comment on column query_capital.capital_raises.is_equity is '1: equity is offered; else 0';
comment on column query_capital.capital_raises.is_debt is '1: debt is offered; else 0';
comment on column query_capital.capital_raises.related_persons is 'Officers, directors and promoters: an array of objects with name, relationships, city and state';
comment on column query_capital.capital_raises.energy_keyword is '1: industry or words are the energy sector''s; else 0';
comment on column query_capital.capital_raises.developer_id is 'Number of the developer that it was matched to';
comment on column query_capital.capital_raises.developer_canonical is 'Canonical name of that developer';
comment on column query_capital.capital_raises.project_name is 'Project that the issuer''s name is of';
comment on column query_capital.capital_raises.match_method is 'What it was matched by; none where it was not';
comment on column query_capital.capital_raises.match_confidence is 'How sure the match is, 0 to 1 [fraction]';
comment on column query_capital.capital_raises.matched_text is 'What it was matched with';
comment on column query_capital.capital_raises.chain is 'The offering: a filing and its amendments share it';
comment on column query_capital.capital_raises.is_latest is 'The newest of its offering with a believable amount sold (else the newest): the one whose amounts count';

create view query_capital.developer_raises as
  select r.developer_id, d.canonical_name as developer, d.tier,
    coalesce(sum(r.total_amount_sold) filter (where r.is_latest and r.total_amount_sold > 0), 0)::float8 as capital_raised,
    count(*) filter (where r.is_latest) as raise_count, max(r.filing_date) as latest_raise
  from raises r join developers d using (developer_id) where r.filing_date <= current_date
  group by r.developer_id, d.canonical_name, d.tier;
comment on view query_capital.developer_raises is 'What each developer raised by exempt offerings, as GET /capital/leaderboard counts it; how it stands beside what it built is in developer_standings of the database scoring';
comment on column query_capital.developer_raises.developer_id is 'Number of the developer';
comment on column query_capital.developer_raises.developer is 'Canonical name';
comment on column query_capital.developer_raises.tier is 'Tier of the developer';
comment on column query_capital.developer_raises.capital_raised is 'Sold by the newest filing of each of its offerings [USD]';
comment on column query_capital.developer_raises.raise_count is 'Its offerings';
comment on column query_capital.developer_raises.latest_raise is 'Day of its latest filing';

create view query_capital.indexed_filings as
  select accession_number, cik, company, form, filing_date, file_number, state, attempted_at from indexed_filings;
comment on view query_capital.indexed_filings is 'Form D filings that an index of the SEC names, whether or not their content is here';
comment on column query_capital.indexed_filings.accession_number is 'The SEC''s number of the filing';
comment on column query_capital.indexed_filings.cik is 'The SEC''s number of the company';
comment on column query_capital.indexed_filings.company is 'Company as the index names it';
comment on column query_capital.indexed_filings.form is 'D or D/A';
comment on column query_capital.indexed_filings.filing_date is 'Day of filing';
comment on column query_capital.indexed_filings.file_number is 'The SEC''s number of the offering';
comment on column query_capital.indexed_filings.state is 'stored: in capital_raises; known: not fetched yet; missing: not to be had';
comment on column query_capital.indexed_filings.attempted_at is 'When it was last asked for, UTC';

create view query_capital.sources as
  select pipeline as source, records, unchecked_records, last_checked_at as last_checked, last_success_at as last_success,
    last_changed_at as last_changed, last_outcome
  from source_records where database = 'capital';
comment on view query_capital.sources is 'How fresh the exempt offerings are';
comment on column query_capital.sources.source is 'form-d';
comment on column query_capital.sources.records is 'Filings that are stored';
comment on column query_capital.sources.unchecked_records is 'Filings that an index names and whose content is not here';
comment on column query_capital.sources.last_checked is 'When it was last looked at, UTC';
comment on column query_capital.sources.last_success is 'When it was last taken in or found unchanged, UTC';
comment on column query_capital.sources.last_changed is 'When it last brought something new, UTC';
comment on column query_capital.sources.last_outcome is 'Outcome of the last look: applied, unchanged, refused or failed';

grant select on query_capital.capital_raises, query_capital.developer_raises, query_capital.indexed_filings, query_capital.sources
  to query_capital;
