-- Why: what scoring says of requests and developers, kept beside them, so that lists, filters, totals and exports need not ask.

alter table projects
  add column tax_credit_status text,
  -- Version of the copied score; 0 before the first.
  add column score_seen bigint not null default 0;

alter table developers
  -- Version of the copied rating; 0 before the first.
  add column rated_version bigint not null default 0,
  add column distress_level text;

-- The developer that a filed name was found to be.
create or replace view named_developers as
  select l.raw_name, d.developer_id, d.canonical_name, d.tier, d.needs_capital
  from developer_links l join developers d using (developer_id);

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
    new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value, new.effective_credit_rate,
    new.needs_capital, new.investable, new.investability_score, new.feed, iso(new.first_seen_at) as first_seen_at,
    iso(new.last_changed_at) as last_changed_at, iso(new.missing_since) as missing_since, new.version) row);
  return new;
end
$$;

-- A copy gives a request no new version: what is published of it has not changed. Its body is written again all the same.
drop trigger projects_body_update on projects;
create trigger projects_body_update before update on projects for each row
  when ((old.version, old.energy_community_eligible, old.low_income_eligible, old.domestic_content_eligible,
      old.tax_credit_type, old.tax_credit_status, old.tax_credit_pct, old.estimated_credit_value,
      old.effective_credit_rate, old.needs_capital, old.investable, old.investability_score)
    is distinct from (new.version, new.energy_community_eligible, new.low_income_eligible, new.domestic_content_eligible,
      new.tax_credit_type, new.tax_credit_status, new.tax_credit_pct, new.estimated_credit_value,
      new.effective_credit_rate, new.needs_capital, new.investable, new.investability_score))
  execute function write_project_body();

-- Bodies written before this migration gain the new field, under the version that they have.
create trigger projects_body_rewrite before update on projects for each row execute function write_project_body();
update projects set score_seen = 0;
drop trigger projects_body_rewrite on projects;

create index changes_cod on changes (project_id, seq) where field_name = 'cod';

-- Every move of a request's projected date, oldest first, as events carry them; a list that was recoded moved none.
create function cod_changes(wanted text) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('on', to_char(detected_at at time zone 'UTC', 'YYYY-MM-DD'),
    'old', old_value, 'new', new_value) order by seq), '[]')
  from changes where project_id = wanted and field_name = 'cod'
$$;

-- Requests whose date ever moved: joined with what is published, so that nothing is looked up for those whose date did not.
create view moved_projects as
  select distinct project_id from changes where field_name = 'cod' and project_id is not null;

-- As portfolio_of, of many developers in one pass: a first load has no statistics yet, and one pass for each is then as slow as the
-- table is long.
create function portfolios_of(wanted integer[]) returns table (developer_id integer, portfolio jsonb) language sql stable as $$
  with theirs as materialized (
    select p.developer_id as id, p.status_std, p.construction_stage, p.capacity_mw, p.state, p.type_std from projects p
    where p.developer_id = any(wanted) and p.kind = 'generation' and p.listed = 'listed'),
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
