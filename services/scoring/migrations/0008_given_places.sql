-- Why: a transaction that writes a score or a credit reads the request in the same statement, and gives what is kept of it beside them. Looked up
-- for each row by a trigger it was a third of writing them. The release before, which goes on meanwhile, gives nothing: for it the
-- trigger stays. A request that moves while it is scored is marked, and what stands with its old place is written anew.

create or replace function move_place() returns trigger language plpgsql as $$
begin
  -- In the order in which they are written together.
  update credits set (project_region, project_state, project_type_std, project_capacity_mw)
    = (new.region, new.state, new.type_std, new.capacity_mw) where project_id = new.project_id;
  update scores set (project_region, project_state, project_type_std, project_capacity_mw)
    = (new.region, new.state, new.type_std, new.capacity_mw) where project_id = new.project_id;
  return null;
end
$$;

-- Replaced, not dropped: reading goes on.
create or replace trigger scores_place before insert on scores for each row when (new.project_region is null) execute function copy_place();
create or replace trigger credits_place before insert on credits for each row when (new.project_region is null) execute function copy_place();
