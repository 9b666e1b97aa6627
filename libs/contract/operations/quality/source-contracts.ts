/** The structure of each grid operator's list, and how it drifts from list to list. */
import { z } from "zod";
import { count, day, named, share, timestamp } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { flag, several } from "../../params.ts";
import { listFormats, regions, valueKinds } from "../../vocabulary.ts";
import { region } from "../projects/project.ts";
import { drift } from "./source-drift.ts";

const column = named("SourceColumn", {
	header: z.string().describe("As filed"),
	fields: z.array(z.string()).describe("Fields of a request that are read from it"),
	filled: share("Of the rows, those whose cell states something"),
	kinds: z
		.partialRecord(z.enum(valueKinds), count())
		.describe("Cells of each kind; a number written as text is number_as_text"),
	words: z
		.array(z.string())
		.nullable()
		.describe("Of a column of coded values (status, type, service, phase), sorted; else null"),
});

export const getSourceContracts = operation({
	owner: "queue-ingest",
	summary:
		"The structure of each grid operator's newest list (sheets, columns, kinds of value, words) and how it differs from the list accepted before it.",
	params: z.strictObject({
		region: several(region(), regions.length).optional().describe("Grid operators; all when absent"),
		columns: flag().optional().describe("false: without the columns of the sheets; true when absent"),
	}),
	reply: z.strictObject({
		data: z.array(
			named("SourceContract", {
				source: z.string().describe("Name of the list, as in /source-freshness"),
				region: z.string(),
				outcome: z
					.enum(["applied", "quarantined"])
					.describe("applied: the newest that was accepted; quarantined: a newer one that a guard holds back"),
				format: z.enum(listFormats).describe("Of the file; lists are compared within one format"),
				as_of: timestamp(),
				layout_since: timestamp().describe(
					"Of the first accepted list from which on all of this format have had this layout",
				),
				snapshot_id: z.int(),
				sha256: z.string().describe("Of the file as archived"),
				layout: z.string().describe("SHA-256 over sheets and headers: equal for lists of one layout"),
				compared_with: z
					.strictObject({ snapshot_id: z.int(), as_of: timestamp() })
					.nullable()
					.describe("The list of the same format that was accepted before it; null where there is none"),
				not_compared: z
					.enum(["first_list", "another_format"])
					.nullable()
					.describe(
						"Why it was compared with none: no list before it, or those before are of another format and the comparison begins anew",
					),
				unknown_words: z
					.array(
						named("UnknownWord", {
							field: z.string().describe("What the word is read for: status, type, study_phase"),
							word: z.string().describe("As filed"),
							rows: count().describe("Rows with it"),
							column: z
								.string()
								.nullable()
								.describe("Header of the column, as filed; null where the rows are not known"),
							example: z.string().nullable().describe("Number of the first request with it"),
							mapped_to: z
								.string()
								.nullable()
								.describe("The known word that a person mapped it to since: in force from the next list on"),
						}),
					)
					.describe("Words of this list that are not known, kept as filed"),
				mapped_words: z
					.array(
						named("MappedWord", {
							field: z.string().describe("What the word is read for"),
							word: z.string().describe("As filed"),
							rows: count().describe("Rows with it"),
							read_as: z.string().describe("The known word in its place"),
							author: z.string().describe("Who mapped it"),
							mapped_on: day().describe("When"),
						}),
					)
					.describe("Words of this list that are not known, and were read as a person mapped them"),
				drift: z.array(drift).describe("Empty where nothing differs or nothing was compared; 200 at most"),
				sheets: z
					.array(
						z.strictObject({
							sheet: z.string().nullable().describe("Null of a file without sheets"),
							rows: count().describe("Rows that state something"),
							columns: z.array(column),
						}),
					)
					.describe("One without a name of a file without sheets"),
			}),
		),
	}),
	http: { method: "GET", path: "/source-contracts", price: "free" },
	example: { region: "MISO", columns: false },
	maxAgeMs: 60_000,
});
