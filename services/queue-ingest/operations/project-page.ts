/** One page of projects as PostgreSQL writes it. */
import type { Params } from "#libs/contract/index.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { pageOf } from "#libs/postgres/page-of.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { isKept, projectCondition } from "./project-filters.ts";

export interface Page {
	/** The rows' JSON, parted by commas, as PostgreSQL sent it: half a megabyte that nobody here reads. */
	rows: Buffer;
	/** Of a list in the order of ids, by the id before. */
	starts: Start<string>[] | null;
	total: number | null;
	version: number;
}

/** Rows, total (where asked for) and data version of one moment. */
export async function readPage(
	sql: Sql | Transaction,
	params: Params<"listProjects">,
	{ counted, start }: { counted: boolean; start?: Start<string> | undefined },
): Promise<Page> {
	const { page, per_page, sort, order, cursor, ...filters } = params;
	const condition = projectCondition(sql, filters);
	const count = isKept(filters)
		? sql`(select coalesce(sum(p.projects), 0) from project_counts p where ${condition})`
		: sql`(select count(*) from projects p where ${condition})`;
	const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
	// The primary key is never null: without "nulls last" its index gives the order.
	const by = sort === "id" ? (order === "desc" ? sql`id desc` : sql`id`) : sql`${sql(sort)} ${direction}, id`;
	const beyond =
		start === undefined ? sql`` : order === "desc" ? sql`and p.id < ${start[1]}` : sql`and p.id > ${start[1]}`;
	const listing = {
		chosen: sql`select p.id ${sort === "id" ? sql`` : sql`, p.${sql(sort)}`} from projects p where ${condition} ${beyond}`,
		order: by,
		...(sort === "id" && { place: sql`id`, last: order === "desc" ? sql`min(id)` : sql`max(id)` }),
	};
	const { tables, starts } = pageOf(sql, listing, { row: (page - 1) * per_page, limit: per_page }, start);
	// Only the page's own rows are fetched.
	const [row] = await sql`
		with ${tables} select string_agg(body, ',' order by ${by}) as rows,
			${starts} as starts,
			${counted ? count : sql`null::bigint`} as total,
			(select version from data_version) as version
		from (select p.* from projects p join page using (id)) as shown`.raw();
	const [rows, places, total, version] = (row ?? []) as (Buffer | null)[];
	if (!version) throw new Error("no page");
	return {
		rows: rows ?? Buffer.alloc(0),
		starts: places ? JSON.parse(places.toString()) : null,
		total: total ? Number(total) : null,
		version: Number(version),
	};
}
