import type { Sql } from "#libs/postgres/connect.ts";

/** Developers whose stored portfolio differs from a recount of their generation requests, with both. */
export const wrongPortfolios = (sql: Sql) => sql`
	select * from (
		select d.canonical_name, d.portfolio, (select jsonb_build_object(
			'total_projects', count(*),
			'total_capacity_mw', mw(sum(capacity_mw)),
			'operating_capacity_mw', mw(sum(capacity_mw) filter (where status_std = 'Operational')),
			'in_construction_mw', mw(sum(capacity_mw) filter (where construction_stage = 'construction')),
			'active_capacity_mw', mw(sum(capacity_mw) filter (where status_std = 'Active')),
			'withdrawn_projects', count(*) filter (where status_std = 'Withdrawn'),
			'operational_projects', count(*) filter (where status_std = 'Operational'),
			'completion_rate', round(count(*) filter (where status_std = 'Operational')::numeric
				/ nullif(count(*) filter (where status_std in ('Operational', 'Withdrawn')), 0), 4)::float8,
			'states_active', coalesce((select jsonb_agg(state order by mw desc nulls last, state) from (
				select state, sum(capacity_mw) as mw from projects p
				where p.developer_id = d.developer_id and kind = 'generation' and status_std = 'Active' and state is not null
				group by state) s), '[]'),
			'primary_technologies', coalesce((select jsonb_agg(type_std order by mw desc nulls last, type_std) from (
				select type_std, sum(capacity_mw) as mw from projects p
				where p.developer_id = d.developer_id and kind = 'generation' and type_std <> 'Unknown' group by type_std
				order by mw desc nulls last, type_std limit 3) t), '[]'))
			from projects p where p.developer_id = d.developer_id and kind = 'generation') as recounted
		from developers d) d
	where portfolio <> recounted`;
