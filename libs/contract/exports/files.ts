/** Declarations that all exports of rows share: formats, parameters other than filters, and the manifest. */
import { z } from "zod";
import { count, sha256, timestamp } from "../envelopes.ts";
import { gatewayOperation, type OperationShape } from "../operation.ts";
import { choice, fields, flag, integer, refuse } from "../params.ts";
import { type Column, columnTypes } from "./columns.ts";

/** Media types by value of the parameter `format`, which is also the extension in the URL; the first is the default. */
export const exportMediaTypes = {
	csv: "text/csv; charset=utf-8; header=present",
	parquet: "application/vnd.apache.parquet",
	"csv.gz": "application/gzip",
	ndjson: "application/x-ndjson",
	xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	arrow: "application/vnd.apache.arrow.stream",
} as const;

/** Media types of exports whose rows have coordinates (`lat`, `lon`); GeoJSON is RFC 7946. */
export const geoExportMediaTypes = { ...exportMediaTypes, geojson: "application/geo+json" } as const;

const formatsOf = <T extends object>(mediaTypes: T) => Object.keys(mediaTypes) as [keyof T & string];
const exportFormats = formatsOf(exportMediaTypes);
const geoExportFormats = formatsOf(geoExportMediaTypes);
export type ExportFormat = keyof typeof geoExportMediaTypes;

export const compressions = ["zstd", "snappy"] as const;
export type Compression = (typeof compressions)[number];

/** The parameter `safe` of operations that can return CSV. */
export const safeCsv = () =>
	flag().optional().describe("CSV only: an apostrophe before texts that spreadsheets read as formulas");

/** Parameters of a file other than its filters. `by` is the sort order of its rows. */
export const fileParams = (row: z.ZodObject, always: readonly string[], by: string) => ({
	fields: fields(row, always),
	limit: integer(1, 1_000_000).optional().describe(`Maximum rows, the first by ${by}; all when absent`),
	compression: choice(compressions)
		.optional()
		.describe("Of a Parquet file; needs format=parquet. zstd when absent; snappy for older readers"),
	safe: safeCsv(),
	// `format` must remain the last parameter: files are identified by their parameters in this order.
	format: choice(exportFormats)
		.optional()
		.describe(
			"csv when absent, unless Accept ranks another format higher. Also as extension of the address: /export/changes.csv.gz",
		),
});

/** Like `fileParams`, for rows with coordinates. */
export const geoFileParams = (row: z.ZodObject, always: readonly string[], by: string) => ({
	...fileParams(row, always, by),
	format: choice(geoExportFormats)
		.optional()
		.describe(
			"csv when absent, unless Accept ranks another format higher. Also as extension of the address: /export/projects.parquet. geojson: a point for each row, null if its location is unknown",
		),
});

/** The parsed parameters of a file. */
export type FileParams = Partial<z.output<z.ZodObject<ReturnType<typeof geoFileParams>>>>;

/**
 * Checks that `compression` and `safe` can be combined with the format. Only Parquet is compressed within the file; other formats are compressed
 * by `csv.gz` or `Accept-Encoding`.
 */
export function checkFormat({ compression, safe, format }: FileParams, context: z.RefinementCtx): void {
	if (compression !== undefined && format !== "parquet") refuse(context, "compression", "requires format=parquet");
	requireCsvForSafe({ safe, format }, context);
}

export function requireCsvForSafe(
	{ safe, format = "csv" }: { safe?: boolean | undefined; format?: string | undefined },
	context: z.RefinementCtx,
): void {
	if (safe === true && !format.startsWith("csv")) refuse(context, "safe", "requires CSV");
}

/** The fields to show. A GeoJSON feature always has its coordinates and their precision, whichever fields are selected. */
export const shownFields = (
	fields: readonly string[] | undefined,
	format: ExportFormat | undefined,
): readonly string[] | undefined =>
	format === "geojson" && fields !== undefined ? [...new Set([...fields, "lat", "lon", "location_precision"])] : fields;

/** The last column of Parquet files (only of these): GeoParquet points from `lat` and `lon`. */
export const geometryColumn = {
	name: "geometry",
	type: "geometry",
	nullable: true,
	unit: null,
	description: "Point of lon and lat as WKB, degrees of OGC:CRS84 (GeoParquet 1.1); null if the location is unknown",
} as const;

export const haveCoordinates = (columns: readonly Column[]): boolean =>
	["lat", "lon"].every((each) => columns.some(({ name }) => name === each));

export const fileColumns = (
	columns: readonly Column[],
	format: ExportFormat | undefined,
): (Column | typeof geometryColumn)[] =>
	format === "parquet" && haveCoordinates(columns) ? [...columns, geometryColumn] : [...columns];

/** Reply of an operation that streams a file. */
export const exportAnswer = {
	reply: z.string(),
	mediaType: exportMediaTypes.csv,
	mediaTypes: exportMediaTypes,
	streamed: true,
} as const;
export const geoExportAnswer = { ...exportAnswer, mediaTypes: geoExportMediaTypes } as const;

const column = z.strictObject({
	name: z.string(),
	type: z
		.enum([...columnTypes, geometryColumn.type])
		.describe('Parquet\'s types; in CSV a list is joined with "; ". geometry: WKB, Parquet alone'),
	nullable: z.boolean(),
	unit: z.string().nullable(),
	description: z.string().nullable(),
});

export const exportManifest = z.strictObject({
	format: z.enum(geoExportFormats),
	media_type: z.string(),
	rows: count(),
	bytes: count().meta({ description: "Length of the file, bytes", "x-unit": "bytes" }),
	sha256: sha256().describe("Of the uncompressed bytes of the export at this data version; also its ETag"),
	schema_version: z.string().describe("Version of the columns, as in the export's X-Schema-Version"),
	data_version: count().describe("Version of the rows, as in the export's X-Data-Version"),
	generated_at: timestamp().describe("When the data reached this version"),
	filters: z
		.record(z.string(), z.union([z.string(), z.number().meta({ "x-unit": "of the parameter" }), z.boolean()]))
		.describe("Parameters that chose the rows, with defaults"),
	columns: z.array(column),
});

/** The manifest of an export whose rows reflect all changes up to a `seq`. */
export const loggedManifest = exportManifest.extend({
	seq: count()
		.optional()
		.describe("The newest change that the rows include, as in the export's X-Seq: later changes follow it"),
});

/** Declares the manifest operation of an export. It takes the export's parameters and describes the file that they select. */
export const manifestOf = <
	P extends OperationShape["params"],
	E extends NonNullable<OperationShape["example"]>,
	R extends z.ZodType,
>(
	{ params, http, example }: { params: P; http: { path: `/${string}` }; example: E },
	reply: R,
	summary: string,
) =>
	gatewayOperation({
		summary,
		params,
		reply,
		http: { method: "GET", path: `${http.path}/manifest`, price: "standard" },
		example,
		untimed: true,
	});
