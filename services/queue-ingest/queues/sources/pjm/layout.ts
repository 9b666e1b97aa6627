/** The three layouts in which PJM publishes both of its queues: XML, xlsx and CSV. */

import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, isHeaded, type Table } from "#libs/files/table.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { readXmlRecords } from "#libs/files/xml.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import type { RawFile } from "../../../sources/source.ts";

/** The serial export's root is `<Projects>`; the cycle export's is not documented, but it lists `<Project>` elements too. */
const xmlShape = { root: /project|queue/, record: "project" };

/** XML elements whose name is not that of the column without spaces. */
const elementNames = new Map(Object.entries({ projectnumber: "Project ID", maximumfacilityoutput: "MFO" }));

/** Columns without which a file is not a PJM queue: identity, status, kind, and the capacity that all totals use. */
const requiredColumns = [["Project ID"], ["Status"], ["Project Type"], ["MW Energy", "MFO"]];

/**
 * The project list of an XML, xlsx or CSV export. `columns` are the headers of the xlsx, to which XML elements are mapped
 * ("CapacityorEnergy" is "Capacity or Energy"); `required` are this queue's own required columns. Throws `StructureError` for anything
 * else.
 */
export async function readProjects(
	file: RawFile,
	columns: readonly string[],
	required: readonly string[],
): Promise<HeadedTable> {
	const wanted = [...requiredColumns, ...required.map((name) => [name])];
	if (!isZip(file.bytes)) return new HeadedTable(readPlain(file, columns), wanted);
	const sheets = await readWorkbook(file.bytes);
	// The list is on the sheet "Data"; exporters add an introduction, a dashboard and the definitions around it.
	const data = sheets.find((sheet) => sheet.name.trim().toLowerCase() === "data") ?? sheets[0];
	if (!data) throw new StructureError(`${file.name}: the workbook has no sheet`);
	return new HeadedTable(data, wanted);
}

function readPlain(file: RawFile, columns: readonly string[]): Table {
	if (!isMarkup(file.bytes)) return readCsv(file.bytes, file.name);
	const table = readXmlRecords(file.bytes, file.name, xmlShape);
	const headers = new Map(columns.map((column) => [spelled(column), column]));
	const [elements = [], ...rows] = table.rows;
	const named = elements.map((element) => {
		const key = spelled(String(element));
		return elementNames.get(key) ?? headers.get(key) ?? element;
	});
	return { name: table.name, rows: [named, ...rows], firstRow: 0, filedHeader: elements };
}

function isMarkup(bytes: Uint8Array): boolean {
	return /^\ufeff?\s*</.test(peek(bytes, 256));
}

/** The PJM queue of an XML or CSV export, by its elements or headers; null for any other file. */
export function textLayout(file: RawFile): "serial" | "cycle" | null {
	if (isZip(file.bytes)) return null;
	if (isMarkup(file.bytes)) {
		const start = peek(file.bytes);
		if (!/<project[\s>]/.test(start) || !/<project(number|id)[\s/>]/.test(start)) return null;
		return /<(cycle|stage)[\s/>]/.test(start) ? "cycle" : "serial";
	}
	const headers = csvHeaderNames(file.bytes);
	if (!headers.has("project id") || !headers.has("project type") || !headers.has("mfo")) return null;
	return layoutOf(headers);
}

/** The same for a workbook's sheets. */
export function workbookLayout(sheets: readonly Table[]): "serial" | "cycle" | null {
	const list = sheets.find((sheet) => isHeaded(sheet, requiredColumns));
	const header = list?.rows.find((row) => row.some((cell) => headerKey(cell) === "project id"));
	return header === undefined ? null : layoutOf(new Set(header.map(headerKey)));
}

const layoutOf = (headers: ReadonlySet<string>): "serial" | "cycle" =>
	headers.has("cycle") || headers.has("stage") ? "cycle" : "serial";
