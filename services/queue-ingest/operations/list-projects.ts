import type { Handler, Params } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { PageStarts, type Start } from "./page-starts.ts";
import { isKept, projectCondition } from "./project-filters.ts";

/** Totals of recent filters, each true for one data version: a page of unchanged data is not counted again. */
class Totals {
	readonly #kept = new Map<string, { version: number; total: number }>();
	static readonly most = 2_000;

	get(filters: string): { version: number; total: number } | undefined {
		return this.#kept.get(filters);
	}

	set(filters: string, version: number, total: number): void {
		this.#kept.delete(filters);
		if (this.#kept.size >= Totals.most) this.#kept.delete(this.#kept.keys().next().value ?? "");
		this.#kept.set(filters, { version, total });
	}
}

export function listProjects(sql: Sql): Handler<"listProjects"> {
	const totals = new Totals();
	const starts = new PageStarts();
	return async (params) => {
		const { page, per_page, sort, order, ...filters } = params;
		const key = JSON.stringify(filters);
		const list = `${key} ${order} ${per_page}`;
		const kept = totals.get(key);
		// Only ids are in an index that pages are read from: other orders sort everything that passes the filters.
		const start = sort === "id" ? starts.before(list, page) : undefined;
		let found = await readPage(sql, params, { counted: kept === undefined, start });
		const stale = [kept, start].some((known) => known !== undefined && known.version !== found.version);
		if (stale) found = await readPage(sql, params, { counted: true });
		const total = found.total ?? kept?.total ?? 0;
		totals.set(key, found.version, total);
		if (sort === "id" && found.last !== null) starts.set(list, found.version, { page: page + 1, after: found.last });
		const meta = `{"total":${total},"page":${page},"per_page":${per_page},"pages":${Math.ceil(total / per_page)}}`;
		const json = Buffer.concat([Buffer.from('{"data":['), found.rows, Buffer.from(`],"meta":${meta}}`)]);
		return { json, dataVersion: found.version };
	};
}

interface Page {
	/** The rows' JSON, parted by commas, as PostgreSQL sent it: half a megabyte that nobody here reads. */
	rows: Buffer;
	/** Of a page in the order of ids, the last one's; null where there is none. */
	last: string | null;
	total: number | null;
	version: number;
}

/** Rows, total (where asked for) and data version of one moment. */
async function readPage(
	sql: Sql,
	params: Params<"listProjects">,
	{ counted, start }: { counted: boolean; start?: Start | undefined },
): Promise<Page> {
	const { page, per_page, sort, order, ...filters } = params;
	const condition = projectCondition(sql, filters);
	const count = isKept(filters)
		? sql`(select coalesce(sum(p.projects), 0) from project_counts p where ${condition})`
		: sql`(select count(*) from projects p where ${condition})`;
	const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
	// The primary key is never null: without "nulls last" its index gives the order.
	const by = sort === "id" ? (order === "desc" ? sql`id desc` : sql`id`) : sql`${sql(sort)} ${direction}, id`;
	const beyond =
		start === undefined ? sql`` : order === "desc" ? sql`and p.id < ${start.after}` : sql`and p.id > ${start.after}`;
	const skipped = (page - (start?.page ?? 1)) * per_page;
	// What is skipped is skipped in the index; only the page's own rows are fetched.
	const [row] = await sql`
		with page as (
			select body, id ${sort === "id" ? sql`` : sql`, ${sql(sort)}`} from projects join (
				select p.id from projects p where ${condition} ${beyond} order by ${by} limit ${per_page} offset ${skipped}) as ids using (id))
		select
			(select string_agg(body, ',' order by ${by}) from page) as rows,
			${sort === "id" ? sql`(select ${order === "desc" ? sql`min` : sql`max`}(id) from page)` : sql`null::text`} as last,
			${counted ? count : sql`null::bigint`} as total,
			(select version from data_version) as version`.raw();
	const [rows, last, total, version] = (row ?? []) as (Buffer | null)[];
	if (!version) throw new Error("no page");
	return {
		rows: rows ?? Buffer.alloc(0),
		last: last?.toString() ?? null,
		total: total ? Number(total) : null,
		version: Number(version),
	};
}
