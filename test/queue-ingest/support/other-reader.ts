/**
 * Sheets and lists read without the product's readers: workbooks by their XML (fflate, saxes), CSV by RFC 4180, JSON by the runtime. A cell is
 * found by its address.
 */
import { readFileSync } from "node:fs";
import { strFromU8, unzipSync } from "fflate";
import { SaxesParser } from "saxes";

export interface OtherFile {
	/** Text of a cell; a date of a workbook is its serial number. Undefined where there is none. */
	cell(sheet: string | null, row: number, column: string): string | undefined;
}

export function readOtherwise(path: string): OtherFile {
	const bytes = readFileSync(path);
	if (path.endsWith(".xlsx")) return workbook(bytes);
	const source = bytes.toString("utf8").replace(/^\ufeff/, "");
	const records = path.endsWith(".json") ? jsonRecords(source) : csvRecords(source);
	return { cell: (_, row, column) => records[row]?.[Number(column) - 1] };
}

/** Records by number: of CSV from 1, which is the header; of JSON from 1, with the header's names at 0. */
function jsonRecords(source: string): string[][] {
	const all = JSON.parse(source) as Record<string, unknown>[];
	const names = [...new Set(all.flatMap((record) => Object.keys(record)))];
	return [names, ...all.map((record) => names.map((name) => String(record[name] ?? "")))];
}

function csvRecords(source: string): string[][] {
	const records: string[][] = [[]];
	let record: string[] = [];
	let cell = "";
	let quoted = false;
	const end = () => {
		record.push(cell);
		cell = "";
	};
	const endRecord = () => {
		end();
		if (record.length > 1 || record[0] !== "") records.push(record);
		record = [];
	};
	for (let at = 0; at < source.length; at++) {
		const char = source[at];
		if (quoted) {
			if (char !== '"') cell += char;
			else if (source[at + 1] === '"') cell += source[at++];
			else quoted = false;
		} else if (char === '"') quoted = true;
		else if (char === ",") end();
		else if (char === "\n") endRecord();
		else if (char !== "\r") cell += char;
	}
	if (cell !== "" || record.length > 0) endRecord();
	return records;
}

/** Rows of a sheet by their numbers, cells by the letters of their columns. */
export type OtherSheet = Map<number, Map<string, string>>;

/** All cells of a workbook's sheets. */
export function otherSheets(path: string): Map<string, OtherSheet> {
	const sheets = [...sheetsOf(readFileSync(path))].map(([name, cells]): [string, OtherSheet] => {
		const rows: OtherSheet = new Map();
		for (const [address, text] of cells) {
			const [, column = "", at] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
			const row = rows.get(Number(at)) ?? new Map<string, string>();
			rows.set(Number(at), row.set(column, text));
		}
		return [name, rows];
	});
	return new Map(sheets);
}

function sheetsOf(bytes: Uint8Array): Map<string, Map<string, string>> {
	const parts = unzipSync(bytes, { filter: ({ name }) => /\.(xml|rels)$/.test(name) });
	const part = (name: string) => (parts[name] === undefined ? "" : strFromU8(parts[name]));
	const shared = textsOf(part("xl/sharedStrings.xml"), "si");
	const targets = new Map<string, string>();
	walk(part("xl/_rels/workbook.xml.rels"), (name, of) => {
		if (name === "Relationship") targets.set(of.Id ?? "", (of.Target ?? "").replace(/^\/?(xl\/)?/, "xl/"));
	});
	const sheets = new Map<string, Map<string, string>>();
	walk(part("xl/workbook.xml"), (name, of) => {
		if (name === "sheet")
			sheets.set((of.name ?? "").trim(), cellsOf(part(targets.get(of["r:id"] ?? "") ?? ""), shared));
	});
	return sheets;
}

function workbook(bytes: Uint8Array): OtherFile {
	const sheets = sheetsOf(bytes);
	return { cell: (sheet, row, column) => sheets.get(sheet ?? "")?.get(`${column}${row}`) };
}

type Attributes = Record<string, string>;

function walk(xml: string, open: (name: string, attributes: Attributes) => void, more: Partial<Walker> = {}): void {
	if (xml === "") return;
	const parser = new SaxesParser();
	parser.on("opentag", ({ name, attributes }) => open(name.replace(/^\w+:/, ""), attributes as Attributes));
	parser.on("closetag", ({ name }) => more.close?.(name.replace(/^\w+:/, "")));
	parser.on("text", (text) => more.text?.(text));
	parser.write(xml).close();
}

interface Walker {
	close(name: string): void;
	text(text: string): void;
}

/** The texts within each element of this name, but for readings of Japanese characters. */
function textsOf(xml: string, element: string): string[] {
	const texts: string[] = [];
	let inText = false;
	walk(
		xml,
		(name) => {
			if (name === element) texts.push("");
			inText = name === "t";
		},
		{
			close: () => {
				inText = false;
			},
			text: (text) => {
				if (inText && texts.length > 0) texts[texts.length - 1] += text;
			},
		},
	);
	return texts;
}

function cellsOf(xml: string, shared: readonly string[]): Map<string, string> {
	const cells = new Map<string, string>();
	let at: Attributes = {};
	let row = 0;
	let inside = "";
	let value = "";
	walk(
		xml,
		(name, attributes) => {
			if (name === "row") row = attributes.r === undefined ? row + 1 : Number(attributes.r);
			if (name === "c") {
				at = attributes;
				value = "";
			}
			inside = name;
		},
		{
			text: (text) => {
				if (inside === "v" || inside === "t") value += text;
			},
			close: (name) => {
				inside = "";
				if (name !== "c" || value === "" || at.r === undefined) return;
				cells.set(at.r, at.t === "s" ? (shared[Number(value)] ?? "") : value);
			},
		},
	);
	return cells;
}
