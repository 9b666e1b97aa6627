/** Tables written in the formats that operators publish, for tests. */
import { crc32, deflateRawSync } from "node:zlib";
import writeWorkbook from "write-excel-file/node";
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";

const text = (cell: Cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? ""));

/** `quoteAll`: MISO quotes every cell and ends the last line with nothing. */
export function csv(rows: readonly Cell[][], { quoteAll = false } = {}): Buffer {
	const quoted = (cell: string) => (quoteAll || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
	const lines = rows.map((row) => row.map((cell) => quoted(text(cell))).join(","));
	return Buffer.from(quoteAll ? lines.join("\n") : `${lines.join("\r\n")}\r\n`);
}

export function json([header = [], ...rows]: readonly Cell[][]): Buffer {
	const records = rows.map((row) => Object.fromEntries(header.map((name, at) => [text(name), row[at] ?? null])));
	return Buffer.from(JSON.stringify(records, null, 2));
}

/** Flat records, `<root><record><Header>cell</Header>…`. */
export function xml(root: string, record: string, [header = [], ...rows]: readonly Cell[][]): Buffer {
	const escaped = (cell: Cell) => text(cell).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const elements = (row: Cell[]) =>
		header.map((name, at) => `    <${text(name)}>${escaped(row[at])}</${text(name)}>\n`).join("");
	const records = rows.map((row) => `  <${record}>\n${elements(row)}  </${record}>\n`).join("");
	return Buffer.from(`<?xml version="1.0" encoding="utf-8"?>\n<${root}>\n${records}</${root}>\n`);
}

/** A real .xlsx; dates become date cells. */
export async function workbook(sheets: readonly Table[]): Promise<Buffer> {
	return writeWorkbook(
		sheets.map(({ name, rows }) => ({ sheet: name, dateFormat: "mm/dd/yyyy", data: rows.map((row) => [...row]) })),
	).toBuffer();
}

export interface ZipEntry {
	name: string;
	/** The compressed data as stored in the archive. */
	compressed: Buffer;
	/** The inflated size in the headers. */
	statedSize: number;
	crc: number;
}

export function zipEntry(name: string, content: Buffer): ZipEntry {
	return { name, compressed: deflateRawSync(content), statedSize: content.length, crc: crc32(content) };
}

/** An archive whose headers say what the test sets. */
export function zip(entries: readonly ZipEntry[]): Buffer {
	const locals: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const { name, compressed, statedSize, crc } of entries) {
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(8, 4);
		common.writeUInt32LE(crc, 10);
		common.writeUInt32LE(compressed.length, 14);
		common.writeUInt32LE(statedSize, 18);
		common.writeUInt16LE(name.length, 22);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), compressed]);
		directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, Buffer.from(name));
		locals.push(local);
		offset += local.length;
	}
	const listed = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", "latin1");
	end.writeUInt16LE(entries.length, 8);
	end.writeUInt16LE(entries.length, 10);
	end.writeUInt32LE(listed.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, listed, end]);
}

/** Random numbers from 0 to 1 (exclusive) that are the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
