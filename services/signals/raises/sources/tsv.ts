/** Reads tab-separated tables without quoting. Pure. */
import { isUtf8 } from "node:buffer";
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";

export interface TsvRow {
	number: number;
	/** Why the row is unreadable ("has 12 of 23 columns"). Such a row has no values. */
	fault: string | null;
	/** The first cell, even of an unreadable row, because extra tabs after it do not move it. */
	key: string | null;
	/** Null if the cell is empty or the table lacks the column. */
	get(column: string): string | null;
}

const maxColumns = 300;

/**
 * Yields one row at a time, skipping blank lines.
 * @throws StructureError if the header lacks a required column, and in the same cases as `readTextLines`
 */
export function* readTsv(bytes: Uint8Array, name: string, required: readonly string[]): Generator<TsvRow> {
	const intern = createInterner();
	let columns: Map<string, number> | null = null;
	for (const line of readTextLines(bytes, name)) {
		if (columns === null) columns = parseHeader(line.text(line.start, line.end), name, required);
		else if (line.start < line.end) yield parseRow(line, bytes, columns, intern);
	}
}

/** Decodes cells on demand: most cells are never read, and a substring of a decoded line would keep the whole line in memory. */
function parseRow(line: Line, bytes: Uint8Array, columns: ReadonlyMap<string, number>, intern: Interned): TsvRow {
	const { number, start, end } = line;
	const bounds = [start - 1];
	for (let at = start; at < end; at++) if (bytes[at] === 9 && bounds.length <= maxColumns) bounds.push(at);
	bounds.push(end);
	const columnCount = bounds.length - 1;
	const cell = (index: number): string | null => {
		const [before, after] = [bounds[index], bounds[index + 1]];
		if (before === undefined || after === undefined || before + 1 === after) return null;
		return intern(line.text(before + 1, after));
	};
	if (columnCount !== columns.size) {
		return { number, fault: `has ${columnCount} of ${columns.size} columns`, key: cell(0), get: () => null };
	}
	return { number, fault: null, key: cell(0), get: (column) => cell(columns.get(column) ?? -1) };
}

type Interned = (value: string) => string;

/** Makes equal values share one string: a million rows repeat a few thousand states, relationships and cities. */
function createInterner(): Interned {
	const known = new Map<string, string>();
	return (value) => {
		if (value.length > 40) return value;
		const first = known.get(value);
		if (first === undefined && known.size < 20_000) known.set(value, value);
		return first ?? value;
	};
}

function parseHeader(line: string, name: string, required: readonly string[]): Map<string, number> {
	const headers = line.replace(/^\ufeff/, "").split("\t", maxColumns + 1);
	const columns = new Map(headers.map((header, at) => [header.trim().toUpperCase(), at]));
	if (columns.size !== headers.length || headers.length > maxColumns) {
		throw new StructureError(`${name}: the header repeats a column or has more than ${maxColumns} columns`);
	}
	const missing = required.filter((column) => !columns.has(column));
	if (missing.length > 0) throw new StructureError(`${name}: required column missing: ${missing.join(", ")}`);
	return columns;
}

/** Maximum bytes of a line. No published row is as long. */
const maxLineBytes = 1024 * 1024;

interface Line {
	number: number;
	/** Byte offsets in the file. */
	start: number;
	end: number;
	text(start: number, end: number): string;
}

/**
 * Yields one line at a time, so that a million lines are never decoded at the same time. Text that is not UTF-8 is read as windows-1252,
 * because EDGAR's older files contain Latin-1 names.
 * @throws StructureError if the file is empty, binary or an HTML page, or its last line has no line break
 */
export function* readTextLines(bytes: Uint8Array, name: string): Generator<Line> {
	if (bytes.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (bytes.includes(0)) throw new StructureError(`${name}: is not a text file: it contains NUL bytes`);
	if (isHtml(peek(bytes, 1024))) throw new StructureError(`${name}: is an HTML page, not the list`);
	if (bytes.at(-1) !== 10) throw new StructureError(`${name}: the last line is incomplete: the file is truncated`);
	const text = createDecoder(bytes);
	let number = 0;
	for (let start = 0; start < bytes.length; ) {
		const lineFeed = bytes.indexOf(10, start);
		if (lineFeed - start > maxLineBytes)
			throw new StructureError(`${name}: line ${number + 1} is longer than ${maxLineBytes} bytes`);
		const end = lineFeed > start && bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed;
		yield { number: ++number, start, end, text };
		start = lineFeed + 1;
	}
}

function createDecoder(bytes: Uint8Array): Line["text"] {
	if (isUtf8(bytes)) {
		const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		return (start, end) => buffer.toString("utf8", start, end);
	}
	const decoder = new TextDecoder("windows-1252");
	return (start, end) => decoder.decode(bytes.subarray(start, end));
}
