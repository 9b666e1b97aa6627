-- Why: nothing reads these columns. They are dropped at once, although the release before writes or selects them, because version 1 has no users yet.
alter table projects drop column queue_id, drop column region, drop column state, drop column developer, drop column developer_canonical,
  drop column capacity_mw, drop column type_std, drop column status_std;
alter table appearances drop column language;
alter table pipelines drop column paused;
