/** The past: parameters and what an answer says of the lists that it rests on. */
import { z } from "zod";
import { count, day } from "../envelopes.ts";
import { integer, isoDate } from "../params.ts";

export interface AsOf {
	as_of?: string | undefined;
	at_seq?: number | undefined;
}

/** Of reads that can answer of a day. */
export const asOfDay = {
	as_of: isoDate()
		.optional()
		.describe(
			"What each operator's newest list of that day (UTC) or before said, corrections since included; `meta.coverage` says which lists, null before an operator's first",
		),
};

/** Of reads that can answer of a day, or of a place in the change feed. */
export const asOf = {
	...asOfDay,
	at_seq: integer(0, Number.MAX_SAFE_INTEGER)
		.optional()
		.describe("As after the change of this `seq`, in the order of loading; not with as_of"),
};

export function oneMoment(params: AsOf, context: z.RefinementCtx): void {
	if (params.as_of !== undefined && params.at_seq !== undefined)
		context.addIssue({ code: "custom", path: ["at_seq"], message: "does not go with as_of" });
}

/** Of `meta`, with `as_of` or `at_seq` alone. */
export const asOfMeta = {
	as_of: day().optional().meta({ description: "As asked for" }),
	at_seq: count().optional().meta({ description: "As asked for" }),
	coverage: z.record(z.string(), day().nullable()).optional().meta({
		description: "By operator: day of the newest list that the answer rests on; null before its first list",
	}),
	lists: z.record(z.string(), day()).optional().meta({
		description:
			"By list: day of the newest one that the answer rests on. Of an operator that publishes two, both count, and `coverage` has the newer day",
	}),
	corrections: count().optional().meta({
		description:
			"States of requests on or before that day that were taken back, or were learnt from lists that were loaded after newer ones",
	}),
};

/** `meta` of an answer that has none of the present. */
export const pastMeta = z.strictObject(asOfMeta).optional().meta({ description: "Of an answer of the past" });
