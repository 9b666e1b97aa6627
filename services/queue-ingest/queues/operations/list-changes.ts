import type { Handler } from "#libs/contract/index.ts";
import { type ListPage, readPage } from "#libs/postgres/list.ts";
import { changeColumns } from "../../history/change-columns.ts";
import { checkDay, pastMeta, windowEnd } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { changeCounts } from "./change-counts.ts";
import { changeCondition } from "./change-rows.ts";
import { readChangeLog } from "./read-change-log.ts";

const dayMs = 86_400_000;

export function listChanges(resources: Resources): Handler<"listChanges"> {
	const { sql } = resources;
	return async ({ page, per_page, cursor, fields, after, since_days, ...filters }) => {
		const asOf = { as_of: filters.as_of };
		checkDay(resources, asOf);
		if (after !== undefined) return readChangeLog(sql, filters, { after, limit: per_page, fields });
		const isWindow = [filters.since, filters.until, filters.project_id].every((value) => value === undefined);
		const days = since_days ?? (isWindow ? 1 : undefined);
		const from = days === undefined ? undefined : new Date(windowEnd(resources, asOf).getTime() - days * dayMs);
		const inWindow = from === undefined ? sql`true` : sql`c.detected_at >= ${from.toISOString()}::timestamptz`;
		const { region, change_type, include_evidence, include, ...others } = filters;
		const ofCounts = changeCondition(sql, { region, change_type, include_evidence, include });
		const found = await readPage(
			sql,
			{
				filters: { ...filters, days },
				chosen: sql`changes c where ${inWindow} and ${changeCondition(sql, filters)}`,
				sort: [
					{ column: "detected_at", order: "desc" },
					{ column: "seq", order: "desc" },
				],
				rows: sql`select ${changeColumns(sql)} from page join changes c using (seq)`,
				...(from !== undefined &&
					Object.values(others).every((value) => value === undefined) && {
						total: sql`select coalesce(sum(changes), 0) from ${changeCounts(sql, from)} c where ${ofCounts}`,
					}),
				meta: pastMeta(sql, asOf),
			},
			{ page, per_page, cursor, fields },
		);
		return { json: writeFlat(found), dataVersion: found.dataVersion };
	};
}

/** The specification's envelope of this list: no number of pages, and a `meta` of the past alone. */
function writeFlat({ rows, meta: { total, page, per_page, pages: _, next_cursor, ...past } }: ListPage): Buffer {
	const meta = Object.keys(past).length === 0 ? undefined : past;
	const head = JSON.stringify({ total, page, per_page, meta }).slice(0, -1);
	const tail = next_cursor === undefined ? "]}" : `],"next_cursor":${JSON.stringify(next_cursor)}}`;
	return Buffer.concat([Buffer.from(`${head},"data":[`), rows, Buffer.from(tail)]);
}
