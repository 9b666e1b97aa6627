-- Why: replaced by projects_by_state, _region, _developer, _id, _kind and _feed.
drop index if exists projects_generation, projects_generation_state, projects_generation_region, projects_generation_status, projects_region,
  projects_developer_capacity, projects_distribution, projects_load, projects_feed;
