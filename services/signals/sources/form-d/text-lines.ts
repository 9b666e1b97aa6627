/** Lines of a large text file, one at a time, so that a million of them are never strings all at once. Pure. */
import { isUtf8 } from "node:buffer";
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";

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
