-- Why: requests that another source decides now hold what was filed, too. They are few.

update projects p set as_filed = (
  select jsonb_object_agg(key, value) from jsonb_each(e.filed || '{"status_evidence": null}') where value <> to_jsonb(p) -> key)
from evidenced_statuses e
where e.project_id = p.id
  and (p.status_basis in ('other_source', 'outcome_sheet') or p.plant_state_basis in ('lbnl', 'eia_860', 'eia_860m', 'eia_epm'));
update project_versions v set as_filed = (
  select jsonb_object_agg(key, value) from jsonb_each(e.filed || '{"status_evidence": null}') where value <> to_jsonb(v) -> key)
from evidenced_statuses e
where e.project_id = v.project_id
  and (v.status_basis in ('other_source', 'outcome_sheet') or v.plant_state_basis in ('lbnl', 'eia_860', 'eia_860m', 'eia_epm'));
