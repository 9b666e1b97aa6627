/** Collects rows that COPY writes as text into groups of columns, for formats that are written column by column. */
import type { Column } from "#libs/contract/exports/columns.ts";

export interface ColumnFile {
	/** Adds bytes of COPY's output, which may be split anywhere. Returns bytes of the file when a row group is full. */
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

/** Maximum rows and characters of a row group: enough to compress well, and few enough to need only some tens of megabytes of memory. */
export const groupRows = 20_000;
const groupCharacters = 16_000_000;

export function columnFile(columns: readonly Column[], encoder: Encoder): ColumnFile {
	const decoder = new TextDecoder();
	const group = new RowGroup(columns);
	let partialLine = "";
	return {
		add(bytes) {
			const lines = (partialLine + decoder.decode(bytes, { stream: true })).split("\n");
			partialLine = lines.pop() ?? "";
			let full = false;
			for (const line of lines) {
				group.add(line);
				if (group.rows < groupRows && group.length < groupCharacters) continue;
				encoder.write(group.take());
				full = true;
			}
			return full ? encoder.take() : undefined;
		},
		end() {
			if (partialLine !== "") throw new Error("the input ends within a row");
			if (group.rows > 0) encoder.write(group.take());
			encoder.finish();
			return encoder.take();
		},
	};
}

class RowGroup {
	readonly #columns: readonly Column[];
	readonly #parsers: ((text: string) => Cell)[];
	#cells: Cell[][];
	rows = 0;
	/** Characters of COPY's output in this group. */
	length = 0;

	constructor(columns: readonly Column[]) {
		this.#columns = columns;
		this.#parsers = columns.map(({ type }) => parsers[type]);
		this.#cells = columns.map(() => []);
	}

	add(line: string): void {
		const fields = line.split("\t");
		if (fields.length !== this.#columns.length)
			throw new Error(`a row has ${fields.length} columns, but the file has ${this.#columns.length}`);
		for (const [at, field] of fields.entries())
			this.#cells[at]?.push(field === "\\N" ? null : (this.#parsers[at]?.(field) ?? null));
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

const maxCachedValues = 10_000;

function memoize(parse: (text: string) => Cell): (text: string) => Cell {
	const cache = new Map<string, Cell>();
	return (text) => {
		let value = cache.get(text);
		if (value === undefined) {
			value = parse(text);
			if (cache.size >= maxCachedValues) cache.clear();
			cache.set(copyText(text), value);
		}
		return value;
	};
}

/**
 * Functions that parse a column's text, by type. Recurring values are parsed once and shared by all files, so that ten files take no more
 * memory than one.
 */
const parsers: Record<Column["type"], (text: string) => Cell> = {
	string: unescapeField,
	double: Number,
	int32: Number,
	int64: memoize((text) => BigInt(text)),
	boolean: (text) => text === "t",
	date: memoize((text) => milliseconds(text) / dayMs),
	timestamp: memoize((text) => BigInt(milliseconds(text))),
	list: memoize((text) => JSON.parse(unescapeField(text)) as string[]),
};

/** Copies a text that outlives its row group, because a slice would retain the whole string in memory. */
export const copyText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

function milliseconds(text: string): number {
	const time = Date.parse(text);
	if (Number.isNaN(time)) throw new Error(`"${text}" is not a date or a timestamp`);
	return time;
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Undoes the escapes of COPY. */
function unescapeField(text: string): string {
	if (!text.includes("\\")) return text;
	return text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}
