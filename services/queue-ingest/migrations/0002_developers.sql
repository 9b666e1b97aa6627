-- Why: who is behind each request. Developers, the names they go by, and what every filed name was found to be.

create table developers (
  developer_id integer generated always as identity primary key,
  canonical_name text not null unique,
  -- The name less its legal form: what distinguishes two spellings of one company from two companies.
  full_key text not null unique,
  tier text not null,
  headquarters_state text,
  -- As the register words it, which may be several owners or a kind of owner; `parent_name` where it is one company.
  parent_company text,
  parent_name text,
  -- seen: parent or existence stands in a source; known: general knowledge.
  certainty text check (certainty in ('seen', 'known')),
  -- Of the curated register; else only named in a queue.
  known boolean not null,
  ambiguous boolean not null default false,
  contact_published boolean not null default false,
  prefixes text[] not null default '{}',
  -- Totals over its generation requests, as `portfolio_of` computes them; written by the transactions that change the requests.
  portfolio jsonb not null,
  total_projects integer not null generated always as ((portfolio ->> 'total_projects')::integer) stored,
  active_capacity_mw float8 not null generated always as ((portfolio ->> 'active_capacity_mw')::float8) stored,
  completion_rate float8 generated always as ((portfolio ->> 'completion_rate')::float8) stored,
  -- Filled by later work; null until a source states them.
  needs_capital boolean,
  tax_credit_activity text,
  version bigint not null default 1,
  updated_at timestamptz not null default now()
);

create table developer_aliases (
  developer_id integer not null references developers,
  alias text not null,
  -- The alias alone is an ordinary word, or several companies': it needs context.
  ambiguous boolean not null,
  -- register: of the curated list; former: a canonical name that it had here before.
  origin text not null check (origin in ('register', 'former')),
  primary key (developer_id, alias)
);

-- Which edition of the curated register is in the tables above.
create table register_edition (
  only_row boolean primary key default true check (only_row),
  sha256 text not null,
  applied_at timestamptz not null default now()
);

-- What every name that an operator filed was found to be, and on what evidence.
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
  -- Of a review: what it was nearly matched to.
  candidates jsonb,
  reason text,
  linked_at timestamptz not null default now(),
  check ((developer_id is not null) = (outcome in ('matched', 'new')))
);
create index developer_links_developer on developer_links (developer_id);
create index developer_links_full_key on developer_links (full_key);

alter table projects add column developer_id integer references developers;
alter table projects add column developer_canonical text;
-- A developer's projects are read for each of its changes, and listed.
create index projects_developer on projects (developer_id) where developer_id is not null;

create function mw(total float8) returns float8 language sql immutable parallel safe as $$
  select coalesce(round(total::numeric, 3)::float8, 0)
$$;

create function portfolio_of(wanted integer) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'total_projects', count(*),
    'total_capacity_mw', mw(sum(capacity_mw)),
    'operating_capacity_mw', mw(sum(capacity_mw) filter (where status_std = 'Operational')),
    'in_construction_mw', mw(sum(capacity_mw) filter (where construction_stage = 'construction')),
    'active_capacity_mw', mw(sum(capacity_mw) filter (where status_std = 'Active')),
    'withdrawn_projects', count(*) filter (where status_std = 'Withdrawn'),
    'operational_projects', count(*) filter (where status_std = 'Operational'),
    'completion_rate', round(count(*) filter (where status_std = 'Operational')::numeric
      / nullif(count(*) filter (where status_std in ('Operational', 'Withdrawn')), 0), 4)::float8,
    'states_active', coalesce((select jsonb_agg(state order by mw desc nulls last, state) from (
      select state, sum(capacity_mw) as mw from projects
      where developer_id = wanted and kind = 'generation' and status_std = 'Active' and state is not null group by state) s), '[]'),
    'primary_technologies', coalesce((select jsonb_agg(type_std order by mw desc nulls last, type_std) from (
      select type_std, sum(capacity_mw) as mw from projects
      where developer_id = wanted and kind = 'generation' and type_std <> 'Unknown' group by type_std
      order by mw desc nulls last, type_std limit 3) t), '[]'))
  from projects where developer_id = wanted and kind = 'generation'
$$;

-- The developer that a filed name was found to be.
create view named_developers as
  select l.raw_name, d.developer_id, d.canonical_name, d.tier
  from developer_links l join developers d using (developer_id);

-- A company that only queues named, and that no request names any more, is no developer that anyone asks for.
create view listed_developers as select * from developers where known or total_projects > 0;

-- A developer as answers show it.
create view developer_rows as
  select d.developer_id, d.canonical_name, d.tier, p.*, d.needs_capital
  from developers d cross join lateral jsonb_to_record(d.portfolio) as p (
    total_projects integer, total_capacity_mw float8, operating_capacity_mw float8, in_construction_mw float8,
    active_capacity_mw float8, withdrawn_projects integer, operational_projects integer, completion_rate float8,
    states_active jsonb, primary_technologies jsonb);

create or replace function write_project_body() returns trigger language plpgsql as $$
begin
  new.body := (select row_to_json(row)::text from (select
    new.id, new.queue_id, new.name, new.region, new.state, new.county, new.counties, new.fips, new.developer,
    new.developer_tier, new.developer_id, new.developer_canonical, new.type, new.type_std, new.kind, new.status,
    new.status_std, new.status_flag, new.capacity_mw, new.summer_mw, new.winter_mw, new.queue_date, new.cod,
    new.actual_cod, new.withdrawn_date, new.ia_date, new.backfeed_date, new.energized_date, new.security_posted,
    new.construction_stage, new.construction_stage_confidence, new.study_phase, new.study_phase_filed, new.ia_status,
    new.ia_status_filed, new.poi, new.utility, new.cluster, new.service, new.lat, new.lon, new.location_precision,
    new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible, new.tax_credit_type,
    new.tax_credit_pct, new.estimated_credit_value, new.effective_credit_rate, new.needs_capital, new.investable,
    new.investability_score, new.feed, iso(new.first_seen_at) as first_seen_at,
    iso(new.last_changed_at) as last_changed_at, iso(new.missing_since) as missing_since, new.version) row);
  return new;
end
$$;

-- Bodies written before this migration gain the new fields, under the version that they have.
create trigger projects_body_rewrite before update on projects for each row execute function write_project_body();
update projects set developer_tier = 'unknown';
drop trigger projects_body_rewrite on projects;
