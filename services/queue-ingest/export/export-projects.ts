import type { ExportFormat } from "#libs/contract/exports.ts";
import { projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { exportedColumns, projectTable } from "#libs/contract/operations/project-columns.ts";
import { exportFile } from "#libs/exports/file.ts";
import type { Choose } from "#libs/exports/rows.ts";
import { columnsOf, most, piece, type Select } from "#libs/exports/select.ts";
import { readSeq } from "../history/newest-seq.ts";
import { checkDay, requestsAt } from "../history/past.ts";
import type { Scores } from "../history/past-scores.ts";
import { scoresOn, showsScores, withScores } from "../history/scored.ts";
import type { Resources } from "../resources.ts";

type Input = Params<"exportProjects">;

export function exportProjects(resources: Resources): Handler<"exportProjects"> {
	return async function* (params, context) {
		checkDay(resources, params);
		const scores = showsScores(params.fields) ? await scoresOn(resources, params) : undefined;
		const file = {
			table: projectTable,
			columns: exportedColumns(params),
			format: params.format,
			compression: params.compression,
			safe: params.safe,
			choose: chooseProjects(params, params.format, scores),
		};
		yield* exportFile(resources.sql, file, context);
	};
}

export function chooseProjects(params: Input, format: ExportFormat = "csv", scores?: Scores): Choose {
	return async (connection) => {
		const select = projectSelect(params, format, scores);
		// A day has no place in the feed: lists of before it may come later.
		if (params.as_of !== undefined) return { select };
		const seq = await readSeq(connection, { after_seq: params.after_seq });
		return { select, head: { "x-seq": String(seq) } };
	};
}

/** The rows of the list, in the order of their ids. */
export function projectSelect(
	{ type, limit, after_seq, as_of, format: _, compression: __, fields, ...given }: Input,
	format: ExportFormat,
	scores?: Scores,
): Select {
	const fuel_type = given.fuel_type ?? type;
	const filters = fuel_type === undefined ? given : { ...given, fuel_type };
	const columns = columnsOf(exportedColumns({ fields, after_seq, as_of, format }), "p", format);
	if (after_seq === undefined) {
		const requests = scores === undefined ? requestsAt(piece, { as_of }) : withScores(piece, { as_of }, scores);
		return piece`select ${columns} from ${requests} ${projectCondition(piece, filters)} order by p.id${most(limit)}`;
	}
	// What has left the newest list has changed: it is shown, and says so.
	const condition = projectCondition(piece, { ...filters, include_unlisted: true });
	return piece`select ${columns} from (
			select p.*, false as deleted from projects p where ${condition} and p.id in (${changedSince(after_seq)})
			union all
			select row.*, true from deleted_projects d
			cross join lateral jsonb_populate_record(null::projects, jsonb_build_object('id', d.id)) as row
			where not exists (select from projects p where p.id = d.id)
		) p order by p.id`;
}

/** A change of a whole list names no request: then those count of which that list made a new version. */
const changedSince = (seq: number): Select => piece`
	select c.project_id from changes c where c.seq > ${seq} and c.project_id is not null and c.change_type <> 'raw_update'
	union
	select v.project_id from project_versions v
	where v.snapshot_id in (select c.snapshot_id from changes c where c.seq > ${seq} and c.project_id is null and c.change_type <> 'raw_update')`;
