/** What every export of rows as a file declares alike: its formats, its parameters beside its filters, and the manifest of the file. */
import { z } from "zod";
import { columnTypes } from "./columns.ts";
import { count, timestamp } from "./envelopes.ts";
import { choice, fields, integer } from "./params.ts";

export const exportFormats = ["csv", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** By value of the parameter `format`; the first is the default. */
export const exportMediaTypes = {
	csv: "text/csv; charset=utf-8; header=present",
	parquet: "application/vnd.apache.parquet",
} as const;

/** Parameters of a file, beside its filters. `by`: what its rows are sorted by. */
export const fileParams = (row: z.ZodObject, always: readonly string[], by: string) => ({
	fields: fields(row, always),
	limit: integer(1, 1_000_000).optional().describe(`Most rows, the first by ${by}; all when absent`),
	format: choice(exportFormats)
		.optional()
		.describe("csv when absent, unless Accept asks for application/vnd.apache.parquet"),
});

/** Of the operation that streams the file. */
export const exportAnswer = {
	reply: z.string(),
	mediaType: exportMediaTypes.csv,
	mediaTypes: exportMediaTypes,
	streamed: true,
} as const;

const column = z.strictObject({
	name: z.string(),
	type: z
		.enum(columnTypes)
		.meta({ description: 'Parquet\'s types; in CSV a list is joined with "; " and an unknown value is empty' }),
	nullable: z.boolean(),
	unit: z.string().nullable(),
	description: z.string().nullable(),
});

export const exportManifest = z.strictObject({
	format: z.enum(exportFormats),
	media_type: z.string(),
	rows: count(),
	bytes: count().meta({ description: "Length of the file, bytes", "x-unit": "bytes" }),
	sha256: z
		.string()
		.regex(/^[0-9a-f]{64}$/)
		.meta({
			description: "Of exactly the bytes, not compressed, that the export answers at this data version; its ETag",
		}),
	schema_version: z.string().meta({ description: "Of the columns; the export's X-Schema-Version" }),
	data_version: count().meta({ description: "Of the rows; the export's X-Data-Version" }),
	generated_at: timestamp().meta({ description: "When the data became what this version is" }),
	filters: z
		.record(z.string(), z.union([z.string(), z.number().meta({ "x-unit": "of the parameter" }), z.boolean()]))
		.meta({ description: "The parameters that chose the rows, defaults among them; several values with commas" }),
	columns: z.array(column),
});

/** Of files whose rows follow the log of changes. */
export const loggedManifest = exportManifest.extend({
	seq: count().optional().meta({
		description: "The newest change that the rows know; the export's X-Seq. What changed since follows it",
	}),
});
