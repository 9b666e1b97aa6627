-- Why: what other publishers count of the same queues is compared when a list or an edition is loaded, and only read when it is asked for.

create table reconciliations (
  source text not null,
  region text not null,
  -- Its place in answers.
  place integer not null,
  -- Totals, reasons and examples, as they are answered.
  body jsonb not null,
  primary key (source, region)
);

-- Of which lists, editions and rules the comparisons are.
create table reconciled_editions (
  only_row boolean primary key default true check (only_row),
  basis text not null,
  computed_at timestamptz not null
);
