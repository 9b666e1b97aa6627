/** The change feed as a log: what follows a `seq`, oldest first. `seq` is in commit order, so nothing appears before it later. */
import type { Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { rowText } from "#libs/postgres/list.ts";
import { changeColumns, rowAfter } from "../../history/change-columns.ts";
import { changesUntil, metaJson } from "../../history/past.ts";
import { type ChangeFilters, changeCondition } from "./change-rows.ts";

/**
 * `{data, next}`: an empty page repeats `after` as its `next`. At the end of the log `next` passes over changes of raw cells that are
 * left out: else each reader would look at them again with every call.
 */
export async function readChangeLog<R>(
	sql: Sql,
	filters: ChangeFilters,
	{ after, limit, fields }: { after: number; limit: number; fields?: readonly string[] | undefined },
): Promise<Versioned<R>> {
	const withRow = filters.include?.includes("row") === true;
	const columns = withRow ? sql`${changeColumns(sql)}, ${rowAfter(sql)} as project` : changeColumns(sql);
	const shown = withRow && fields !== undefined ? [...fields, "project"] : fields;
	const passed =
		filters.as_of !== undefined
			? sql`c.change_type = 'raw_update' and ${changesUntil(sql, filters.as_of)}`
			: sql`c.change_type = 'raw_update'`;
	const [row] = (await sql`
		with page as materialized (
			select c.* from changes c where c.seq > ${after} and ${changeCondition(sql, filters)} order by c.seq limit ${limit})
		select (select string_agg(${rowText(sql, sql`row_to_json(t)`, shown)}, ',') from (select ${columns} from page c order by c.seq) t),
			(select case when l.rows < ${limit} then greatest(l.seq, (select max(c.seq) from changes c where c.seq > l.seq and ${passed}))
				else l.seq end from (select coalesce(max(seq), ${after}::bigint) as seq, count(*) as rows from page) l),
			(select version from data_version),
			(${metaJson(sql, filters)})::text`.raw()) as (Buffer | null)[][];
	const [rows, next, version, meta] = row ?? [];
	if (!next || !version) throw new Error("a page of changes without a position");
	const end = meta ? `],"next":${next},"meta":${meta}}` : `],"next":${next}}`;
	return {
		json: Buffer.concat([Buffer.from('{"data":['), rows ?? Buffer.alloc(0), Buffer.from(end)]),
		dataVersion: Number(version),
	};
}
