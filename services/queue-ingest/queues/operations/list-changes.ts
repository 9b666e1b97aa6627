import type { Handler } from "#libs/contract/index.ts";
import { type ListPage, readPage } from "#libs/postgres/list.ts";
import { changeColumns } from "../../history/change-columns.ts";
import type { Resources } from "../../resources.ts";
import { changeCounts } from "./change-counts.ts";
import { changeCondition } from "./change-rows.ts";
import { readChangeLog } from "./read-change-log.ts";

const dayMs = 86_400_000;

export function listChanges({ sql, now }: Resources): Handler<"listChanges"> {
	return async ({ page, per_page, cursor, fields, after, since_days, ...filters }) => {
		if (after !== undefined) return readChangeLog(sql, filters, { after, limit: per_page, fields });
		const isWindow = [filters.since, filters.until, filters.project_id].every((value) => value === undefined);
		const days = since_days ?? (isWindow ? 1 : undefined);
		const from = days === undefined ? undefined : new Date(now().getTime() - days * dayMs);
		const inWindow = from === undefined ? sql`true` : sql`c.detected_at >= ${from.toISOString()}::timestamptz`;
		const { region, change_type, include_evidence, include: _, ...others } = filters;
		const ofCounts = changeCondition(sql, { region, change_type, include_evidence });
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
			},
			{ page, per_page, cursor, fields },
		);
		return { json: writeFlat(found), dataVersion: found.dataVersion };
	};
}

/** The specification's envelope of this list: no `meta`, and no number of pages. */
function writeFlat({ rows, meta: { pages, next_cursor, ...meta } }: ListPage): Buffer {
	const head = JSON.stringify(meta).slice(0, -1);
	const tail = next_cursor === undefined ? "]}" : `],"next_cursor":${JSON.stringify(next_cursor)}}`;
	return Buffer.concat([Buffer.from(`${head},"data":[`), rows, Buffer.from(tail)]);
}
