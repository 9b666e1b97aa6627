import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { exportedColumns, projectTable } from "#libs/contract/operations/project-columns.ts";
import { exportFile } from "#libs/parquet/file.ts";
import { piece, type Select } from "#libs/parquet/select.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readSeq } from "../history/newest-seq.ts";
import { checkDay, requestsAt } from "../history/past.ts";
import type { Scores } from "../history/past-scores.ts";
import { scoresOn, showsScores, withScores } from "../history/scored.ts";
import type { Resources } from "../resources.ts";

type Input = Params<"exportProjects">;

/** The rows of the list, in the order of their ids. */
export function exportProjects(resources: Resources): Handler<"exportProjects"> {
	return async function* (params, context) {
		checkDay(resources, params);
		const { as_of, after_seq, fields } = params;
		const scores = showsScores(fields) ? await scoresOn(resources, params) : undefined;
		const choose = async (connection: Sql) => {
			const select = projectSelect(params, scores);
			// A day has no place in the feed: lists of before it may come later.
			if (as_of !== undefined) return { select };
			return { select, head: { "x-seq": String(await readSeq(connection, { after_seq })) } };
		};
		const file = { table: projectTable, columns: exportedColumns(params), by: ["id"], choose };
		yield* exportFile(resources.sql, params, file, context);
	};
}

export function projectSelect({ type, after_seq, as_of, ...given }: Input, scores?: Scores): Select {
	const filters = { ...given, fuel_type: given.fuel_type ?? type };
	if (after_seq === undefined) {
		const requests = scores === undefined ? requestsAt(piece, { as_of }) : withScores(piece, { as_of }, scores);
		return piece`select p.* from ${requests} ${projectCondition(piece, filters)}`;
	}
	// What has left the newest list has changed: it is shown, and says so.
	const condition = projectCondition(piece, { ...filters, include_unlisted: true });
	return piece`
		select p.*, false as deleted from projects p where ${condition} and p.id in (${changedSince(after_seq)})
		union all
		select row.*, true from deleted_projects d
		cross join lateral jsonb_populate_record(null::projects, jsonb_build_object('id', d.id)) as row
		where not exists (select from projects p where p.id = d.id)`;
}

/** A change of a whole list names no request: then those count of which that list made a new version. */
const changedSince = (seq: number): Select => piece`
	select c.project_id from changes c where c.seq > ${seq} and c.project_id is not null and c.change_type <> 'raw_update'
	union
	select v.project_id from project_versions v
	where v.snapshot_id in (select c.snapshot_id from changes c where c.seq > ${seq} and c.project_id is null and c.change_type <> 'raw_update')`;
