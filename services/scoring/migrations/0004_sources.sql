-- Why: rows of each reference list: what /source-freshness and the extract `sources` both say.

create view source_records as
  select r.source, (select coalesce(sum(f.rows), 0)::bigint from reference_files f where f.source = r.source) as records,
    r.last_checked_at, r.last_changed_at, r.last_success_at, r.last_outcome
  from reference_sources r;
