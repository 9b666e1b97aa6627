import type { Handler, Params } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
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
	return async (params) => {
		const { page, per_page, sort, order, ...filters } = params;
		const key = JSON.stringify(filters);
		const kept = totals.get(key);
		let found = await readPage(sql, params, kept === undefined);
		if (kept !== undefined && found.version !== kept.version) found = await readPage(sql, params, true);
		const total = found.total ?? kept?.total ?? 0;
		totals.set(key, found.version, total);
		const meta = `{"total":${total},"page":${page},"per_page":${per_page},"pages":${Math.ceil(total / per_page)}}`;
		const json = Buffer.concat([Buffer.from('{"data":['), found.rows, Buffer.from(`],"meta":${meta}}`)]);
		return { json, dataVersion: found.version };
	};
}

interface Page {
	/** The rows' JSON, parted by commas, as PostgreSQL sent it: half a megabyte that nobody here reads. */
	rows: Buffer;
	total: number | null;
	version: number;
}

/** Rows, total (where asked for) and data version of one moment. */
async function readPage(sql: Sql, params: Params<"listProjects">, counted: boolean): Promise<Page> {
	const { page, per_page, sort, order, ...filters } = params;
	const condition = projectCondition(sql, filters);
	const count = isKept(filters)
		? sql`(select coalesce(sum(p.projects), 0) from project_counts p where ${condition})`
		: sql`(select count(*) from projects p where ${condition})`;
	const direction = order === "desc" ? sql`desc nulls last` : sql`asc nulls last`;
	// The primary key is never null: without "nulls last" its index gives the order.
	const by = sort === "id" ? (order === "desc" ? sql`id desc` : sql`id`) : sql`${sql(sort)} ${direction}, id`;
	const [row] = await sql`
		select
			(select string_agg(body, ',' order by ${by}) from (
				select * from projects p where ${condition} order by ${by}
				limit ${per_page} offset ${(page - 1) * per_page}) as rows) as rows,
			${counted ? count : sql`null::bigint`} as total,
			(select version from data_version) as version`.raw();
	const [rows, total, version] = (row ?? []) as (Buffer | null)[];
	if (!version) throw new Error("no page");
	return { rows: rows ?? Buffer.alloc(0), total: total ? Number(total) : null, version: Number(version) };
}
