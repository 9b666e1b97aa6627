/** Files of an export read back as the JSON of their rows, strictly: by readers of others; and what a spool holds. */
import { readdirSync, readlinkSync } from "node:fs";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { tableFromIPC, Vector } from "apache-arrow";
import { parse } from "csv-parse/sync";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import readSheets from "read-excel-file/node";
import type { Column } from "#libs/contract/exports/columns.ts";
import type { ExportFormat } from "#libs/contract/exports/files.ts";
import { projectColumns } from "#libs/contract/operations/projects/project-columns.ts";

export type JsonRow = Record<string, unknown>;

const typesOf = (columns: readonly Column[]) => new Map(columns.map(({ name, type }) => [name, type]));

/** `columns`: of the project when absent. */
export function readCsv(bytes: Uint8Array, columns = projectColumns()): { header: string[]; rows: JsonRow[] } {
	const types = typesOf(columns);
	// An unknown value is empty; an empty text is quoted.
	const cast = (text: string, { quoting }: { quoting: boolean }) => (text === "" && !quoting ? null : text);
	const [header = [], ...lines] = parse(Buffer.from(bytes), { cast, record_delimiter: "\n" }) as (string | null)[][];
	const names = header.map(String);
	const rows = lines.map((cells) =>
		Object.fromEntries(
			cells.map((cell, at) => {
				const name = names[at] ?? "";
				return [name, parsed(name, fromCsv(cell, types.get(name)))];
			}),
		),
	);
	return { header: names, rows };
}

/** Lists of objects are JSON in a cell. */
const parsed = (name: string, value: unknown): unknown =>
	name === "components" && typeof value === "string" ? JSON.parse(value) : value;

function fromCsv(cell: string | null, type: Column["type"] | undefined): unknown {
	if (cell === null) return null;
	if (type === "list") return cell === "" ? [] : cell.split("; ");
	if (type === "boolean") return { true: true, false: false }[cell] ?? `${cell} is no boolean`;
	return type === "double" || type === "int32" || type === "int64" ? Number(cell) : cell;
}

export const compressors = {
	ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)),
};

export async function readParquet(
	bytes: Uint8Array,
	columns = projectColumns(),
): Promise<{ metadata: FileMetaData; rows: JsonRow[] }> {
	const types = typesOf(columns);
	const file = new Uint8Array(bytes).buffer;
	const metadata = parquetMetadata(file);
	const rows = (await parquetReadObjects({ file, metadata, compressors })) as JsonRow[];
	return {
		metadata,
		rows: rows.map((row) =>
			Object.fromEntries(
				Object.entries(withoutGeometry(row, metadata)).map(([name, value]) => [
					name,
					parsed(name, fromParquet(value, types.get(name))),
				]),
			),
		),
	};
}

/** The points of GeoParquet, which the reader has decoded, are those of `lat` and `lon`. */
function withoutGeometry(row: JsonRow, metadata: FileMetaData): JsonRow {
	if (keyValues(metadata).geo === undefined) return row;
	const { geometry, ...rest } = row;
	const point = pointOf(rest.lat, rest.lon);
	if (JSON.stringify(geometry ?? null) !== JSON.stringify(point))
		throw new Error(`${Object.values(rest)[0]} lies elsewhere`);
	return rest;
}

const pointOf = (lat: unknown, lon: unknown) =>
	(lat ?? null) === null || (lon ?? null) === null ? null : { type: "Point", coordinates: [lon, lat] };

function fromParquet(value: unknown, type: Column["type"] | undefined): unknown {
	if (typeof value === "bigint") return Number(value);
	if (!(value instanceof Date)) return value ?? null;
	return type === "date" ? value.toISOString().slice(0, 10) : value.toISOString().replace(".000Z", "Z");
}

const lines = (bytes: Uint8Array): JsonRow[] =>
	Buffer.from(bytes)
		.toString()
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line) as JsonRow);

interface Feature {
	type: string;
	id: unknown;
	geometry: { type: string; coordinates: unknown[] } | null;
	properties: JsonRow;
}

/** The properties, whose places are those of the features. */
function readFeatures(bytes: Uint8Array): JsonRow[] {
	const { type, features } = JSON.parse(Buffer.from(bytes).toString()) as { type: string; features: Feature[] };
	if (type !== "FeatureCollection") throw new Error(`${type} is no collection of features`);
	return features.map(({ type, id, geometry, properties }) => {
		const { lat, lon } = properties;
		if (type !== "Feature" || id !== Object.values(properties)[0]) throw new Error(`${id} is no feature of its row`);
		if (JSON.stringify(geometry) !== JSON.stringify(pointOf(lat, lon))) throw new Error(`${id} lies elsewhere`);
		return properties;
	});
}

/** The first sheet as rows, and the second as it is. */
export async function readWorkbook(
	bytes: Uint8Array,
	columns = projectColumns(),
): Promise<{ rows: JsonRow[]; notes: unknown[][] }> {
	const types = typesOf(columns);
	const [first, second] = await readSheets(Buffer.from(bytes));
	const [header = [], ...cells] = first?.data ?? [];
	const names = header.map(String);
	const rows = cells.map((row) =>
		Object.fromEntries(
			names.map((name, at) => {
				const type = types.get(name);
				// The reader cuts off what a fraction of a day lacks of a second.
				const cell =
					row[at] instanceof Date ? new Date(Math.round(row[at].getTime() / 1_000) * 1_000) : (row[at] ?? null);
				const value = type === "list" ? fromCsv(String(cell ?? ""), type) : fromParquet(cell, type);
				return [name, parsed(name, value)];
			}),
		),
	);
	return { rows, notes: second?.data ?? [] };
}

const arrowTypes: Record<Column["type"], string> = {
	string: "Utf8",
	double: "Float64",
	int32: "Int32",
	int64: "Int64",
	boolean: "Bool",
	date: "Date32<DAY>",
	timestamp: "Timestamp<MILLISECOND, UTC>",
	list: "List<Utf8>",
};

export function readArrow(bytes: Uint8Array, columns = projectColumns()): JsonRow[] {
	const table = tableFromIPC(bytes);
	const declared = new Map(columns.map((column) => [column.name, column]));
	for (const { name, type, nullable, metadata } of table.schema.fields) {
		const column = declared.get(name);
		const found = [String(type), nullable, metadata.get("unit") ?? null];
		if (column !== undefined && found.join() !== [arrowTypes[column.type], column.nullable, column.unit].join())
			throw new Error(`${name} is ${found.join()}`);
	}
	return table.toArray().map((row) =>
		Object.fromEntries(
			Object.entries(row.toJSON() as JsonRow).map(([name, cell]) => {
				const type = declared.get(name)?.type;
				const isTime = (type === "date" || type === "timestamp") && cell !== null;
				const value = isTime ? new Date(Number(cell)) : cell instanceof Vector ? cell.toArray() : cell;
				return [name, parsed(name, fromParquet(value, type))];
			}),
		),
	);
}

/** The rows of a file in any format. */
export async function readRows(
	bytes: Uint8Array,
	format: ExportFormat,
	columns = projectColumns(),
): Promise<JsonRow[]> {
	if (format === "parquet") return (await readParquet(bytes, columns)).rows;
	if (format === "arrow") return readArrow(bytes, columns);
	if (format === "ndjson") return lines(bytes);
	if (format === "geojson") return readFeatures(bytes);
	if (format === "xlsx") return (await readWorkbook(bytes, columns)).rows;
	return readCsv(format === "csv.gz" ? gunzipSync(bytes) : bytes, columns).rows;
}

export const keyValues = ({ key_value_metadata = [] }: FileMetaData): Record<string, string | undefined> =>
	Object.fromEntries(key_value_metadata.map(({ key, value }) => [key, value]));

/** The files that a process (this one when absent) has open in a folder, which need not name them any more. */
export function spooled(folder: string, pid: number | "self" = "self"): string[] {
	return readdirSync(`/proc/${pid}/fd`)
		.map((name) => `/proc/${pid}/fd/${name}`)
		.filter((path) => {
			try {
				return readlinkSync(path).startsWith(`${folder}/`);
			} catch {
				// The file was closed meanwhile.
				return false;
			}
		});
}
