/** Writes a Parquet file row group by row group from the text of PostgreSQL's COPY. */
import { constants, zstdCompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { Column } from "#libs/contract/exports/columns.ts";
import { type Compression, haveCoordinates } from "#libs/contract/exports/files.ts";
import { geometryElement, Points } from "./geometry.ts";

export interface ParquetTask {
	/** The root of the schema. */
	name: string;
	/** Columns of the rows. With `lat` and `lon` among them, the file also has points. */
	columns: readonly Column[];
	/** Compression of its pages; zstd when absent. */
	compression?: Compression | undefined;
	/** Key-value pairs of the footer. The same task and rows make the same bytes. */
	metadata: Record<string, string>;
}

export interface ParquetFile {
	/** Takes bytes of COPY, cut anywhere. Returns bytes of the file when a row group is full. */
	add(bytes: Uint8Array): Uint8Array | undefined;
	/** Returns the last row group, if there is one, and the footer. */
	end(): Uint8Array;
}

/** Rows and characters of a row group: enough to compress well, and few enough to be written in some ten megabytes of memory. */
export const groupRows = 20_000;
const groupLength = 16_000_000;
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const codecs = { zstd: "ZSTD", snappy: "SNAPPY" } as const;

type Cell = string | number | bigint | boolean | string[] | null;

export function parquetFile({ name, columns, metadata, compression = "zstd" }: ParquetTask): ParquetFile {
	const writer = new ByteWriter();
	const points = haveCoordinates(columns) ? new Points() : undefined;
	const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
	const parquet = new ParquetWriter({
		writer,
		schema: schemaOf(name, columns, points === undefined ? [] : [geometryElement]),
		codec: codecs[compression],
		compressors: { ZSTD: (page) => zstdCompressSync(page, level) },
		kvMetadata,
		createdBy: "energy-infrastructure-data-service",
	});
	const decoder = new TextDecoder();
	const group = new RowGroup(columns);
	let begun = "";

	function write(): void {
		const columnData: ColumnSource[] = group.take();
		const cells = (name: string) => columnData.find((column) => column.name === name)?.data as Cell[];
		if (points !== undefined) {
			const data = points.of(cells("lon"), cells("lat"));
			// The least and greatest bytes of points have no meaning.
			columnData.push({ name: geometryElement.name, data, statistics: false });
		}
		parquet.write({ columnData, rowGroupSize: groupRows });
		for (const { meta_data } of parquet.row_groups.at(-1)?.columns ?? []) {
			const { statistics = {} } = meta_data ?? {};
			for (const bound of ["min_value", "max_value"] as const) {
				const value = statistics[bound];
				if (typeof value === "string") statistics[bound] = copyText(value);
			}
		}
	}
	return {
		add(bytes) {
			const lines = (begun + decoder.decode(bytes, { stream: true })).split("\n");
			begun = lines.pop() ?? "";
			let full = false;
			for (const line of lines) {
				group.add(line);
				if (group.rows < groupRows && group.length < groupLength) continue;
				write();
				full = true;
			}
			return full ? takeWritten(writer) : undefined;
		},
		end() {
			if (begun !== "") throw new Error("the input ends within a row");
			if (group.rows > 0) write();
			// `finish` reads it. Only now are the bounds of all points known.
			if (points !== undefined) kvMetadata.push({ key: "geo", value: points.metadata() });
			parquet.finish();
			return takeWritten(writer);
		},
	};
}

/** Returns the bytes written since the last call, and frees their memory. */
function takeWritten(writer: ByteWriter): Uint8Array {
	const bytes = writer.getBytes().slice();
	writer.buffer = new ArrayBuffer(1_024);
	writer.view = new DataView(writer.buffer);
	writer.index = 0;
	return bytes;
}

class RowGroup {
	readonly #columns: readonly Column[];
	readonly #readers: ((text: string) => Cell)[];
	#cells: Cell[][];
	rows = 0;
	/** Characters, as COPY wrote them. */
	length = 0;

	constructor(columns: readonly Column[]) {
		this.#columns = columns;
		this.#readers = columns.map(({ type }) => readers[type]);
		this.#cells = columns.map(() => []);
	}

	add(line: string): void {
		const fields = line.split("\t");
		if (fields.length !== this.#columns.length) throw new Error("a row has another number of columns than the file");
		for (const [at, field] of fields.entries())
			this.#cells[at]?.push(field === "\\N" ? null : (this.#readers[at]?.(field) ?? null));
		this.rows++;
		this.length += line.length;
	}

	take(): { name: string; data: Cell[] }[] {
		const data = this.#columns.map(({ name }, at) => ({ name, data: this.#cells[at] ?? [] }));
		this.#cells = this.#columns.map(() => []);
		this.rows = 0;
		this.length = 0;
		return data;
	}
}

const dayMs = 86_400_000;

const mostCached = 10_000;

function memoize(read: (text: string) => Cell): (text: string) => Cell {
	const known = new Map<string, Cell>();
	return (text) => {
		let value = known.get(text);
		if (value === undefined) {
			value = read(text);
			if (known.size >= mostCached) known.clear();
			known.set(copyText(text), value);
		}
		return value;
	};
}

/** Readers of a column's text. Values that recur are parsed once for all files together, so that ten files take no more memory than one. */
const readers: Record<Column["type"], (text: string) => Cell> = {
	string: unescapeField,
	double: Number,
	int32: Number,
	int64: memoize((text) => BigInt(text)),
	boolean: (text) => text === "t",
	date: memoize((text) => milliseconds(text) / dayMs),
	timestamp: memoize((text) => BigInt(milliseconds(text))),
	list: memoize((text) => JSON.parse(unescapeField(text)) as string[]),
};

/** A slice keeps the whole string in memory, so a text that outlives its row group is copied. */
const copyText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

function milliseconds(text: string): number {
	const read = Date.parse(text);
	if (Number.isNaN(read)) throw new Error(`${text} is not a day or a time`);
	return read;
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Undoes the escapes of COPY. */
function unescapeField(text: string): string {
	if (!text.includes("\\")) return text;
	return text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}

function schemaOf(name: string, columns: readonly Column[], computed: readonly SchemaElement[]): SchemaElement[] {
	return [{ name, num_children: columns.length + computed.length }, ...columns.flatMap(elements), ...computed];
}

function elements({ name, type, nullable }: Column): SchemaElement[] {
	const repetition_type = nullable ? "OPTIONAL" : "REQUIRED";
	if (type !== "list") return [{ name, repetition_type, ...physical[type] }];
	return [
		{ name, repetition_type, converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
		{ name: "list", repetition_type: "REPEATED", num_children: 1 },
		{ name: "element", repetition_type: "REQUIRED", ...physical.string },
	];
}

const physical: Record<Exclude<Column["type"], "list">, Omit<SchemaElement, "name">> = {
	string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
	double: { type: "DOUBLE" },
	int32: { type: "INT32" },
	int64: { type: "INT64" },
	boolean: { type: "BOOLEAN" },
	date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
	timestamp: {
		type: "INT64",
		converted_type: "TIMESTAMP_MILLIS",
		logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
	},
};
