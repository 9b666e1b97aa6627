-- Why: one charge covers a file of an export for a day, whichever gateway sends it: by account for callers with a key, else by payment.

create table covered_files (
  account_id bigint not null references accounts (id),
  -- Of the file.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- SHA-256 of the operation and its parameters.
  resource text not null,
  covered_at timestamptz not null,
  primary key (account_id, sha256)
);
create index covered_files_resource on covered_files (account_id, resource, covered_at);
create index covered_files_covered_at on covered_files (covered_at);

-- SHA-256 of the file that was charged for; null for other operations.
alter table payments add column file text;
