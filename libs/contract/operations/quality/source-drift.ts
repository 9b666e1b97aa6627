/** A difference between the structure of a list and that of the previous one. */
import { z } from "zod";
import { named } from "../../envelopes.ts";
import { driftClasses, driftSeverities } from "../../vocabulary.ts";

export const drift = named("SourceDrift", {
	class: z
		.enum(driftClasses)
		.describe("Kind of difference; word_new: an unknown word, stored as filed and not standardized"),
	severity: z
		.enum(driftSeverities)
		.describe(
			"error: a field that was read from it is now empty (removed, emptied, or text instead of numbers); warning: check it; notice: no field is read from it",
		),
	sheet: z.string().nullable().describe("Null of a file without sheets, and of a word"),
	column: z.string().nullable().describe("Header as filed; for word_new the field; null for a whole sheet"),
	before: z.string().nullable().describe("Value in the previous list"),
	after: z.string().nullable().describe("Value in this list"),
});
