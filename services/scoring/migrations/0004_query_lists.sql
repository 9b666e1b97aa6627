-- Why: the lists that credits and scores look at, as strangers' SQL may read them (database `scoring`).

create view query_scoring.reference_lists as
  select source, kind, notice, valid_from, published_on, rows, complete, sample, loaded_at from reference_files;
comment on view query_scoring.reference_lists is 'The lists that are loaded; of a kind the newest whole one is used';
comment on column query_scoring.reference_lists.source is 'energy-communities, low-income or ic-costs';
comment on column query_scoring.reference_lists.kind is 'counties, coal-tracts, places, low-income or ic-costs';
comment on column query_scoring.reference_lists.notice is 'Notice, or whose list it is; null of costs';
comment on column query_scoring.reference_lists.valid_from is 'Day from which it holds';
comment on column query_scoring.reference_lists.published_on is 'Day of publication';
comment on column query_scoring.reference_lists.rows is 'Entries';
comment on column query_scoring.reference_lists.complete is 'Whether it says something of every place there is';
comment on column query_scoring.reference_lists.sample is 'Whether it is the bundled sample';
comment on column query_scoring.reference_lists.loaded_at is 'When it was loaded, UTC';

create view query_scoring.energy_community_counties as
  select c.fips, c.statistical, c.area, c.vintage, c.note, f.notice, f.valid_from, f.complete, f.sample
  from energy_community_counties c join reference_files f on f.id = c.file_id;
comment on view query_scoring.energy_community_counties is 'Counties of each list of energy communities; several notices are several rows of a county';
comment on column query_scoring.energy_community_counties.fips is 'County FIPS code, five digits';
comment on column query_scoring.energy_community_counties.statistical is 'Whether it counts by fossil-fuel employment and unemployment of its statistical area';
comment on column query_scoring.energy_community_counties.area is 'Statistical area';
comment on column query_scoring.energy_community_counties.vintage is 'Vintage of areas by which it counts: 1, 2 or "1 and 2"';
comment on column query_scoring.energy_community_counties.note is 'What the list notes of it';
comment on column query_scoring.energy_community_counties.notice is 'Notice that the list is of';
comment on column query_scoring.energy_community_counties.valid_from is 'Day from which the list holds';
comment on column query_scoring.energy_community_counties.complete is 'Whether the list says something of every county';
comment on column query_scoring.energy_community_counties.sample is 'Whether it is the bundled sample';

create view query_scoring.coal_closure_tracts as
  select t.tract, left(t.tract, 5) as fips, t.tract_type, t.eligible_from, f.notice, f.valid_from, f.sample
  from coal_tracts t join reference_files f on f.id = t.file_id;
comment on view query_scoring.coal_closure_tracts is 'Census tracts that are energy communities by a closed coal mine or plant';
comment on column query_scoring.coal_closure_tracts.tract is 'Census tract, eleven digits';
comment on column query_scoring.coal_closure_tracts.fips is 'FIPS code of its county';
comment on column query_scoring.coal_closure_tracts.tract_type is 'Why: it holds the closure, or adjoins such a tract';
comment on column query_scoring.coal_closure_tracts.eligible_from is 'Day from which it counts';
comment on column query_scoring.coal_closure_tracts.notice is 'Notice that the list is of';
comment on column query_scoring.coal_closure_tracts.valid_from is 'Day from which the list holds';
comment on column query_scoring.coal_closure_tracts.sample is 'Whether it is the bundled sample';

create view query_scoring.low_income_tracts as
  select t.tract, left(t.tract, 5) as fips, t.share, f.notice, f.valid_from, f.sample
  from low_income_tracts t join reference_files f on f.id = t.file_id;
comment on view query_scoring.low_income_tracts is 'Census tracts that are low-income communities';
comment on column query_scoring.low_income_tracts.tract is 'Census tract, eleven digits';
comment on column query_scoring.low_income_tracts.fips is 'FIPS code of its county';
comment on column query_scoring.low_income_tracts.share is 'How much of the tract is one [fraction]';
comment on column query_scoring.low_income_tracts.notice is 'Whose list it is';
comment on column query_scoring.low_income_tracts.valid_from is 'Day from which the list holds';
comment on column query_scoring.low_income_tracts.sample is 'Whether it is the bundled sample';

create view query_scoring.low_income_counties as
  select c.fips, c.low_income as low_income_tracts, c.tracts, f.notice, f.valid_from, f.sample
  from low_income_counties c join reference_files f on f.id = c.file_id;
comment on view query_scoring.low_income_counties is 'How many census tracts of each county are low-income communities';
comment on column query_scoring.low_income_counties.fips is 'County FIPS code, five digits';
comment on column query_scoring.low_income_counties.low_income_tracts is 'Low-income tracts of the county';
comment on column query_scoring.low_income_counties.tracts is 'All tracts of the county; null where the list names the low-income ones alone';
comment on column query_scoring.low_income_counties.notice is 'Whose list it is';
comment on column query_scoring.low_income_counties.valid_from is 'Day from which the list holds';
comment on column query_scoring.low_income_counties.sample is 'Whether it is the bundled sample';

create view query_scoring.interconnection_costs as
  select i.project_id, p.region, p.queue_id, p.type_std, p.status_std, p.capacity_mw, i.cost_usd_per_kw, i.as_of, i.source
  from interconnection_costs i join projects p using (project_id);
comment on view query_scoring.interconnection_costs is 'Of each request its newest interconnection cost; no row: no cost is known, which is not zero';
comment on column query_scoring.interconnection_costs.project_id is 'Id of the request, as in the database master';
comment on column query_scoring.interconnection_costs.region is 'Grid operator';
comment on column query_scoring.interconnection_costs.queue_id is 'The operator''s number, as filed';
comment on column query_scoring.interconnection_costs.type_std is 'Standardised technology';
comment on column query_scoring.interconnection_costs.status_std is 'Standardised status';
comment on column query_scoring.interconnection_costs.capacity_mw is 'Injection limit at the point of interconnection [MW]';
comment on column query_scoring.interconnection_costs.cost_usd_per_kw is 'Interconnection cost [USD/kW]';
comment on column query_scoring.interconnection_costs.as_of is 'Day that the cost is of';
comment on column query_scoring.interconnection_costs.source is 'Study or file that states it';

create view source_records as
  select r.source, (select coalesce(sum(f.rows), 0)::bigint from reference_files f where f.source = r.source) as records,
    r.last_checked_at, r.last_changed_at, r.last_success_at, r.last_outcome
  from reference_sources r;

create view query_scoring.sources as
  select source, records, last_checked_at as last_checked, last_success_at as last_success, last_changed_at as last_changed, last_outcome
  from source_records;
comment on view query_scoring.sources is 'How fresh the reference lists are';
comment on column query_scoring.sources.source is 'energy-communities, low-income or ic-costs';
comment on column query_scoring.sources.records is 'Entries that are stored';
comment on column query_scoring.sources.last_checked is 'When it was last looked at, UTC';
comment on column query_scoring.sources.last_success is 'When it was last taken in or found unchanged, UTC';
comment on column query_scoring.sources.last_changed is 'When it last brought something new, UTC';
comment on column query_scoring.sources.last_outcome is 'Outcome of the last look: applied, unchanged or refused';

grant select on query_scoring.reference_lists, query_scoring.energy_community_counties, query_scoring.coal_closure_tracts,
  query_scoring.low_income_tracts, query_scoring.low_income_counties, query_scoring.interconnection_costs, query_scoring.sources
  to query_scoring;
