/** What the lists of scored requests share: rows of `p` projects, `c` credits and `s` scores, filters of what stands with the last two. */
import type { Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { type PageParts, pageOf } from "#libs/postgres/page-of.ts";
import type { Start } from "#libs/postgres/page-starts.ts";

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

/** What a row is sorted by: two quantities, and the request. */
export type Place = [first: number | null, second: number | null, projectId: string];

/** Sorted by, the largest first, unknown ones last. */
interface Quantity {
	column: string;
	nullable: boolean;
}

interface Listing {
	/** Of scores or credits alone, with the filters. */
	chosen: Fragment;
	/** Of `chosen`; then by request. Its indexes are of this order. */
	by: [first: Quantity, second: Quantity];
	/** What a row shows. */
	columns: Fragment;
}

/** Up to here passing over costs less than planning to begin where the page before ended. */
export const nearPages = 3;

interface ScoredParts extends PageParts {
	/** The rows, as one JSON array. */
	data: Fragment;
}

/** Only the page's own rows are fetched. */
export function scoredPageOf(
	sql: Sql,
	{ chosen, by, columns }: Listing,
	{ page, per_page }: { page: number; per_page: number },
	start: Start<Place> | undefined,
): ScoredParts {
	const [first, second] = [sql(by[0].column), sql(by[1].column)];
	// As the indexes are written: what is never null has no place for nulls.
	const down = ({ nullable }: Quantity) => (nullable ? sql`desc nulls last` : sql`desc`);
	const order = sql`r.${first} ${down(by[0])}, r.${second} ${down(by[1])}, r.project_id`;
	const cut = { row: (page - 1) * per_page, limit: per_page };
	const [begin, after] = start ?? [0, undefined];
	const ways = after === undefined ? [sql`true`] : beyond(sql, by, after);
	// Each way is a stretch of the index, read only as far as the page may reach.
	const stretches = ways.map(
		(way) => sql`
		(select * from (select project_id, ${first}, ${second} from ${chosen} and ${way}) r
			order by ${order} limit ${cut.row - begin + per_page})`,
	);
	const listing = {
		chosen: stretches.reduce((all, one) => sql`${all} union all ${one}`),
		order,
		place: sql`json_build_array(${first}, ${second}, project_id)`,
	};
	return {
		...pageOf(sql, listing, cut, start),
		data: sql`coalesce((select json_agg(row_to_json(t)) from (
			select ${columns} from page r join ${scored(sql)} order by ${order}) t), '[]')`,
	};
}

/** What follows a row, as conditions that each choose one stretch of the order. */
function beyond(sql: Sql, [first, second]: Listing["by"], [firstValue, secondValue, projectId]: Place): Fragment[] {
	const is = ({ column }: Quantity, value: number | null) =>
		value === null ? sql`${sql(column)} is null` : sql`${sql(column)} = ${value}`;
	const less = ({ column, nullable }: Quantity, value: number | null) =>
		value === null ? [] : [sql`${sql(column)} < ${value}`, ...(nullable ? [sql`${sql(column)} is null`] : [])];
	return [
		sql`${is(first, firstValue)} and ${is(second, secondValue)} and project_id > ${projectId}`,
		...less(second, secondValue).map((way) => sql`${is(first, firstValue)} and ${way}`),
		...less(first, firstValue),
	];
}
