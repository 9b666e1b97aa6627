-- Why: what became of a request stands in the report of its month, also where no list of that month is loaded.

-- Requests in reports beside the lists: approvals, cancellations, and the technology of those that sheets of outcomes call "Other".
create table request_reports (
  source text not null,
  -- Day of the report.
  edition text not null,
  snapshot_id bigint not null,
  region text not null,
  key text not null,
  type_std text not null,
  -- Operational or Withdrawn; null: the report shows the request as open.
  status_std text,
  -- Day of the approval or cancellation.
  on_date date,
  primary key (source, edition, key)
);
create index request_reports_key on request_reports (region, key);

alter table dataset_editions drop constraint dataset_editions_database,
  add constraint dataset_editions_database check (database in ('dg', 'datacenter', 'market', 'grid', 'master')) not valid;
