/** One page of changes as PostgreSQL writes it, the newest first. */
import type { Params } from "#libs/contract/index.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";
import { pageOf } from "#libs/postgres/page-of.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { changeCounts } from "./change-counts.ts";

/** Which changes: those that the filters choose, of snapshots no older than `since`. */
export interface Span extends Pick<Params<"listChanges">, "region" | "change_type" | "developer"> {
	since: Date;
}

export interface Cut {
	/** Rows of the span before the page, from the newest on. */
	row: number;
	/** By the `seq` before. */
	start?: Start<number> | undefined;
	/**
	 * Most rows. Never more than are left of the span: who asks for one more than there is has all older changes read, because nothing
	 * but the next one that fits ends the search.
	 */
	limit: number;
	/** Changes of the whole span, where that is known; else they are counted. */
	total?: number;
}

export interface ChangePage {
	/** The rows' JSON, parted by commas, as PostgreSQL sent it. */
	rows: Buffer;
	/** By the `seq` before. */
	starts: Start<number>[] | null;
	/** Changes of the whole span. */
	total: number;
	/** The highest `seq` of all changes, 0 of none. */
	newest: number;
	version: number;
}

/** Rows, total and data version of one moment. */
export async function readChanges(sql: Sql | Transaction, span: Span, cut: Cut): Promise<ChangePage> {
	const condition = changeCondition(sql, span);
	const count =
		span.developer === undefined ? keptCount(sql, span) : sql`(select count(*) from changes c where ${condition})`;
	const beyond = cut.start === undefined ? sql`` : sql`and c.seq < ${cut.start[1]}`;
	const listing = {
		chosen: sql`select c.seq from changes c where ${condition} ${beyond}`,
		order: sql`seq desc`,
		place: sql`seq`,
		last: sql`min(seq)`,
	};
	const { tables, starts } = pageOf(sql, listing, cut, cut.start);
	// Only the page's own rows are fetched.
	const [row] = await sql`
		with ${tables} select
			(select string_agg(row_to_json(t)::text, ',' order by seq desc) from (
				select seq, iso(detected_at) as detected_at, project_id, queue_id, region, kind, change_type, field_name, old_value,
					new_value, project_name, developer_canonical, capacity_mw, type_std, state
				from page join changes using (seq)) t) as rows,
			${starts} as starts,
			${cut.total === undefined ? count : sql`${cut.total}::bigint`} as total,
			(select coalesce(max(seq), 0) from changes) as newest,
			version
		from data_version`.raw();
	const [rows, places, total, newest, version] = (row ?? []) as (Buffer | null)[];
	if (!total || !newest || !version) throw new Error("no page");
	return {
		rows: rows ?? Buffer.alloc(0),
		starts: places ? JSON.parse(places.toString()) : null,
		total: Number(total),
		newest: Number(newest),
		version: Number(version),
	};
}

/** Filters of both `changes c` and the counts that are kept of them. */
const keptCondition = (sql: Sql | Transaction, { region, change_type }: Span): Fragment => sql`true
	${region === undefined ? sql`` : sql`and c.region = ${region}`}
	${change_type === undefined ? sql`` : sql`and c.change_type = ${change_type}`}`;

const keptCount = (sql: Sql | Transaction, span: Span): Fragment => sql`
	(select coalesce(sum(changes), 0) from ${changeCounts(sql, span.since)} c where ${keptCondition(sql, span)})`;

function changeCondition(sql: Sql | Transaction, span: Span): Fragment {
	const { since, developer } = span;
	const kept = sql`c.detected_at >= ${since.toISOString()}::timestamptz and ${keptCondition(sql, span)}`;
	if (developer === undefined) return kept;
	return sql`${kept} and exists (select from projects p where p.id = c.project_id
		and (p.developer ilike ${containing(developer)} or p.developer_canonical ilike ${containing(developer)}))`;
}
