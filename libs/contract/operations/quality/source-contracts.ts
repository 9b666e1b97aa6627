/** The structure of each grid operator's list, and its changes. */
import { z } from "zod";
import { count, day, named, share, timestamp } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { flag, several } from "../../params.ts";
import { listFormats, regions, valueKinds } from "../../vocabulary.ts";
import { region } from "../projects/project.ts";
import { drift } from "./source-drift.ts";

const column = named("SourceColumn", {
	header: z.string().describe("As filed"),
	fields: z.array(z.string()).describe("Fields of a request that are read from it"),
	filled: share("Share of rows whose cell has a value"),
	kinds: z
		.partialRecord(z.enum(valueKinds), count())
		.describe("Cells of each kind; a number written as text is number_as_text"),
	words: z
		.array(z.string())
		.nullable()
		.describe("Sorted values of a column of codes (status, type, service, phase); null for other columns"),
});

export const getSourceContracts = queueIngestOperation({
	summary:
		"The structure of each grid operator's newest list (sheets, columns, kinds of value, words) and how it differs from the list accepted before it.",
	params: z.strictObject({
		region: several(region(), regions.length).optional().describe("Grid operators; all when absent"),
		columns: flag().optional().describe("false leaves out the columns of the sheets; true when absent"),
	}),
	reply: z.strictObject({
		data: z.array(
			named("SourceContract", {
				source: z.string().describe("Name of the list, as in /source-freshness"),
				region: z.string(),
				outcome: z
					.enum(["applied", "quarantined"])
					.describe("applied: the newest that was accepted; quarantined: a newer one that a guard holds back"),
				format: z.enum(listFormats).describe("Format of the file; lists are compared within one format"),
				as_of: timestamp(),
				layout_since: timestamp().describe(
					"Time of the first accepted list since which all lists of this format have had this layout",
				),
				snapshot_id: z.int(),
				sha256: z.string().describe("SHA-256 of the archived file"),
				layout: z.string().describe("SHA-256 over sheets and headers: equal for lists of one layout"),
				compared_with: z
					.strictObject({ snapshot_id: z.int(), as_of: timestamp() })
					.nullable()
					.describe("The previous accepted list of the same format; null if there is none"),
				not_compared: z
					.enum(["first_list", "another_format"])
					.nullable()
					.describe("Why it was not compared: it is the first list, or earlier lists have another format"),
				unknown_words: z
					.array(
						named("UnknownWord", {
							field: z.string().describe("Field that the word is read for: status, type, study_phase"),
							word: z.string().describe("As filed"),
							rows: count().describe("Rows with it"),
							column: z.string().nullable().describe("Header of the column, as filed; null if the rows are unknown"),
							example: z.string().nullable().describe("Number of the first request with it"),
							mapped_to: z
								.string()
								.nullable()
								.describe("The known word that a person has mapped it to, effective with the next list"),
						}),
					)
					.describe("Unknown words of this list, stored as filed"),
				mapped_words: z
					.array(
						named("MappedWord", {
							field: z.string().describe("Field that the word is read for"),
							word: z.string().describe("As filed"),
							rows: count().describe("Rows with it"),
							read_as: z.string().describe("The known word that replaces it"),
							author: z.string().describe("Person who mapped it"),
							mapped_on: day().describe("When"),
						}),
					)
					.describe("Unknown words of this list that were read as a person mapped them"),
				drift: z.array(drift).describe("Empty if nothing differs or nothing was compared; at most 200"),
				sheets: z
					.array(
						z.strictObject({
							sheet: z.string().nullable().describe("Null of a file without sheets"),
							rows: count().describe("Rows with a value"),
							columns: z.array(column),
						}),
					)
					.describe("One without a name for a file without sheets"),
			}),
		),
	}),
	http: { method: "GET", path: "/source-contracts", price: "free" },
	example: { region: "MISO", columns: false },
	maxAgeMs: 60_000,
});
