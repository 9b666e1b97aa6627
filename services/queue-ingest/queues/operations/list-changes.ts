import type { Handler, Versioned } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type ListPage, readPage, rowText } from "#libs/postgres/replies/list.ts";
import { changeColumns, rowAfter } from "../../history/events/publish.ts";
import { changesUntil, coverageMeta, metaJson, windowEnd } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";
import { type ChangeFilters, changeCondition, hiddenTypes } from "./change-rows.ts";
import { resolveProjectId } from "./get-project.ts";
import { changeCounts } from "./summarise-changes.ts";

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
		const countsCondition = changeCondition(sql, { region, change_type, include_evidence, include });
		const listPage = await readPage(
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
					change_type?.includes("withdrawal") !== true &&
					Object.values(others).every((value) => value === undefined) && {
						total: sql`select coalesce(sum(changes), 0) from ${changeCounts(sql, from)} c where ${countsCondition}`,
					}),
				meta: {
					...coverageMeta(sql, { ...filters, since_days: days }),
					...(from !== undefined && { since: sql`select to_json(iso(${from.toISOString()}::timestamptz))` }),
				},
			},
			{ page, per_page, cursor, fields },
		);
		return { json: writeFlat(listPage), dataVersion: listPage.dataVersion };
	};
}

/** Writes the envelope that the specification defines for this list: without a number of pages, and with `meta` only if it has fields. */
function writeFlat({ rows, meta: { total, page, per_page, pages: _, next_cursor, ...past } }: ListPage): Buffer {
	const meta = Object.keys(past).length === 0 ? undefined : past;
	const head = JSON.stringify({ total, page, per_page, meta }).slice(0, -1);
	const tail = next_cursor === undefined ? "]}" : `],"next_cursor":${JSON.stringify(next_cursor)}}`;
	return Buffer.concat([Buffer.from(`${head},"data":[`), rows, Buffer.from(tail)]);
}

/**
 * The `next` of an empty page is `after`. At the end of the log, `next` skips hidden changes of raw cells, so that later calls do not read them
 * again.
 */
async function readChangeLog<R>(
	sql: Sql,
	filters: ChangeFilters,
	{ after, limit, fields }: { after: number; limit: number; fields?: readonly string[] | undefined },
): Promise<Versioned<R>> {
	const withRow = filters.include?.includes("row") === true;
	const columns = withRow ? sql`${changeColumns(sql)}, ${rowAfter(sql)} as project` : changeColumns(sql);
	const shownFields = withRow && fields !== undefined ? [...fields, "project"] : fields;
	const skippable =
		filters.as_of !== undefined
			? sql`c.change_type = 'raw_update' and ${changesUntil(sql, filters.as_of)}`
			: sql`c.change_type = 'raw_update'`;
	const { change_type, include_evidence, include, region, project_id, since, until, as_of } = filters;
	const shownTypes = changeCondition(sql, { change_type, include_evidence, include });
	const logCondition = changeCondition(sql, { change_type: hiddenTypes, region, project_id, since, until, as_of });
	const [row] = (await sql`
		with page as materialized (
			select c.* from changes c where c.seq > ${after} and ${changeCondition(sql, filters)} order by c.seq limit ${limit}),
		last as (
			select case when l.rows < ${limit} then greatest(l.seq, (select max(c.seq) from changes c where c.seq > l.seq and ${skippable}))
				else l.seq end as seq from (select coalesce(max(seq), ${after}::bigint) as seq, count(*) as rows from page) l)
		select (select string_agg(${rowText(sql, sql`row_to_json(t)`, shownFields)}, ',') from (select ${columns} from page c order by c.seq) t),
			(select seq from last),
			(select version from data_version),
			(select json_build_object('first_listed', count(*) filter (where c.change_type = 'first_listed'),
				'raw_update', count(*) filter (where c.change_type = 'raw_update'),
				'evidence_update', count(*) filter (where c.change_type = 'evidence_update')) from changes c
				where c.seq > ${after} and c.seq <= (select seq from last) and ${logCondition} and not (${shownTypes}))::text,
			(${metaJson(sql, filters)})::text`.raw()) as (Buffer | null)[][];
	const [rows, next, version, skips, meta] = row ?? [];
	if (!next || !version || !skips) throw new Error("the query for a page of changes returned no position");
	const end = `],"next":${next},"skipped":${skips}${meta ? `,"meta":${meta}` : ""}}`;
	return {
		json: Buffer.concat([Buffer.from('{"data":['), rows ?? Buffer.alloc(0), Buffer.from(end)]),
		dataVersion: Number(version),
	};
}

export function listProjectChanges(resources: Resources): Handler<"listProjectChanges"> {
	const { sql } = resources;
	return async ({ project_id, region, after, per_page, ...filters }) => {
		checkDay(resources, filters);
		const id = await resolveProjectId(sql, project_id, region);
		return readChangeLog(sql, { ...filters, project_id: id }, { after, limit: per_page });
	};
}
