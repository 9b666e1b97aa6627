/** What the lists of scored requests share: rows of `p` projects, `c` credits and `s` scores, filters of what stands with the last two. */
import type { Params } from "#libs/contract/index.ts";
import { keepRecent } from "#libs/contract/keep-recent.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

type Filters = Pick<Params<"listInvestable">, "state" | "region" | "technology" | "capacity_min">;

export const listedColumns = (sql: Sql): Fragment => sql`
	p.project_id as id, p.queue_id, p.name, p.region, p.state, p.county, p.developer, p.developer_canonical, p.developer_tier, p.type_std,
	p.capacity_mw, p.cod, p.construction_stage, c.credit_type as tax_credit_type, c.status as tax_credit_status,
	c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, s.score as investability_score, s.grade`;

/** Of the version of the score that is served. */
const scored = (sql: Sql): Fragment => sql`
	projects p using (project_id) join credits c using (project_id) join scores s using (project_id)
	where s.score_version = (select active_version from settings)`;

/** On scores or credits alone, which hold these of their request. */
export function filtersOf(sql: Sql, { state, region, technology, capacity_min }: Filters): Fragment {
	const parts: Fragment[] = [];
	if (state !== undefined) parts.push(sql`project_state = ${state}`);
	if (region !== undefined) parts.push(sql`project_region = ${region}`);
	if (technology !== undefined) parts.push(sql`project_type_std ilike ${containing(technology)}`);
	if (capacity_min !== undefined) parts.push(sql`project_capacity_mw >= ${capacity_min}`);
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

/** A pattern for `ilike` in which the text has no special characters. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

interface Listing {
	/** Of scores or credits alone, with the filters. */
	chosen: Fragment;
	/** Of `chosen`. What a page passes over is passed over in an index of this order, only its own rows are fetched. */
	order: Fragment;
	/** What a row shows. */
	columns: Fragment;
	/** The same order of the rows. */
	rowOrder: Fragment;
}

export const rowsOf = (
	sql: Sql,
	{ chosen, order, columns, rowOrder }: Listing,
	{ page, per_page }: { page: number; per_page: number },
): Fragment => sql`
	coalesce((select json_agg(row_to_json(r)) from (
		select ${columns} from (
			select project_id from ${chosen} order by ${order} limit ${per_page} offset ${(page - 1) * per_page}) chosen
		join ${scored(sql)} order by ${rowOrder}) r), '[]')`;

interface Counted {
	/** Null where it was not counted. */
	total: number | null;
	version: number;
}

/** Of filters whose totals are kept, each true for one data version: a page of unchanged data is not counted again. */
const mostTotals = 2_000;

export class Totals {
	readonly #kept = new Map<string, { version: number; total: number }>();

	/** Reads without counting where the total is known, and again with it where what was known is of another version. */
	async read<T extends Counted>(
		filters: object,
		read: (counted: boolean) => Promise<T>,
	): Promise<T & { total: number }> {
		const key = JSON.stringify(filters);
		const kept = this.#kept.get(key);
		let found = await read(kept === undefined);
		if (kept !== undefined && kept.version !== found.version) found = await read(true);
		const total = found.total ?? kept?.total ?? 0;
		keepRecent(this.#kept, key, { version: found.version, total }, mostTotals);
		return { ...found, total };
	}
}
