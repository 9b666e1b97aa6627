-- To be run once by the administrator, in the restored database, before any service starts. Safe to repeat.
--
--   psql -v ON_ERROR_STOP=1 -f deploy/backup/after-restore.sql postgres://postgres@HOST/energy
--
-- Others have seen what happened after the moment that was restored, under numbers that the database is about to give to other things.
-- Sequences therefore go on above every number that can have been given: at the present moment in ms, which another restore cannot come
-- back to either.

-- Data versions: answers that gateways and clients keep under a number are never mistaken for other data, and an export at a version
-- stays the same bytes.
do $$
declare
  owner name;
begin
  for owner in
    select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'data_version' and c.relkind = 'r' order by 1
  loop
    execute format('update %I.data_version set raised_at = now(), '
      'version = greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)', owner);
  end loop;
end $$;

-- Accounts, keys, credits and payments: usage that is still in the stream of the gateways, and counters in Redis, name accounts that are
-- gone; an account that registers from now on must not be taken for one of them.
do $$
declare
  sequence regclass;
begin
  for sequence in
    select pg_get_serial_sequence(format('billing.%I', table_name), column_name)
    from information_schema.columns where table_schema = 'billing' and is_identity = 'YES' order by 1
  loop
    perform setval(sequence, greatest(nextval(sequence), (extract(epoch from clock_timestamp()) * 1000)::bigint));
  end loop;
end $$;
