/** Files of an export read back as the JSON of their rows, strictly: by readers of others. */
import { zstdDecompressSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import type { Column } from "#libs/contract/columns.ts";
import { projectColumns } from "#libs/contract/operations/project-columns.ts";

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

const compressors = {
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
				Object.entries(row).map(([name, value]) => [name, parsed(name, fromParquet(value, types.get(name)))]),
			),
		),
	};
}

function fromParquet(value: unknown, type: Column["type"] | undefined): unknown {
	if (typeof value === "bigint") return Number(value);
	if (!(value instanceof Date)) return value ?? null;
	return type === "date" ? value.toISOString().slice(0, 10) : value.toISOString().replace(".000Z", "Z");
}

export const keyValues = ({ key_value_metadata = [] }: FileMetaData): Record<string, string | undefined> =>
	Object.fromEntries(key_value_metadata.map(({ key, value }) => [key, value]));
