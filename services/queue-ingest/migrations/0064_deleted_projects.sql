-- Why: who follows the changes of requests learns of those that are gone altogether, as those of a sample are.
create table deleted_projects (
  id text primary key,
  deleted_at timestamptz not null default now()
);
create function remember_deleted() returns trigger language plpgsql as $$
begin
  insert into deleted_projects (id) select id from removed
  on conflict (id) do update set deleted_at = excluded.deleted_at;
  return null;
end
$$;
create trigger projects_deleted after delete on projects referencing old table as removed
  for each statement execute function remember_deleted();
