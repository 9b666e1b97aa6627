-- alone: Why: developers with as many requests come in the order of their capacity, from the index alone.
create index concurrently if not exists developers_listed_capacity
  on developers (total_projects desc nulls last, active_capacity_mw desc, developer_id) where known or total_projects > 0
