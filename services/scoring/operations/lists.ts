/** What the lists of scored requests share: rows of `p` projects, `c` credits and `s` scores, filters of what stands with the last two. */
import type { Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
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

/** A pattern for `ilike` in which the text has no special characters. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** What a page's last row is sorted by: two quantities, and the request. */
export type LastRow = [first: number | null, second: number | null, projectId: string];

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

interface PageParts {
	/** Stands before the statement, whose other parts read of it. */
	withPage: Fragment;
	/** The rows, as one JSON array. */
	data: Fragment;
	/** A LastRow; null where the page is not full. */
	last: Fragment;
}

/** What a page passes over, from `start` on, is passed over in an index; only its own rows are fetched. */
export function pageOf(
	sql: Sql,
	{ chosen, by, columns }: Listing,
	{ page, per_page }: { page: number; per_page: number },
	start: Start<LastRow> | undefined,
): PageParts {
	const [first, second] = [sql(by[0].column), sql(by[1].column)];
	// As the indexes are written: what is never null has no place for nulls.
	const down = ({ nullable }: Quantity) => (nullable ? sql`desc nulls last` : sql`desc`);
	const order = sql`r.${first} ${down(by[0])}, r.${second} ${down(by[1])}, r.project_id`;
	const skipped = (page - (start?.page ?? 1)) * per_page;
	const ways = start === undefined ? [sql`true`] : beyond(sql, by, start.after);
	// Each way is a stretch of the index, read only as far as the page may reach.
	const stretches = ways.map(
		(way) => sql`
		(select * from (select project_id, ${first}, ${second} from ${chosen} and ${way}) r order by ${order} limit ${skipped + per_page})`,
	);
	return {
		withPage: sql`with page as materialized (
			select * from (${stretches.reduce((all, one) => sql`${all} union all ${one}`)}) r
			order by ${order} limit ${per_page} offset ${skipped})`,
		data: sql`coalesce((select json_agg(row_to_json(t)) from (
			select ${columns} from page r join ${scored(sql)} order by ${order}) t), '[]')`,
		last: sql`(select json_build_array(r.${first}, r.${second}, r.project_id) from page r
			order by ${order} limit 1 offset ${per_page - 1})`,
	};
}

/** What follows a row, as conditions that each choose one stretch of the order. */
function beyond(sql: Sql, [first, second]: Listing["by"], [firstValue, secondValue, projectId]: LastRow): Fragment[] {
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
