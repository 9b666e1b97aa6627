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

/** Columns of XML elements whose name is not the column's name without spaces. */
const columnsByElement = new Map(Object.entries({ projectnumber: "Project ID", maximumfacilityoutput: "MFO" }));

/** Columns for identity, status, kind and the capacity that all totals use: a file without them is not a PJM queue. */
const requiredColumns = [["Project ID"], ["Status"], ["Project Type"], ["MW Energy", "MFO"]];

/**
 * Reads the project list of an XML, xlsx or CSV export. `columns` are the headers of the xlsx; XML elements are renamed to them
 * ("CapacityorEnergy" to "Capacity or Energy"). `required` are the columns that only this queue requires. Throws `StructureError` if the file is
 * anything else.
 */
export async function readProjects(
	file: RawFile,
	columns: readonly string[],
	required: readonly string[],
): Promise<HeadedTable> {
	const allRequired = [...requiredColumns, ...required.map((name) => [name])];
	if (!isZip(file.bytes)) return new HeadedTable(readText(file, columns), allRequired);
	const sheets = await readWorkbook(file.bytes);
	// The list is on the sheet "Data". Exporters add sheets with an introduction, a dashboard and definitions.
	const data = sheets.find((sheet) => sheet.name.trim().toLowerCase() === "data") ?? sheets[0];
	if (!data) throw new StructureError(`${file.name}: the workbook has no sheet`);
	return new HeadedTable(data, allRequired);
}

function readText(file: RawFile, columns: readonly string[]): Table {
	if (!isMarkup(file.bytes)) return readCsv(file.bytes, file.name);
	const table = readXmlRecords(file.bytes, file.name, xmlShape);
	const headers = new Map(columns.map((column) => [spelled(column), column]));
	const [elements = [], ...rows] = table.rows;
	const header = elements.map((element) => {
		const key = spelled(String(element));
		return columnsByElement.get(key) ?? headers.get(key) ?? element;
	});
	return { name: table.name, rows: [header, ...rows], firstRow: 0, filedHeader: elements };
}

function isMarkup(bytes: Uint8Array): boolean {
	return /^\ufeff?\s*</.test(peek(bytes, 256));
}

/** Identifies the queue of an XML or CSV export by its elements or headers; returns null if the file is anything else. */
export function findQueueOfText(file: RawFile): "serial" | "cycle" | null {
	if (isZip(file.bytes)) return null;
	if (isMarkup(file.bytes)) {
		const start = peek(file.bytes);
		if (!/<project[\s>]/.test(start) || !/<project(number|id)[\s/>]/.test(start)) return null;
		return /<(cycle|stage)[\s/>]/.test(start) ? "cycle" : "serial";
	}
	const headers = csvHeaderNames(file.bytes);
	if (!headers.has("project id") || !headers.has("project type") || !headers.has("mfo")) return null;
	return queueOf(headers);
}

/** Identifies the queue of a workbook by the headers of its list; returns null if no sheet has such a list. */
export function findQueueOfWorkbook(sheets: readonly Table[]): "serial" | "cycle" | null {
	const list = sheets.find((sheet) => isHeaded(sheet, requiredColumns));
	const header = list?.rows.find((row) => row.some((cell) => headerKey(cell) === "project id"));
	return header === undefined ? null : queueOf(new Set(header.map(headerKey)));
}

const queueOf = (headers: ReadonlySet<string>): "serial" | "cycle" =>
	headers.has("cycle") || headers.has("stage") ? "cycle" : "serial";
