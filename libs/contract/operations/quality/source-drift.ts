/** One difference between a list's structure and that of the list before it, in answers and in the event. */
import { z } from "zod";
import { named } from "../../envelopes.ts";
import { driftClasses, driftSeverities } from "../../vocabulary.ts";

export const drift = named("SourceDrift", {
	class: z.enum(driftClasses).meta({
		description: "What differs; word_new: a word that is not known, kept as filed and standardised to nothing",
	}),
	severity: z.enum(driftSeverities).meta({
		description:
			"error: a field was read from it and has nothing now (gone, emptied, words for numbers); warning: look at it; notice: nothing is read from it",
	}),
	sheet: z.string().nullable().meta({ description: "Null of a file without sheets, and of a word" }),
	column: z
		.string()
		.nullable()
		.meta({ description: "Header as filed; of word_new the field; null where it is the whole sheet" }),
	before: z.string().nullable().meta({ description: "As it was in the list compared with" }),
	after: z.string().nullable().meta({ description: "As it is in this list" }),
});
