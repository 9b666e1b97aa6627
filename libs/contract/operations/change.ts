import { z } from "zod";
import { megawatts, timestamp } from "../envelopes.ts";
import { changeTypes, projectRegions, requestKinds } from "../vocabulary.ts";

/** One difference between two snapshots of an operator's list. `queue_id` and the project's facts are null on a summary of a bulk recode. */
export const change = z.strictObject({
	seq: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({
		description:
			"Grows by one, without gaps, in commit order; evidence_update has its numbers too, where it is left out",
	}),
	detected_at: timestamp().meta({ description: "Time of the snapshot that shows the change" }),
	project_id: z.string().nullable(),
	queue_id: z.string().nullable(),
	region: z.enum(projectRegions),
	kind: z.enum(requestKinds).nullable().meta({ description: "generation, or a row of the list that is none" }),
	change_type: z.enum(changeTypes),
	field_name: z.string().nullable(),
	old_value: z.string().nullable(),
	new_value: z.string().nullable(),
	project_name: z.string().nullable(),
	developer_canonical: z.string().nullable(),
	capacity_mw: megawatts().nullable(),
	type_std: z.string().nullable(),
	state: z.string().nullable(),
});
