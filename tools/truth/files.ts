/** The operators' files as rows of cells, read without the product's adapters. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import readSheets from "read-excel-file/node";
import type { Region } from "../../libs/contract/vocabulary.ts";

export interface FileRow {
	file: string;
	sheet: string;
	/** By header in lower case; a header that repeats keeps its first cell. Dates are `YYYY-MM-DD`, absent cells "". */
	cells: Map<string, string>;
}

interface Publication {
	/** Path below the folder of data, of which the newest counts. */
	path: RegExp;
	/** Sheets that hold requests; all when absent. */
	sheet?: RegExp;
	/** Headers of the request's number. */
	key: readonly string[];
	/** Requests that are built or cancelled leave the list: the last list that showed them has them. */
	keepsFinished?: false;
}

/** Each operator's last files, the list that wins over another first. An operator that is not here is not drawn from. */
export const publications: Partial<Record<Region, readonly Publication[]>> = {
	CAISO: [
		{ path: /^caiso\/.*publicqueuereport[^/]*\.xlsx$/i, sheet: /generation/i, key: ["Queue Position"] },
		{ path: /^caiso\/cluster-15[^/]*\.xlsx$/i, sheet: /^\s*(cluster 15|withdrawn)\s*$/i, key: ["Queue Number"] },
	],
	ERCOT: [
		{
			path: /^ercot\/GIS_Report[^/]*\.xlsx$/i,
			sheet: /project details|commissioning update|inactive projects|cancellation update/i,
			key: ["INR"],
			keepsFinished: false,
		},
	],
	"ISO-NE": [{ path: /^isone\/.*\.csv$/i, key: ["Position"] }],
	MISO: [{ path: /^miso\/.*\.(csv|json)$/i, key: ["projectNumber"] }],
	NYISO: [
		{
			path: /^nyiso\/.*\.xlsx$/i,
			sheet: /queue|cluster projects|in service|withdrawn/i,
			key: ["Queue Pos.", "Pos.", "Queue Number"],
		},
	],
	PJM: [
		{ path: /^pjm\/.*cycle[^/]*\.csv$/i, key: ["Project ID"] },
		{ path: /^pjm\/.*PlanningQueues[^/]*\.(csv|xlsx)$/i, key: ["Project ID"] },
	],
	SPP: [{ path: /^spp\/.*\.(csv|xlsx)$/i, key: ["Generation Interconnection Number"], keepsFinished: false }],
};

/** Rows by the request's number: of the newest file of each publication, and of those before it what it shows no more. */
export async function rowsOf(folder: string, region: Region): Promise<Map<string, FileRow[]>> {
	const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
	const rows = new Map<string, FileRow[]>();
	for (const { path, sheet: wanted, key, keepsFinished } of publications[region] ?? []) {
		const files = paths
			.filter((candidate) => path.test(candidate))
			.sort((a, b) => dayIn(b).localeCompare(dayIn(a)) || b.localeCompare(a));
		for (const file of keepsFinished === false ? files : files.slice(0, 1))
			for (const { sheet, rows: cells } of await tablesOf(join(folder, file)))
				if (wanted?.test(sheet) ?? true)
					for (const [number, row] of requestsIn(cells, key))
						add(rows, numberKey(number), { file, sheet: sheet.trim(), cells: row });
	}
	return rows;
}

/** ERCOT's sheets of updates say less than its details, which an earlier file has. */
const isWhole = ({ sheet }: FileRow): boolean => !/update|inactive/i.test(sheet);

/** A file that wins over another is read alone. */
function add(rows: Map<string, FileRow[]>, key: string, row: FileRow): void {
	const known = rows.get(key) ?? [];
	if (known.every(({ file }) => file === row.file) || !known.some(isWhole)) rows.set(key, [...known, row]);
}

/** "2026-06-29/...", "...-07202026.xlsx", "GIS_Report_October2025.xlsx". */
export function dayIn(path: string): string {
	const [, iso] = /(\d{4}-\d\d-\d\d)/.exec(path) ?? [];
	if (iso !== undefined) return iso;
	const [, month, day, year] = /(\d\d)(\d\d)(\d{4})\.\w+$/.exec(path) ?? [];
	if (year !== undefined) return `${year}-${month}-${day}`;
	const [, named] = /_([A-Z][a-z]+_?\d{4})/.exec(path) ?? [];
	const stated = named === undefined ? Number.NaN : Date.parse(`1 ${named.replace(/_?(\d{4})/, " $1")} UTC`);
	return Number.isNaN(stated) ? "" : new Date(stated).toISOString().slice(0, 10);
}

/** A number in whatever spelling: "517.0", "0517" and "AE1-070 - moved to TC1" are 517 and AE1-070. */
export const numberKey = (number: string): string =>
	(number.split(" - ")[0] ?? "")
		.trim()
		.toUpperCase()
		.replace(/\.0$/, "")
		.replace(/^0+(?=\d)/, "");

type Cells = string[];

export async function tablesOf(path: string): Promise<{ sheet: string; rows: Cells[] }[]> {
	const bytes = readFileSync(path);
	if (path.endsWith(".xlsx")) {
		const sheets = await readSheets(bytes);
		return sheets.map(({ sheet, data }) => ({ sheet, rows: data.map((row) => row.map(cellOf)) }));
	}
	if (path.endsWith(".json")) {
		const records = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>[];
		const headers = Object.keys(records[0] ?? {});
		return [
			{
				sheet: basename(path),
				rows: [headers, ...records.map((record) => headers.map((name) => cellOf(record[name])))],
			},
		];
	}
	const rows: Cells[] = parse(bytes, { relax_column_count: true, bom: true });
	return [{ sheet: basename(path), rows }];
}

export function cellOf(value: unknown): string {
	if (value instanceof Date) return value.toISOString().slice(0, 10);
	return value === null || value === undefined ? "" : String(value).replace(/\s+/g, " ").trim();
}

export function* requestsIn(rows: readonly Cells[], key: readonly string[]): Generator<[string, Map<string, string>]> {
	const clean = (cell: string) => cell.replace(/\s+/g, " ").trim();
	const at = rows.findIndex((row) => row.some((cell) => key.includes(clean(cell))));
	const headers = (rows[at] ?? []).map(clean);
	const column = headers.findIndex((header) => key.includes(header));
	for (const row of rows.slice(at + 1)) {
		const number = row[column] ?? "";
		// Moved requests stand in PJM's cycle list; the serial one keeps a row that no longer says anything.
		if (number === "" || /moved to/i.test(number) || row.filter((cell) => cell !== "").length < 4) continue;
		const cells = new Map<string, string>();
		for (const [place, header] of headers.entries())
			if (!cells.has(header.toLowerCase())) cells.set(header.toLowerCase(), clean(row[place] ?? ""));
		yield [number, cells];
	}
}
