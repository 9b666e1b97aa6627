-- Why: the queues of seven operators as they are, and what changed.

-- Whether the operator's newest list shows a request. An absent one has disappeared once a later list confirms it.
create function listing_of(missing_since timestamptz, disappeared_at timestamptz) returns text language sql immutable parallel safe as $$
  select case when disappeared_at is not null then 'disappeared' when missing_since is not null then 'missing' else 'listed' end
$$;

create table projects (
  id text primary key,
  queue_id text not null,
  region text not null,
  feed text not null,
  key text not null,
  unit text,
  kind text not null,
  name text,
  state text,
  county text,
  counties text[] not null default '{}',
  fips text,
  developer text,
  developer_tier text,
  developer_id integer references developers,
  developer_canonical text,
  type text,
  type_std text not null,
  status text,
  status_std text not null,
  -- Basis of the standard status: a value that was filed, a milestone, a day, or what another publisher says, with its evidence.
  status_basis text,
  status_evidence text,
  status_flag text,
  capacity_mw float8,
  -- The parts of a hybrid, each with its technology and its megawatts as filed.
  components jsonb not null default '[]',
  summer_mw float8,
  winter_mw float8,
  queue_date date,
  cod date,
  actual_cod date,
  withdrawn_date date,
  ia_date date,
  backfeed_date date,
  energized_date date,
  security_posted boolean,
  construction_stage text not null,
  construction_stage_confidence float8 not null,
  study_phase text,
  study_phase_filed text,
  ia_status text not null,
  ia_status_filed text,
  poi text,
  utility text,
  cluster text,
  service text,
  lat float8,
  lon float8,
  location_precision text,
  -- Copied from scoring, with the version of the score: null and 0 before the first.
  energy_community_eligible boolean,
  low_income_eligible boolean,
  domestic_content_eligible boolean,
  domestic_content_basis text,
  tax_credit_type text,
  tax_credit_status text,
  tax_credit_pct float8,
  estimated_credit_value float8,
  effective_credit_rate float8,
  needs_capital boolean,
  investable boolean,
  investability_score integer,
  score_seen bigint not null default 0,
  first_seen_at timestamptz not null,
  last_changed_at timestamptz not null,
  missing_since timestamptz,
  disappeared_at timestamptz,
  -- listing_of the two columns above, written by a trigger: with a generated column, whole rows could not be copied.
  listed text not null default 'listed',
  version bigint not null,
  raw jsonb not null default '{}',
  -- Hash of the standardised row as staged, so that equal rows are recognised without comparing columns.
  row_hash text not null,
  -- The row of GET /projects as JSON, written once when the row changes and read many times.
  body text not null
);
-- Totals and pages of a state, an operator and a developer come from these alone: they contain the columns most often filtered and sorted by.
create index projects_by_state on projects (state, id)
  include (kind, listed, region, type_std, status_std, capacity_mw, queue_date, construction_stage);
create index projects_by_region on projects (region, id)
  include (kind, listed, state, type_std, status_std, capacity_mw, queue_date, construction_stage);
create index projects_by_developer on projects (developer_id, capacity_mw desc nulls last, id)
  include (kind, listed, status_std, queue_date, construction_stage) where developer_id is not null;
-- Other filters and orders read this one, a tenth of the table's pages. Free text is left out: an index row has a size limit.
create index projects_by_id on projects (id)
  include (kind, listed, region, state, type_std, status_std, capacity_mw, queue_date, cod, last_changed_at, lat, lon, fips, construction_stage,
    construction_stage_confidence, study_phase, ia_status, developer_id, developer_tier, energy_community_eligible, low_income_eligible,
    tax_credit_pct, effective_credit_rate, estimated_credit_value, needs_capital, investable, investability_score);
-- The few requests that are not for generation.
create index projects_by_kind on projects (kind, id) where kind <> 'generation';
-- /sources counts the requests of each list, and those that are missing from it.
create index projects_by_feed on projects (feed) include (missing_since);
-- Index-only scans skip the table only for pages vacuumed since their last write, and by default autovacuum waits until a fifth of the rows has
-- changed. Bodies slightly exceed the size at which PostgreSQL compresses them, and decompression took a third of the time of a list of 500.
alter table projects set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, toast_tuple_target = 4080);

-- The type of a body and what writes it follow from the fields of the contract: queues/project-body.ts.
create function write_project_body() returns trigger language plpgsql as 'begin return new; end';
create trigger projects_body_insert before insert on projects for each row execute function write_project_body();
-- Lists do not show `raw`, so an update of it alone does not rewrite the body. A copied score changes the body but not the version, because
-- the request as published has not changed.
create trigger projects_body_update before update on projects for each row
  when ((old.version, old.status_std, old.status_evidence, old.energy_community_eligible, old.low_income_eligible,
      old.domestic_content_eligible, old.domestic_content_basis,
      old.tax_credit_type, old.tax_credit_status, old.tax_credit_pct, old.estimated_credit_value,
      old.effective_credit_rate, old.needs_capital, old.investable, old.investability_score)
    is distinct from (new.version, new.status_std, new.status_evidence, new.energy_community_eligible, new.low_income_eligible,
      new.domestic_content_eligible, new.domestic_content_basis,
      new.tax_credit_type, new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value,
      new.effective_credit_rate, new.needs_capital, new.investable, new.investability_score))
  execute function write_project_body();

create function write_listed() returns trigger language plpgsql as $$
begin
  new.listed := listing_of(new.missing_since, new.disappeared_at);
  return new;
end
$$;
create trigger projects_listed before insert or update of missing_since, disappeared_at on projects
  for each row execute function write_listed();

-- Requests that were deleted altogether, like those of the sample, for clients that follow changes.
create table deleted_projects (
  id text primary key,
  deleted_at timestamptz not null default now(),
  -- The last one that was published: a request that comes back goes on from it.
  version bigint not null
);
create function remember_deleted() returns trigger language plpgsql as $$
begin
  insert into deleted_projects (id, version) select id, version from removed
  on conflict (id) do update set deleted_at = excluded.deleted_at, version = excluded.version;
  return null;
end
$$;
create trigger projects_deleted after delete on projects referencing old table as removed
  for each statement execute function remember_deleted();

-- Every number a request was ever filed under. A rebuild reads the lists before it writes the requests.
create table project_aliases (
  project_id text not null references projects deferrable initially deferred,
  number text not null,
  region text not null,
  key text not null,
  first_seen_at timestamptz not null,
  primary key (project_id, number)
);
create index project_aliases_key on project_aliases (region, key);

create table changes (
  seq bigint primary key,
  snapshot_id bigint not null references snapshots,
  detected_at timestamptz not null,
  region text not null,
  feed text not null,
  project_id text,
  -- Version of the request after the change; null for a change of many requests.
  version bigint,
  queue_id text,
  kind text,
  change_type text not null,
  field_name text,
  old_value text,
  new_value text,
  project_name text,
  developer_canonical text,
  capacity_mw float8,
  type_std text,
  state text,
  -- By a list that is not the next one: loaded after a newer one, taken back, or read again.
  backfilled boolean not null default false
);
create index changes_detected_at on changes (detected_at desc, seq desc);
-- Pages of an operator's changes, and of one kind of change, come in order from these.
create index changes_region on changes (region, detected_at desc, seq desc) include (change_type);
create index changes_type on changes (change_type, detected_at desc, seq desc);
create index changes_project on changes (project_id);
create index changes_cod on changes (project_id, seq) where field_name = 'cod';

-- Changes of a request's projected date, oldest first, as events contain them; a list that recoded its dates changed none.
create function cod_changes(wanted text) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('on', to_char(detected_at at time zone 'UTC', 'YYYY-MM-DD'),
    'old', old_value, 'new', new_value) order by seq), '[]')
  from changes where project_id = wanted and field_name = 'cod'
$$;

-- Requests whose date ever changed, so that publishing looks up no changes for the others.
create view moved_projects as
  select distinct project_id from changes where field_name = 'cod' and project_id is not null;

-- Newest row of each list, by request: cells as filed, by header. Earlier values are in `changes`.
create table filed_rows (
  project_id text not null references projects on delete cascade deferrable initially deferred,
  feed text not null,
  cells jsonb not null,
  primary key (project_id, feed)
);

-- Requests whose status follows another publisher.
create table evidenced_statuses (
  project_id text primary key references projects on delete cascade,
  -- The served status.
  status_std text not null,
  -- Values by the operator's list alone: status_std, status_basis, construction_stage, its confidence, ia_status.
  filed jsonb not null
);

-- Developers of requests whose operator names none, or only a project company, found through the EIA's data on the plant.
create table project_developers (
  project_id text primary key references projects on delete cascade,
  developer_id integer not null references developers,
  method text not null,
  confidence float8 not null,
  -- The name that led to the developer, and why.
  company text not null,
  evidence text not null,
  -- The plant through which it was found; null where the filed name itself led to the developer.
  plant_id integer
);
create index project_developers_developer on project_developers (developer_id);

-- The developer of a request: by a person's correction, else by the filed name, else through its plant.
create function request_developer(wanted text, filed text)
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

-- A request as portfolios count it: in its present state, or in that of a past day.
create type portfolio_request as (
  developer_id integer,
  status_std text,
  construction_stage text,
  capacity_mw double precision,
  state text,
  type_std text
);

-- Portfolios of the wanted developers, with or without requests.
create function portfolios_from(wanted integer[], requests portfolio_request[])
returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  with theirs as materialized (
    select r.developer_id as id, r.status_std, r.construction_stage, r.capacity_mw, r.state, r.type_std from unnest(requests) r),
  totals as (
    select id, count(*) as projects, sum(capacity_mw) as mw,
      sum(capacity_mw) filter (where status_std = 'Operational') as operating,
      sum(capacity_mw) filter (where construction_stage = 'construction') as building,
      sum(capacity_mw) filter (where status_std = 'Active') as active,
      count(*) filter (where status_std = 'Withdrawn') as withdrawn,
      count(*) filter (where status_std = 'Operational') as operational
    from theirs group by id),
  states as (
    select id, jsonb_agg(state order by mw desc nulls last, state) as list from (
      select id, state, sum(capacity_mw) as mw from theirs where status_std = 'Active' and state is not null group by id, state) s
    group by id),
  technologies as (
    select id, jsonb_agg(type_std order by place) as list from (
      select id, type_std, row_number() over (partition by id order by sum(capacity_mw) desc nulls last, type_std) as place
      from theirs where type_std <> 'Unknown' group by id, type_std) t
    where place <= 3 group by id)
  select w.id, jsonb_build_object(
    'total_projects', coalesce(t.projects, 0), 'total_capacity_mw', mw(t.mw), 'operating_capacity_mw', mw(t.operating),
    'in_construction_mw', mw(t.building), 'active_capacity_mw', mw(t.active),
    'withdrawn_projects', coalesce(t.withdrawn, 0), 'operational_projects', coalesce(t.operational, 0),
    'completion_rate', round(t.operational::numeric / nullif(t.operational + t.withdrawn, 0), 4)::float8,
    'states_active', coalesce(s.list, '[]'), 'primary_technologies', coalesce(k.list, '[]'))
  from unnest(wanted) as w (id) left join totals t using (id) left join states s using (id) left join technologies k using (id)
$$;

create function portfolios_of(wanted integer[]) returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  select * from portfolios_from(wanted, array(
    select (p.developer_id, p.status_std, p.construction_stage, p.capacity_mw, p.state, p.type_std)::portfolio_request from projects p
    where p.developer_id = any(wanted) and p.kind = 'generation' and p.listed = 'listed'))
$$;

-- Berkeley Lab's yearly list: history and comparison, never a project of an operator.
create table lbnl_requests (
  entity text not null,
  q_id text not null,
  repeat integer not null,
  lbnl_region text,
  key text not null,
  status_std text not null,
  request jsonb not null,
  primary key (entity, q_id, repeat)
);
create index lbnl_requests_key on lbnl_requests (lbnl_region, key);

-- Comparisons with what other publishers count in the same queues, made when a list or an edition is loaded.
create table reconciliations (
  source text not null,
  region text not null,
  -- Position in responses.
  place integer not null,
  -- Totals, reasons and examples, as served.
  body jsonb not null,
  primary key (source, region)
);

-- The lists, editions and rules that were compared.
create table reconciled_editions (
  only_row boolean primary key default true check (only_row),
  basis text not null,
  computed_at timestamptz not null
);
