import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import { plantTable } from "#libs/contract/operations/datasets/plant.ts";
import { priceTable } from "#libs/contract/operations/datasets/price.ts";
import { developerTable } from "#libs/contract/operations/developers/developer.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { exportedColumns, projectTable } from "#libs/contract/operations/projects/project-columns.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { asText, limitClause, piece, type Select, text } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { dateCondition, placeCondition, priceColumns, views } from "../datasets/prices/operations.ts";
import { developersAt, toDeveloperRows } from "../developers/developers-at.ts";
import { developerCondition } from "../developers/operations/list-developers.ts";
import { checkSeq } from "../history/newest-seq.ts";
import { newestLists, requestsAt } from "../history/past.ts";
import type { Scores } from "../history/past-scores.ts";
import { scoresOn, showsScores, withScores } from "../history/scored.ts";
import { plantRows, plantTables } from "../plants/operations/list-plants.ts";
import { changeCondition } from "../queues/operations/change-rows.ts";
import type { Resources } from "../resources.ts";

export function exportProjects(resources: Resources): Handler<"exportProjects"> {
	return async function* (params, context) {
		checkDay(resources, params);
		const { as_of, after_seq, fields } = params;
		const scores = showsScores(fields) ? await scoresOn(resources, params) : undefined;
		const choose = async (connection: Sql) => {
			const select = projectSelect(params, scores);
			const notes = params.format === "xlsx" ? await readListNotes(connection, as_of) : {};
			// A past day has no position in the feed, because earlier lists may be loaded later.
			if (as_of !== undefined) return { select, notes };
			return { select, notes, head: { "x-seq": String(await checkSeq(connection, { after_seq })) } };
		};
		const file = { table: projectTable, columns: exportedColumns(params), by: ["id"], choose };
		yield* exportFile(resources.sql, params, file, context);
	};
}

/** Returns the day of each operator's newest list as notes for a workbook. */
async function readListNotes(sql: Sql, end: string | undefined): Promise<Record<string, string>> {
	const lists = await sql<{ region: string; day: string | null }[]>`${newestLists(sql, end)}`;
	return Object.fromEntries(lists.map(({ region, day }) => [`Newest list of ${region}`, day ?? "none loaded"]));
}

export function projectSelect(
	{ type, after_seq, as_of, ...conditions }: Params<"exportProjects">,
	scores?: Scores,
): Select {
	const filters = { ...conditions, fuel_type: conditions.fuel_type ?? type };
	if (after_seq === undefined) {
		const requests = scores === undefined ? requestsAt(piece, { as_of }) : withScores(piece, { as_of }, scores);
		return piece`select p.* from ${requests} ${projectCondition(piece, filters)}`;
	}
	// A request that the newest list lacks has changed, so it is included.
	const condition = projectCondition(piece, { ...filters, include_unlisted: true });
	return piece`
		select p.*, false as deleted from projects p where ${condition} and p.id in (${changedSince(after_seq)})
		union all
		select row.*, true from deleted_projects d
		cross join lateral jsonb_populate_record(null::projects, jsonb_build_object('id', d.id)) as row
		where not exists (select from projects p where p.id = d.id)`;
}

/** Query of the ids of changed requests. A change of a whole list has no request, so each request with a new version in that list is included. */
const changedSince = (seq: number): Select => piece`
	select c.project_id from changes c where c.seq > ${seq} and c.project_id is not null and c.change_type <> 'raw_update'
	union
	select v.project_id from project_versions v
	where v.snapshot_id in (select c.snapshot_id from changes c where c.seq > ${seq} and c.project_id is null and c.change_type <> 'raw_update')`;

export function exportChanges(resources: Resources): Handler<"exportChanges"> {
	return (params, context) => {
		checkDay(resources, params);
		const choose = async (connection: Sql) => ({
			select: changeSelect(params),
			head: { "x-seq": String(await nextPosition(connection, params)) },
		});
		return exportFile(resources.sql, params, { table: changeTable, by: ["seq"], choose }, context);
	};
}

const changeSelect = (params: Omit<Params<"exportChanges">, "limit">): Select =>
	piece`select c.* from changes c where c.seq > ${params.after} and ${changeCondition(piece, params)}`;

/** Returns the `seq` after which the next file continues: that of the last row if the limit was reached, because more rows may follow. */
async function nextPosition(sql: Sql, { limit, ...params }: Params<"exportChanges">): Promise<number> {
	const seq = await checkSeq(sql, { after: params.after });
	if (limit === undefined) return seq;
	const last = piece`select seq from (${changeSelect(params)}) c order by seq limit 1 offset ${limit - 1}`;
	const [row] = await sql.unsafe<{ seq: number }[]>(await asText(sql, last));
	return row?.seq ?? seq;
}

/** Exports the rows of the list in the order of their ids. Portfolios contain lists as JSON, which become arrays here. */
export function exportDevelopers(resources: Resources): Handler<"exportDevelopers"> {
	return (params, context) => {
		checkDay(resources, params);
		const chosen = piece`(select d.* from ${developersAt(piece, params)} d where ${developerCondition(piece, params)})`;
		const select = piece`
			select r.developer_id, r.canonical_name, r.tier, r.total_projects, r.total_capacity_mw, r.operating_capacity_mw,
				r.in_construction_mw, r.active_capacity_mw, r.withdrawn_projects, r.operational_projects, r.completion_rate,
				array(select jsonb_array_elements_text(r.states_active)) as states_active,
				array(select jsonb_array_elements_text(r.primary_technologies)) as primary_technologies, r.needs_capital, r.company_kind, r.company_group,
				array(select i.scheme || ':' || i.value from developer_identifiers i where i.developer_id = r.developer_id
					order by i.scheme, i.value) as identifiers
			from ${toDeveloperRows(piece, chosen)} r`;
		const file = { table: developerTable, by: ["developer_id"], choose: () => ({ select }) };
		return exportFile(resources.sql, params, file, context);
	};
}

export function exportPlants(sql: Sql): Handler<"exportPlants"> {
	return (params, context) => {
		const page = piece`select * from listed order by plant_id${limitClause(params.limit)}`;
		const select = piece`with ${plantTables(piece, params)}, page as (${page}) ${plantRows(piece)}`;
		return exportFile(sql, params, { table: plantTable, by: ["plant_id"], choose: () => ({ select }) }, context);
	};
}

/** Exports the rows of the list, oldest first, from the views that omit rows that a license withholds. */
export function exportPrices(sql: Sql): Handler<"exportPrices"> {
	return (params, context) => {
		const select = piece`
			select iso, hub, hub_id, hub_type, market, ${params.interval}::text as interval, starts_at, ${priceColumns(piece)}
			from ${text(views[params.interval])}
			where ${placeCondition(piece, params)} and ${dateCondition(piece, params)}`;
		const file = { table: priceTable, by: ["starts_at", "iso", "hub_id", "market"], choose: () => ({ select }) };
		return exportFile(sql, params, file, context);
	};
}
