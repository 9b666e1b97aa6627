import { z } from "zod";
import { megawatts, named, timestamp } from "../../envelopes.ts";
import { exportTable } from "../../exports/columns.ts";
import { project } from "../../records/project.ts";
import { changeTypes, projectRegions, requestKinds } from "../../vocabulary.ts";

/** One difference between two snapshots of an operator's list. `queue_id` and the project's facts are null on a summary of a bulk recode. */
export const change = named("Change", {
	seq: z
		.int()
		.min(1)
		.max(Number.MAX_SAFE_INTEGER)
		.describe(
			"Grows by one, without gaps, in commit order; evidence_update, raw_update and first_listed have their numbers too, where they are left out",
		),
	detected_at: timestamp().describe("Time of the snapshot that shows the change"),
	project_id: z.string().nullable().describe("The request; null of a change of many requests"),
	queue_id: z.string().nullable().describe("The operator's number of it"),
	region: z.enum(projectRegions).describe("Whose list shows it"),
	kind: z.enum(requestKinds).nullable().describe("generation, or a row of the list that is none"),
	change_type: z
		.enum(changeTypes)
		.describe(
			"Kind of change. component_change: a part of a plant; raw_update: a column that no field is compared of, with include=raw alone",
		),
	field_name: z
		.string()
		.nullable()
		.describe("The field that differs, of a raw_update the header of the column as filed; null for a new request"),
	old_value: z.string().nullable().describe("As text"),
	new_value: z.string().nullable().describe("As text"),
	project_name: z.string().nullable().describe("Of the request"),
	developer_canonical: z.string().nullable().describe("The developer behind it"),
	capacity_mw: megawatts("Of the request, MW").nullable(),
	type_std: z.string().nullable().describe("Its technology"),
	state: z.string().nullable().describe("Where it is"),
	backfilled: z
		.boolean()
		.describe(
			"By a list that is not the next one: what a list differs in that was loaded after a newer one, on its day; or a correction of the present, when such a list was loaded, a list was taken back, or all were read again",
		),
});

/** With `include=row`. */
export const changeWithRow = change.extend({
	project: project
		.nullable()
		.optional()
		.describe(
			"With include=row: the request as it was after the change; null of a change of many requests, of what a backfilled list differs in, and of a state that was replaced since",
		),
});

/** Its version is raised as that of the projects is. */
export const changeTable = exportTable("changes", "1.0", change);
