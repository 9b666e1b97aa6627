-- Why: the developers as strangers' SQL may read them (database `developer`): documented views, named as the HTTP fields are.

create view query_developer.developers as
  select d.developer_id, d.canonical_name, d.tier, d.total_projects, p.total_capacity_mw, p.operating_capacity_mw,
    p.in_construction_mw, d.active_capacity_mw, p.withdrawn_projects, p.operational_projects, d.completion_rate,
    array(select jsonb_array_elements_text(d.portfolio -> 'states_active')) as states_active,
    array(select jsonb_array_elements_text(d.portfolio -> 'primary_technologies')) as primary_technologies,
    d.needs_capital, d.headquarters_state, d.parent_company, d.parent_name, d.certainty, d.tax_credit_activity, d.distress_level,
    d.contact_published, d.known, d.updated_at
  from listed_developers l join developers d using (developer_id)
    cross join lateral jsonb_to_record(d.portfolio) as p (total_capacity_mw float8, operating_capacity_mw float8,
      in_construction_mw float8, withdrawn_projects integer, operational_projects integer);
comment on view query_developer.developers is 'One row per developer with the totals of its generation requests, as GET /developers and GET /developers/{developer_id} show it';
comment on column query_developer.developers.developer_id is 'Number of the developer';
comment on column query_developer.developers.canonical_name is 'Canonical name';
comment on column query_developer.developers.tier is 'major_utility, major_ipp, mid_platform, pe_fund, independent, oil_major or unknown';
comment on column query_developer.developers.total_projects is 'Its requests';
comment on column query_developer.developers.total_capacity_mw is 'Capacity of all its requests [MW]';
comment on column query_developer.developers.operating_capacity_mw is 'Capacity of its requests that operate [MW]';
comment on column query_developer.developers.in_construction_mw is 'Capacity of its requests under construction [MW]';
comment on column query_developer.developers.active_capacity_mw is 'Capacity of its requests that are still in a queue [MW]';
comment on column query_developer.developers.withdrawn_projects is 'Its requests that were withdrawn';
comment on column query_developer.developers.operational_projects is 'Its requests that operate';
comment on column query_developer.developers.completion_rate is 'Operational requests among those that came to an end; null where none has [fraction]';
comment on column query_developer.developers.states_active is 'States of requests still in a queue, most capacity first';
comment on column query_developer.developers.primary_technologies is 'At most three technologies, most capacity first';
comment on column query_developer.developers.needs_capital is 'Whether it needs capital; null before it was rated';
comment on column query_developer.developers.headquarters_state is 'US state of its headquarters, else the country or province code';
comment on column query_developer.developers.parent_company is 'Parent as the register words it: perhaps several owners, or a kind of owner';
comment on column query_developer.developers.parent_name is 'Parent where it is one company';
comment on column query_developer.developers.certainty is 'seen: parent or existence stands in a source; known: general knowledge, not yet verified';
comment on column query_developer.developers.tax_credit_activity is 'How much tax credit its open requests from stage mid on would bring: none, low, medium or high';
comment on column query_developer.developers.distress_level is 'Low, Moderate, Elevated or High; null before it was rated';
comment on column query_developer.developers.contact_published is 'Whether it publishes a contact';
comment on column query_developer.developers.known is 'Of the curated register; else only named in a queue';
comment on column query_developer.developers.updated_at is 'When the row last changed, UTC';

create view query_developer.aliases as
  select a.developer_id, d.canonical_name, a.alias, a.ambiguous, a.origin
  from developer_aliases a join developers d using (developer_id);
comment on view query_developer.aliases is 'Other names that a developer goes by';
comment on column query_developer.aliases.developer_id is 'Number of the developer';
comment on column query_developer.aliases.canonical_name is 'Its canonical name';
comment on column query_developer.aliases.alias is 'Another name of it';
comment on column query_developer.aliases.ambiguous is 'Whether the alias alone is an ordinary word, or several companies'', and needs context';
comment on column query_developer.aliases.origin is 'register: of the curated register; former: a canonical name that it had here before';

create view query_developer.filed_names as
  select l.raw_name, l.outcome, l.developer_id, d.canonical_name, d.tier, l.method, l.confidence, l.matched_text, l.is_shell, l.reason,
    l.linked_at
  from developer_links l left join developers d using (developer_id);
comment on view query_developer.filed_names is 'What every name that an operator filed was found to be: projects.developer is raw_name here';
comment on column query_developer.filed_names.raw_name is 'Name as filed';
comment on column query_developer.filed_names.outcome is 'matched; new: a company that only queues name; shell: a project company of nobody known; review: nearly matched, waits for a person; none: no company';
comment on column query_developer.filed_names.developer_id is 'Number of the developer; null where none was found';
comment on column query_developer.filed_names.canonical_name is 'Canonical name of the developer';
comment on column query_developer.filed_names.tier is 'Tier of the developer';
comment on column query_developer.filed_names.method is 'How it was found: developer_exact, developer_alias, developer_distinct, developer_prefix or developer_fuzzy';
comment on column query_developer.filed_names.confidence is 'How sure the match is, 0 to 1 [fraction]';
comment on column query_developer.filed_names.matched_text is 'What it was matched with';
comment on column query_developer.filed_names.is_shell is 'Whether it is a company made for one project';
comment on column query_developer.filed_names.reason is 'Why it was not matched, where it was not';
comment on column query_developer.filed_names.linked_at is 'When it was decided, UTC';

create view query_developer.company_evidence as
  select source, edition, row_number, raw_name, parent_name, share, location, registrant_cik, utility_id, ownership_type, attribution
  from company_evidence;
comment on view query_developer.company_evidence is 'Who published files say stands behind a company''s name: material for judging developers, never an answer by itself. Show `attribution` with what you use';
comment on column query_developer.company_evidence.source is 'eia_861 (form EIA-861), gem (Global Energy Monitor) or sec_exhibit_21 (subsidiaries in annual reports)';
comment on column query_developer.company_evidence.edition is 'Data year, release, or accession number of the filing';
comment on column query_developer.company_evidence.row_number is 'Row of the file, from 1 below its header';
comment on column query_developer.company_evidence.raw_name is 'Company as named';
comment on column query_developer.company_evidence.parent_name is 'Its parent as named; null where none is stated';
comment on column query_developer.company_evidence.share is 'What the parent holds, 0 to 1; null where none is stated [fraction]';
comment on column query_developer.company_evidence.location is 'Place as stated: of the utility, the plant or the incorporation';
comment on column query_developer.company_evidence.registrant_cik is 'Number of the registrant with the SEC';
comment on column query_developer.company_evidence.utility_id is 'EIA''s number of the utility';
comment on column query_developer.company_evidence.ownership_type is 'Kind of ownership in EIA''s words: Municipal, Investor Owned and so on';
comment on column query_developer.company_evidence.attribution is 'What the licence asks to be shown with it';

-- No pipeline is watched for these: they come in by hand.
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

create view query_developer.sources as
  select source, records, last_checked_at as last_checked, last_changed_at as last_changed from developer_sources;
comment on view query_developer.sources is 'How fresh the register of developers and the files of company_evidence are';
comment on column query_developer.sources.source is 'developer-register, or a source of company_evidence';
comment on column query_developer.sources.records is 'Rows that stand on it';
comment on column query_developer.sources.last_checked is 'When it was last taken in, UTC; null: never';
comment on column query_developer.sources.last_changed is 'When it last brought something new, UTC';

grant select on query_developer.developers, query_developer.aliases, query_developer.filed_names, query_developer.company_evidence,
  query_developer.sources to query_developer;
