/** Rows that COPY writes as text, as groups of columns, for formats that are written column by column. */
import type { Column } from "#libs/contract/exports/columns.ts";

export interface ColumnFile {
	/** Takes bytes of COPY, cut anywhere. Returns bytes of the file when a row group is full. */
	add(bytes: Uint8Array): Uint8Array | undefined;
	/** Returns the last row group, if there is one, and the end of the file. */
	end(): Uint8Array;
}

/** Dates are days since 1970, timestamps milliseconds. */
export type Cell = string | number | bigint | boolean | string[] | null;

export interface ColumnCells {
	name: string;
	data: Cell[];
}

export interface Encoder {
	write(group: ColumnCells[]): void;
	finish(): void;
	/** Returns the bytes written since the last call. */
	take(): Uint8Array;
}

/** Rows and characters of a row group: enough to compress well, and few enough to be written in some ten megabytes of memory. */
export const groupRows = 20_000;
const groupLength = 16_000_000;

export function columnFile(columns: readonly Column[], encoder: Encoder): ColumnFile {
	const decoder = new TextDecoder();
	const group = new RowGroup(columns);
	let begun = "";
	return {
		add(bytes) {
			const lines = (begun + decoder.decode(bytes, { stream: true })).split("\n");
			begun = lines.pop() ?? "";
			let full = false;
			for (const line of lines) {
				group.add(line);
				if (group.rows < groupRows && group.length < groupLength) continue;
				encoder.write(group.take());
				full = true;
			}
			return full ? encoder.take() : undefined;
		},
		end() {
			if (begun !== "") throw new Error("the input ends within a row");
			if (group.rows > 0) encoder.write(group.take());
			encoder.finish();
			return encoder.take();
		},
	};
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

	take(): ColumnCells[] {
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
export const copyText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

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
