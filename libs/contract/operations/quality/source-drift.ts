/** One difference between a list's structure and that of the list before it, in answers and in the event. */
import { z } from "zod";
import { named } from "../../envelopes.ts";
import { driftClasses, driftSeverities } from "../../vocabulary.ts";

export const drift = named("SourceDrift", {
	class: z
		.enum(driftClasses)
		.describe("What differs; word_new: a word that is not known, kept as filed and standardised to nothing"),
	severity: z
		.enum(driftSeverities)
		.describe(
			"error: a field was read from it and has nothing now (gone, emptied, words for numbers); warning: look at it; notice: nothing is read from it",
		),
	sheet: z.string().nullable().describe("Null of a file without sheets, and of a word"),
	column: z.string().nullable().describe("Header as filed; of word_new the field; null where it is the whole sheet"),
	before: z.string().nullable().describe("As it was in the list compared with"),
	after: z.string().nullable().describe("As it is in this list"),
});
