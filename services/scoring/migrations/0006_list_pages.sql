-- Why: pages of the lists of scored requests come in order from an index, under the filters of place too. What they are filtered and
-- sorted by stands with the score and with the credit; it was joined, sorted and counted for each page. Under names that no
-- statement of the release before, which goes on meanwhile, could mean.

alter table scores add column project_region text, add column project_state text, add column project_type_std text,
  add column project_capacity_mw float8;
alter table credits add column project_region text, add column project_state text, add column project_type_std text,
  add column project_capacity_mw float8;

create function copy_place() returns trigger language plpgsql as $$
begin
  select p.region, p.state, p.type_std, p.capacity_mw into new.project_region, new.project_state, new.project_type_std, new.project_capacity_mw
  from projects p where p.project_id = new.project_id;
  return new;
end
$$;

-- A request that moves takes its score and its credit along, whether or not they are computed again.
create function move_place() returns trigger language plpgsql as $$
begin
  update scores set scored_at = scored_at where project_id = new.project_id;
  update credits set status = status where project_id = new.project_id;
  return null;
end
$$;

-- No transaction writes between what is copied here and the first row that is copied as it is written; reading goes on.
lock table projects, scores, credits in share row exclusive mode;
update scores s set project_region = p.region, project_state = p.state, project_type_std = p.type_std,
  project_capacity_mw = p.capacity_mw
from projects p where p.project_id = s.project_id;
update credits c set project_region = p.region, project_state = p.state, project_type_std = p.type_std,
  project_capacity_mw = p.capacity_mw
from projects p where p.project_id = c.project_id;

create trigger scores_place before insert or update on scores for each row execute function copy_place();
create trigger credits_place before insert or update on credits for each row execute function copy_place();
create trigger projects_place after update on projects for each row
  when ((old.region, old.state, old.type_std, old.capacity_mw) is distinct from (new.region, new.state, new.type_std, new.capacity_mw))
  execute function move_place();

drop index scores_investable;
create index scores_investable on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where investable;
create index scores_investable_region on scores (score_version, project_region, score desc, project_capacity_mw desc nulls last, project_id)
  where investable;
create index scores_investable_state on scores (score_version, project_state, score desc, project_capacity_mw desc nulls last, project_id)
  where investable;

drop index credits_itc;
create index credits_itc on credits (estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;
create index credits_itc_region on credits (project_region, estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;
create index credits_itc_state on credits (project_state, estimated_value desc nulls last, effective_rate desc, project_id) include (status)
  where credit_type = 'ITC' and effective_rate > 0;
