/** Developers and their register. */
import { readSeed, type SeedDeveloper } from "#libs/names/seed.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type QueueRow, queueRows } from "../../support/queue-files.ts";

/** Active requests of ERCOT's list, which names developers; others are "Confidential". The nth has n MW more than the first. */
export const filedBy = (developers: readonly string[], { count = 120, mw = 100 } = {}): QueueRow[] =>
	queueRows("ercot", { count }).map((row, at) => ({
		...row,
		status: "active",
		ended: null,
		developer: developers[at] ?? "Confidential",
		mw: mw + at,
	}));

/** The register in which Avantus has one more name, and the canonical one if it is given. */
export const registerWith = (alias: string, canonical = "Avantus"): SeedDeveloper[] =>
	readSeed().map((entry) =>
		entry.canonical === "Avantus"
			? { ...entry, canonical, aliases: [...entry.aliases, { alias, ambiguous: false }] }
			: entry,
	);

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
