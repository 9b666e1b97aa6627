/** Tab-separated tables without quoting: a `"` is a character like any other. Pure. */
import { isUtf8 } from "node:buffer";
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";

/** A line under the header. */
export interface TsvRow {
	/** Line of the file, from 1. */
	number: number;
	/** Why the row cannot be read ("has 12 of 23 columns"); then it has no values. */
	fault: string | null;
	/** The cell under the first header, also of a row that cannot be read: an extra tab behind it moves nothing. */
	key: string | null;
	/** The text under this header, as filed; null when empty, or when the table has no such column. */
	get(column: string): string | null;
}

const maxColumns = 300;

/**
 * The rows one at a time; blank lines are skipped. Throws `StructureError` for a header without one of the required columns, and where
 * `textLines` does.
 */
export function* readTsv(bytes: Uint8Array, name: string, required: readonly string[]): Generator<TsvRow> {
	const once = interned();
	let columns: Map<string, number> | null = null;
	for (const line of textLines(bytes, name)) {
		if (columns === null) columns = headerOf(line.text(line.start, line.end), name, required);
		else if (line.start < line.end) yield rowOf(line, bytes, columns, once);
	}
}

/** Cells are decoded when they are asked for: most never are, and a string cut out of a line would keep the whole line. */
function rowOf(line: Line, bytes: Uint8Array, columns: ReadonlyMap<string, number>, once: Interned): TsvRow {
	const { number, start, end } = line;
	const bounds = [start - 1];
	for (let at = start; at < end; at++) if (bytes[at] === 9 && bounds.length <= maxColumns) bounds.push(at);
	bounds.push(end);
	const found = bounds.length - 1;
	const cell = (index: number): string | null => {
		const [before, after] = [bounds[index], bounds[index + 1]];
		if (before === undefined || after === undefined || before + 1 === after) return null;
		return once(line.text(before + 1, after));
	};
	if (found !== columns.size) {
		return { number, fault: `has ${found} of ${columns.size} columns`, key: cell(0), get: () => null };
	}
	return { number, fault: null, key: cell(0), get: (column) => cell(columns.get(column) ?? -1) };
}

type Interned = (value: string) => string;

/** Gives equal values (a state, a relationship, a city) one string: a million rows repeat a few thousand of them. */
function interned(): Interned {
	const known = new Map<string, string>();
	return (value) => {
		if (value.length > 40) return value;
		const first = known.get(value);
		if (first === undefined && known.size < 20_000) known.set(value, value);
		return first ?? value;
	};
}

function headerOf(line: string, name: string, required: readonly string[]): Map<string, number> {
	const headers = line.replace(/^\ufeff/, "").split("\t", maxColumns + 1);
	const columns = new Map(headers.map((header, at) => [header.trim().toUpperCase(), at]));
	if (columns.size !== headers.length || headers.length > maxColumns) {
		throw new StructureError(`${name}: the header repeats a column or has more than ${maxColumns}`);
	}
	const missing = required.filter((column) => !columns.has(column));
	if (missing.length > 0) throw new StructureError(`${name}: required column missing: ${missing.join(", ")}`);
	return columns;
}

/** Longer than any row: the file is not made of lines. */
const maxLine = 1024 * 1024;

/** A line without its end. */
export interface Line {
	/** From 1. */
	number: number;
	/** Byte offsets in the file. */
	start: number;
	end: number;
	/** The text between two offsets of the file. */
	text(start: number, end: number): string;
}

/**
 * Each line in turn. UTF-8, else windows-1252: EDGAR's older files hold names in Latin-1. Throws `StructureError` for an empty or
 * binary file, a page, and a last line without an end: the file is cut.
 */
export function* textLines(bytes: Uint8Array, name: string): Generator<Line> {
	if (bytes.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (bytes.includes(0)) throw new StructureError(`${name}: holds NUL bytes, so it is no text file`);
	if (isHtml(peek(bytes, 1024))) throw new StructureError(`${name}: is an HTML page, not the list`);
	if (bytes.at(-1) !== 10) throw new StructureError(`${name}: the last line has no end: the file is cut`);
	const text = reader(bytes);
	let number = 0;
	for (let start = 0; start < bytes.length; ) {
		const feed = bytes.indexOf(10, start);
		if (feed - start > maxLine) throw new StructureError(`${name}: line ${number + 1} is longer than ${maxLine} bytes`);
		const end = feed > start && bytes[feed - 1] === 13 ? feed - 1 : feed;
		yield { number: ++number, start, end, text };
		start = feed + 1;
	}
}

function reader(bytes: Uint8Array): Line["text"] {
	if (isUtf8(bytes)) {
		const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		return (start, end) => buffer.toString("utf8", start, end);
	}
	const decoder = new TextDecoder("windows-1252");
	return (start, end) => decoder.decode(bytes.subarray(start, end));
}
