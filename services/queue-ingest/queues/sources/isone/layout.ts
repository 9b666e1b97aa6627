/** Reads the four layouts of ISO-NE's public queue as one table: the web page, its Excel export, and that export as CSV or JSON. */
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { readHtmlTable } from "#libs/files/html.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, isHeaded, type Table } from "#libs/files/table.ts";
import { date, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import type { RawFile } from "../../../sources/source.ts";

/** Columns for identity, kind, state and capacity: a file without them is not an ISO-NE queue. The page abbreviates some headers. */
const required = [
	["Position", "QP"],
	["Type"],
	["Alternative Name"],
	["Unit"],
	["Fuel Type"],
	["Net MW"],
	["W/ D Date", "W/D Date"],
	["Project Status"],
];

export interface Layout {
	table: HeadedTable;
	/** Day of the "As of:" line; null if the file has none. */
	publishedOn: string | null;
	/** True for a workbook without that line. Exported workbooks always have it, so a person has saved this one again. CSV and JSON never have it. */
	savedAgain?: true;
}

/** Throws `StructureError` unless the file is a complete queue in one of the layouts. */
export async function readLayout(file: RawFile): Promise<Layout> {
	if (isZip(file.bytes)) return fromWorkbook(file);
	if (isPage(file)) {
		const page = readHtmlTable(file.bytes, file.name, "publicqueue");
		return { table: new HeadedTable(renameTwinHeader(page.table), required), publishedOn: bannerDay(page.text) };
	}
	const read = peek(file.bytes, 16).trimStart().startsWith("[") ? readJsonRecords : readCsv;
	return { table: new HeadedTable(read(file.bytes, file.name), required), publishedOn: null };
}

async function fromWorkbook(file: RawFile): Promise<Layout> {
	const sheets = await readWorkbook(file.bytes);
	const queue = sheets.find((sheet) => sheet.name.trim().toLowerCase() === "queue");
	if (!queue) throw new StructureError(`${file.name}: the workbook has no sheet "Queue"`);
	const table = new HeadedTable(queue, required);
	const banner = queue.rows.slice(0, table.headerIndex).flat();
	const publishedOn = bannerDay(banner.map((cell) => text(cell) ?? "").join(" "));
	return { table, publishedOn, ...(publishedOn === null && { savedAgain: true }) };
}

/** Reads the day in "As of: 1/23/2025 12:00:00 AM". */
function bannerDay(banner: string): string | null {
	return date(/as of:?\s*(\d{1,2}\/\d{1,2}\/\d{4})/i.exec(banner)?.[1]);
}

/** Renames the first of the page's two columns "SIS": it contains whether the study is complete, and the second contains the study's status. */
function renameTwinHeader(table: Table): Table {
	const rows = table.rows.map((row) => {
		const keys = row.map(headerKey);
		const first = keys.indexOf("sis");
		const isHeader = keys.includes("qp") || keys.includes("position");
		return isHeader && first !== keys.lastIndexOf("sis") ? row.with(first, "SIS Complete") : row;
	});
	const header = table.rows.find((row, at) => row !== rows[at]);
	return { name: table.name, rows, ...(header !== undefined && { filedHeader: header }) };
}

function isPage(file: RawFile): boolean {
	return /^\ufeff?\s*</.test(peek(file.bytes, 256));
}

export const isQueueWorkbook = (sheets: readonly Table[]): boolean => sheets.some((sheet) => isHeaded(sheet, required));

/** Checks the start of the content, or only the name of a workbook ("publicqueuereport.xlsx" is CAISO's). */
export function looksLikeQueue(file: RawFile): boolean {
	if (isZip(file.bytes)) return /(^|[^a-z])(iso[-_ ]?ne|neiso)|^queue[-_ ]?report/i.test(file.name);
	if (isPage(file)) return /<table[^>]*\bid=["']?publicqueue\b/.test(peek(file.bytes, 1_000_000));
	if (peek(file.bytes, 16).trimStart().startsWith("[")) {
		const start = peek(file.bytes, 4096);
		return ['"position"', '"alternative name"', '"project status"'].every((key) => start.includes(key));
	}
	const headers = csvHeaderNames(file.bytes);
	return required.every((names) => names.some((name) => headers.has(headerKey(name))));
}
