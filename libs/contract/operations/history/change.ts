import { z } from "zod";
import { megawatts, named, timestamp } from "../../envelopes.ts";
import { defineExportTable } from "../../exports/columns.ts";
import { project } from "../../records/project.ts";
import { changeTypes, projectRegions, requestKinds } from "../../vocabulary.ts";

/**
 * A difference between two snapshots of an operator's list. `queue_id` and the project's fields are null if one row summarizes a change
 * of codes that an operator made in many requests.
 */
export const change = named("Change", {
	seq: z
		.int()
		.min(1)
		.max(Number.MAX_SAFE_INTEGER)
		.describe(
			"Increases by one without gaps, in commit order; changes that are left out (evidence_update, raw_update, first_listed) have numbers too and are counted in `skipped`",
		),
	detected_at: timestamp().describe("Time of the snapshot that shows the change"),
	project_id: z.string().nullable().describe("The request; null for a change of many requests"),
	queue_id: z.string().nullable().describe("The operator's number of the request"),
	region: z.enum(projectRegions).describe("Publisher of the list that shows it"),
	kind: z.enum(requestKinds).nullable().describe("generation, or the kind of a row that is not a generation request"),
	change_type: z
		.enum(changeTypes)
		.describe(
			"Kind of change. component_change: a part of a plant; raw_update: a column that no compared field is read from, only with include=raw",
		),
	field_name: z
		.string()
		.nullable()
		.describe("The field that differs; for a raw_update, the header of the column as filed; null for a new request"),
	old_value: z.string().nullable().describe("As text"),
	new_value: z.string().nullable().describe("As text"),
	project_name: z.string().nullable().describe("Name of the request"),
	developer_canonical: z.string().nullable().describe("The developer behind it"),
	capacity_mw: megawatts("Capacity of the request, MW").nullable(),
	type_std: z.string().nullable().describe("Its technology"),
	state: z.string().nullable().describe("State of the request"),
	backfilled: z
		.boolean()
		.describe(
			"True for a difference found out of order: in a list that was loaded after a newer one, or as a correction when such a list was loaded, a list was retracted, or all lists were read again, which also adds the changes that one line for many requests had hidden",
		),
});

/** A change and the request as it was after the change (`include=row`). */
export const changeWithRow = change.extend({
	project: project
		.nullable()
		.optional()
		.describe(
			"With include=row: the request after the change; null for a change of many requests, a difference in a backfilled list, or a state that was replaced later",
		),
});

/** The version changes as `projectSchemaVersion` does. */
export const changeTable = defineExportTable("changes", "1.0", change);
