-- alone: a month's filings are counted anew whenever one of them comes.
create index concurrently if not exists raises_filing_date on raises (filing_date);
