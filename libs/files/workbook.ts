/** Excel workbooks as tables of cells, from untrusted bytes. */
import readSheets from "read-excel-file/node";
import { inflateArchive, isZip, storeArchive } from "./archive.ts";
import { isHtml } from "./decode.ts";
import { StructureError } from "./structure-error.ts";
import type { Table } from "./table.ts";
import type { Cell } from "./values.ts";

export interface WorkbookLimits {
	/** Maximum inflated size of all the workbook's parts together; the largest real file (PJM's) needs 25 MB. */
	maxInflatedBytes?: number;
}

const defaultInflatedBytes = 64 * 1024 * 1024;
const maxEntries = 2000;
/** Maximum rows times columns of a sheet: the reader builds the whole rectangle, however few of its cells are filled. */
const maxGridCells = 8_000_000;
const maxRows = 1_048_576;

/**
 * Reads every sheet in order, including hidden ones, with its name as filed. Text is trimmed; empty and error cells are null; a date is the UTC
 * midnight of the day shown, without the time of day. A zip archive that contains one workbook is unwrapped.
 * @throws StructureError unless the bytes are a complete workbook that inflates within the limit
 */
export async function readWorkbook(bytes: Uint8Array, limits: WorkbookLimits = {}): Promise<Table[]> {
	const parts = await workbookParts(bytes, limits.maxInflatedBytes ?? defaultInflatedBytes, true);
	for (const [name, content] of parts) checkPart(name, content.toString("utf8"));
	let sheets: Awaited<ReturnType<typeof readSheets>>;
	try {
		sheets = await readSheets(storeArchive(parts));
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new StructureError(`not a readable workbook: ${why}`, { cause: error });
	}
	return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellOf)) }));
}

async function workbookParts(bytes: Uint8Array, maxBytes: number, unwrap: boolean): Promise<Map<string, Buffer>> {
	if (!isZip(bytes)) throw new StructureError(`not a workbook: ${describe(bytes)}`);
	const limits = { maxInflatedBytes: maxBytes, maxEntries };
	const { names, entries } = await inflateArchive(bytes, (name) => /\.(xml|rels)$/i.test(name), limits);
	if (entries.has("xl/workbook.xml")) return entries;
	const inner = names.filter((name) => /\.xlsx$/i.test(name));
	if (unwrap && inner.length === 1) {
		const wrapped = await inflateArchive(bytes, (name) => name === inner[0], limits);
		for (const content of wrapped.entries.values()) return workbookParts(content, maxBytes - content.length, false);
	}
	throw new StructureError(`a zip archive without a workbook: it has ${names.slice(0, 5).join(", ") || "nothing"}`);
}

function describe(bytes: Uint8Array): string {
	if (bytes.length === 0) return "the file is empty";
	const start = new TextDecoder().decode(bytes.subarray(0, 1024)).trim();
	if (isHtml(start)) return "the file is an HTML page";
	if (bytes[0] === 0xd0 && bytes[1] === 0xcf) return "the file is an old .xls or encrypted workbook";
	return `the file starts with ${JSON.stringify(start.slice(0, 40))}`;
}

/** Refuses a part with an unclosed tag: a complete file has none, and the reader would take quadratic time (90 s for 8 MB). */
function checkPart(name: string, xml: string): void {
	if (/<[^<>]*</.test(xml)) throw new StructureError(`${name}: a tag is never closed`);
	if (xml.includes("sheetData")) checkGrid(name, xml);
}

const rowOrCell = /<(?:\w+:)?(row|c)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
/** The attribute `r`, after any other attributes. Its value is a column's letters and a row's number. */
const address = /^(?:\s+(?!r\s*=)[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s+r\s*=\s*["']([A-Za-z]*)(\d*)["']/;

/**
 * Refuses a sheet whose filled cells extend so far that the rectangle around them would not fit in memory. Empty cells are not counted:
 * spreadsheet programs write formatted empty cells up to the last row and column.
 */
function checkGrid(name: string, xml: string): void {
	// Comments and declarations could hide the tags that are searched for below. No spreadsheet program writes them here.
	if (xml.includes("<!")) throw new StructureError(`${name}: the sheet contains a comment or markup declaration`);
	let row = 0;
	let rows = 0;
	let columns = 0;
	for (const [, kind, attributes = ""] of xml.matchAll(rowOrCell)) {
		const [, letters = "", digits = ""] = address.exec(attributes) ?? [];
		if (digits !== "") row = Number(digits);
		else if (kind === "row") row++;
		if (row > maxRows || letters.length > 3)
			throw new StructureError(`${name}: cell ${letters}${row} is outside the largest possible sheet`);
		if (kind === "row" || attributes.endsWith("/")) continue;
		rows = Math.max(rows, row);
		columns = Math.max(columns, columnNumber(letters));
		if (rows * columns > maxGridCells)
			throw new StructureError(`${name}: the sheet has more than ${maxGridCells} cells`);
	}
}

function columnNumber(letters: string): number {
	let number = 0;
	for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
	return number;
}

/** Takes `unknown`, because the reader's types declare `typeof Date` instead of `Date`. */
function cellOf(cell: unknown): Cell {
	if (cell instanceof Date) return midnight(cell);
	return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? cell : null;
}

/** Rounds to seconds first: a serial number's fraction for 24:00 or 00:00 often falls a millisecond short. */
function midnight(date: Date): Date {
	const day = 86_400_000;
	return new Date(Math.floor(Math.round(date.getTime() / 1000) / (day / 1000)) * day);
}
