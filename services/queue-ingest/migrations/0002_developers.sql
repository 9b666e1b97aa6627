-- Why: who is behind each request. Developers, the names they go by, which company each is in the registers of others, what every filed name
-- was found to be; objections to what is stated, and corrections of a person, which win over rules.

create table developers (
  developer_id integer generated always as identity primary key,
  canonical_name text not null unique,
  -- The name less its legal form: what distinguishes two spellings of one company from two companies.
  full_key text not null unique,
  tier text not null,
  headquarters_state text,
  -- As in the register, which may name several owners or a kind of owner; `parent_name` where it is one company.
  parent_company text,
  parent_name text,
  -- seen: a source states the parent or the existence; known: general knowledge.
  certainty text check (certainty in ('seen', 'known')),
  -- In the curated register; false: only named in a queue.
  known boolean not null,
  ambiguous boolean not null default false,
  contact_published boolean not null default false,
  prefixes text[] not null default '{}',
  -- Totals over its generation requests, as `portfolios_of` computes them; written by the transactions that change the requests.
  portfolio jsonb not null,
  total_projects integer not null generated always as ((portfolio ->> 'total_projects')::integer) stored,
  active_capacity_mw float8 not null generated always as ((portfolio ->> 'active_capacity_mw')::float8) stored,
  completion_rate float8 generated always as ((portfolio ->> 'completion_rate')::float8) stored,
  -- Copied from scoring, with the version of the rating; null and 0 before the first.
  needs_capital boolean,
  tax_credit_activity text,
  distress_level text,
  rated_version bigint not null default 0,
  version bigint not null default 1,
  updated_at timestamptz not null default now()
);
-- The default order of lists, and the total, from the index alone (`listed_developers`).
create index developers_listed_capacity
  on developers (total_projects desc nulls last, active_capacity_mw desc, developer_id) where known or total_projects > 0;
-- Index-only scans skip the table only for pages that were vacuumed since they were last written.
alter table developers set (autovacuum_vacuum_scale_factor = 0.01);

create table developer_aliases (
  developer_id integer not null references developers,
  alias text not null,
  -- The alias alone is an ordinary word, or several companies': it needs context.
  ambiguous boolean not null,
  -- register: of the curated list; former: a canonical name that it had here before.
  origin text not null check (origin in ('register', 'former')),
  primary key (developer_id, alias)
);

-- Edition of the curated register in the tables above.
create table register_edition (
  only_row boolean primary key default true check (only_row),
  sha256 text not null,
  applied_at timestamptz not null default now()
);

-- Every name that an operator filed, with the developer that it was matched to and the evidence.
create table developer_links (
  raw_name text primary key,
  -- Equal for every spelling of one name.
  full_key text not null,
  outcome text not null check (outcome in ('matched', 'review', 'shell', 'new', 'none')),
  developer_id integer references developers,
  method text,
  confidence float8,
  matched_text text,
  -- A company made for one project; `family` is what its sisters share ("blue jay solar" of "Blue Jay Solar II, LLC").
  is_shell boolean not null,
  family text,
  -- For reviews: near matches.
  candidates jsonb,
  reason text,
  linked_at timestamptz not null default now(),
  check ((developer_id is not null) = (outcome in ('matched', 'new')))
);
create index developer_links_developer on developer_links (developer_id);
create index developer_links_full_key on developer_links (full_key);

-- Developers by filed name.
create view named_developers as
  select l.raw_name, d.developer_id, d.canonical_name, d.tier, d.needs_capital
  from developer_links l join developers d using (developer_id);

-- Without companies that only queues named and that no request names any more.
create view listed_developers as select * from developers where known or total_projects > 0;

-- Developers as responses show them.
create view developer_rows as
  select d.developer_id, d.canonical_name, d.tier, p.*, d.needs_capital
  from developers d cross join lateral jsonb_to_record(d.portfolio) as p (
    total_projects integer, total_capacity_mw float8, operating_capacity_mw float8, in_construction_mw float8,
    active_capacity_mw float8, withdrawn_projects integer, operational_projects integer, completion_rate float8,
    states_active jsonb, primary_technologies jsonb);

-- Statements about the companies behind a name: material for people who curate developers, never served by itself.
create table company_evidence (
  source text not null check (source in ('eia_861', 'gem', 'sec_exhibit_21', 'sec_company_tickers')),
  -- Unit that is replaced as a whole: a data year, a release, a filing's accession number.
  edition text not null,
  -- Row of the file, from 1 below its header, and statement within it.
  row_number integer not null,
  position integer not null,
  raw_name text not null,
  parent_name text,
  -- 0 to 1, of the parent; null where none is stated.
  share float8,
  location text,
  registrant_cik bigint,
  utility_id integer,
  ownership_type text,
  -- Attribution that the licence requires.
  attribution text,
  sha256 text not null references raw_files,
  primary key (source, edition, row_number, position)
);
create index company_evidence_name on company_evidence (spelling(raw_name));

create table developer_identifiers (
  scheme text not null check (scheme in ('cik', 'lei', 'eia_utility', 'eia_entity')),
  value text not null,
  developer_id integer not null references developers on delete cascade,
  -- legal_name, name, alias or correction.
  method text not null,
  confidence float8 not null,
  -- In words.
  evidence text not null,
  source text not null,
  -- A number identifies one company, and so one developer.
  primary key (scheme, value)
);
create index developer_identifiers_developer on developer_identifiers (developer_id);

-- The names and files that the identifiers were computed from.
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
  -- Served value at the time of the objection.
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
  -- request: the developer of a request; name: the developer of a filed name in every spelling; identifier: the holder of a number.
  about text not null check (about in ('request', 'name', 'identifier')),
  project_id text,
  full_key text,
  raw_name text,
  scheme text,
  value text,
  -- Null: no developer.
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
