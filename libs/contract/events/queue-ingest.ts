import { z } from "zod";
import { timestamp } from "../envelopes.ts";
import { event } from "../event.ts";
import { project } from "../operations/project.ts";
import { changeTypes, regions } from "../vocabulary.ts";

/**
 * A project as it now is, and what changed. Sent for each new or changed project of an applied snapshot; `version` is the
 * project's. A republished event carries the current state and no changes.
 */
export const projectChanged = event({
	publisher: "queue-ingest",
	name: "project.changed",
	summary: "An interconnection request is new or differs from the version before.",
	payload: {
		project,
		as_of: timestamp(),
		changes: z.array(
			z.strictObject({
				seq: z.int(),
				change_type: z.enum(changeTypes),
				field_name: z.string().nullable(),
				old_value: z.string().nullable(),
				new_value: z.string().nullable(),
			}),
		),
	},
});

/** What a snapshot did, once per applied snapshot that changed anything. */
export const snapshotApplied = event({
	publisher: "queue-ingest",
	name: "snapshot.applied",
	summary: "An operator's list was accepted.",
	payload: {
		region: z.enum(regions),
		feed: z.string(),
		as_of: timestamp(),
		rows: z.int(),
		new: z.int(),
		changed: z.int(),
		last_seq: z.int().meta({ description: "Highest seq of the change feed after this snapshot" }),
	},
});
