-- Why: which company a developer is in the registers of others, objections to what is stated, and corrections of a person, which win over rules.

create table developer_identifiers (
  scheme text not null check (scheme in ('cik', 'lei', 'eia_utility', 'eia_entity')),
  value text not null,
  developer_id integer not null references developers on delete cascade,
  -- legal_name, name, alias or correction.
  method text not null,
  confidence float8 not null,
  -- For people.
  evidence text not null,
  source text not null,
  -- A number is one company's, and so one developer's.
  primary key (scheme, value)
);
create index developer_identifiers_developer on developer_identifiers (developer_id);

-- On which names and files the identifiers rest.
create table identified_editions (
  only_row boolean primary key default true check (only_row),
  editions text not null
);

create table disputes (
  dispute_id integer generated always as identity primary key,
  about text not null check (about in ('project_field', 'developer_link', 'identifier', 'ownership')),
  project_id text,
  field text,
  developer_id integer references developers on delete cascade,
  scheme text,
  value text,
  -- What was served when it was objected to.
  stated text,
  proposed text,
  reason text not null,
  evidence_url text not null,
  -- An account or an address; null once the dispute is settled.
  filer text,
  state text not null default 'open' check (state in ('open', 'accepted', 'refused')),
  opened_at timestamptz not null,
  settled_at timestamptz,
  settled_by text,
  decision text,
  check ((state = 'open') = (settled_at is null))
);
create index disputes_open on disputes (opened_at) where state = 'open';
create index disputes_filer on disputes (filer, opened_at) where filer is not null;

create table corrections (
  correction_id integer generated always as identity primary key,
  -- request: the developer of a request; name: of a filed name in every spelling; identifier: whose a number is.
  about text not null check (about in ('request', 'name', 'identifier')),
  project_id text,
  full_key text,
  raw_name text,
  scheme text,
  value text,
  -- Null: no developer's.
  developer_id integer references developers on delete cascade,
  author text not null,
  made_at timestamptz not null,
  reason text not null,
  evidence_url text,
  dispute_id integer references disputes on delete set null,
  ended_at timestamptz,
  ended_by text,
  ended_reason text,
  check (case about when 'request' then project_id is not null when 'name' then full_key is not null and raw_name is not null
    else scheme is not null and value is not null end)
);
create unique index corrections_request on corrections (project_id) where about = 'request' and ended_at is null;
create unique index corrections_name on corrections (full_key) where about = 'name' and ended_at is null;
create unique index corrections_identifier on corrections (scheme, value) where about = 'identifier' and ended_at is null;

create function correction_text(c corrections) returns text language sql stable as $$
  select 'corrected by ' || c.author || ' on ' || to_char(c.made_at at time zone 'UTC', 'YYYY-MM-DD') || ': ' || c.reason
    || coalesce(' (' || c.evidence_url || ')', '')
$$;

-- The developer of a request: what a person said of it, else whose name was filed, else the one that was found.
create or replace function request_developer(wanted text, filed text)
returns table (developer_id integer, canonical_name text, tier text, needs_capital boolean) language sql stable as $$
  select d.developer_id, d.canonical_name, d.tier, d.needs_capital
  from corrections c join developers d using (developer_id)
  where c.project_id = wanted and c.about = 'request' and c.ended_at is null
  union all
  select n.developer_id, n.canonical_name, n.tier, n.needs_capital from named_developers n
  where n.raw_name = filed
    and not exists (select from corrections c where c.project_id = wanted and c.about = 'request' and c.ended_at is null)
  union all
  select d.developer_id, d.canonical_name, d.tier, d.needs_capital
  from project_developers l join developers d using (developer_id)
  where l.project_id = wanted and not exists (select from named_developers n where n.raw_name = filed)
    and not exists (select from corrections c where c.project_id = wanted and c.about = 'request' and c.ended_at is null)
$$;

-- One more file about companies says something of them: SEC's list of listed ones.
alter table company_evidence drop constraint company_evidence_source_check;
alter table company_evidence add constraint company_evidence_source_check
  check (source in ('eia_861', 'gem', 'sec_exhibit_21', 'sec_company_tickers')) not valid;

create or replace view developer_sources as
  select 'developer-register' as source, (select count(*) from developers where known) as records, e.applied_at as last_checked_at,
    e.applied_at as last_changed_at
  from (select 1) one left join register_edition e on true
  union all
  select s.source, coalesce(sum(c.n), 0)::bigint, max(f.fetched_at), max(f.fetched_at)
  from unnest(array['eia_861', 'gem', 'sec_company_tickers', 'sec_exhibit_21']) as s (source)
    left join (select source, sha256, count(*) as n from company_evidence group by source, sha256) c using (source)
    left join lateral (select max(fetched_at) as fetched_at from snapshot_files f where f.sha256 = c.sha256) f on true
  group by s.source;
