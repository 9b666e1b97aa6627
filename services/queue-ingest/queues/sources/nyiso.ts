/** NYISO: a monthly workbook of queue, cluster, load, withdrawn and in-service sheets that repeat some requests. */

import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { hasSheets, headerKey, type Table } from "#libs/files/table.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { spelled } from "#libs/names/tidy-name.ts";
import { Collector } from "../../sources/collector.ts";
import type { DownloadedFile, Http, Operator, ParsedFile, Source } from "../../sources/source.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { knownCodes } from "./nyiso/codes.ts";
import { containsList, readSheet, type SheetSpec } from "./nyiso/sheets.ts";

const landingUrl = "https://www.nyiso.com/interconnections";
/** Minimum size of the workbook, which has about 300 KB: NYISO's bot protection returns little or nothing. */
const minBytes = 100 * 1024;

export const nyiso: Source = {
	feed: "nyiso",
	region: "NYISO",
	title: "NYISO interconnection queue (xlsx)",
	layout: { formats: "xlsx", verified: "2025-01-09" },
	publication: { title: "Interconnection queue", url: landingUrl, cadence: "monthly" },
	cadenceHours: 720,
	maxAgeHours: 840,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [900, 5_000], states: 1, statuses: ["Active", "Withdrawn", "Operational"] },
	phaseIsStatus: true,
	download,
	recognises: (file) => /^nyiso\W?interconnection\W?queue[\w-]*\.xlsx$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => hasSheets(sheets, "interconnection queue", "in service"),
	words: { status: knownCodes, fuel: "technology" },
	parse: async (file, mapped) => parseNyiso(await readWorkbook(file.bytes), mapped),
	key: nyisoKey,
};

export const operator: Operator = {
	publisher: "New York ISO",
	states: ["NY"],
	filesTowns: true,
	joinsByHyphen: true,
	publishesLoads: true,
	lists: [nyiso],
};

/** Sheets write the same number as 517, "517" and "0517". Cluster numbers (C24-052) are not changed. */
export function nyisoKey(number: string): string {
	const key = number.trim().toUpperCase();
	return /^\d/.test(key) ? key.replace(/^\d+/, (digits) => digits.padStart(4, "0")) : key;
}

/** In order of precedence: a request in several sheets has the values of the first. */
const specs: SheetSpec[] = [
	{ name: "in service", status: "Operational" },
	{ name: "cluster projects", status: "Active", cluster: true, optional: true },
	{ name: "interconnection queue", status: "Active" },
	{ name: "load projects", status: "Active", load: true, optional: true },
	{ name: "load project tracking", status: "Active", load: true, optional: true },
	{ name: "withdrawn", status: "Withdrawn" },
	{ name: "cluster projects-withdrawn", status: "Withdrawn", cluster: true, optional: true },
	{ name: "affected system studies", status: "Active", affected: true, optional: true },
	{ name: "affected system-withdrawn", status: "Withdrawn", affected: true, optional: true },
];

/** Sheets that may lack a list: "Load Project Tracking" may be a sheet of totals; sheets of studies may be empty. */
const mayLackList = new Set([
	"load project tracking",
	...specs.filter((spec) => spec.affected).map((spec) => spec.name),
]);

/** Ignores spaces around hyphens: some files have "Affected System- Withdrawn". */
const sheetKey = (sheet: Table): string => headerKey(sheet.name).replace(/\s*-\s*/g, "-");

/**
 * Reads the requests of all sheets. Rows with the same number are one request only if they also have the same name; otherwise they are phases
 * of a plant. Throws `StructureError` if a sheet or a column is missing.
 */
export function parseNyiso(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const byName = new Map(sheets.map((sheet) => [sheetKey(sheet), sheet]));
	checkSheets(byName);
	const collector = new Collector(mapped);
	const seen = new Set<string>();
	for (const spec of specs) {
		const sheet = byName.get(spec.name);
		if (!sheet || (mayLackList.has(spec.name) && !containsList(sheet))) continue;
		for (const request of readSheet(sheet, spec, collector)) {
			const identity = `${nyisoKey(request.number)} ${spelled(request.name)}`;
			if (seen.has(identity)) collector.drop(`same request in ${sheet.name.trim()}`, request.number);
			else collector.keep(request);
			seen.add(identity);
		}
	}
	const known = new Set(specs.map((spec) => spec.name));
	for (const [name, sheet] of byName) if (!known.has(name) && containsList(sheet)) collector.unknown("sheet", name);
	return collector.parsed({ publishedOn: null });
}

function checkSheets(byName: ReadonlyMap<string, Table>): void {
	for (const { name, optional } of specs) {
		if (!optional && !byName.has(name)) throw new StructureError(`the workbook has no sheet "${name}"`);
	}
	const clusterSheets = ["cluster projects", "cluster projects-withdrawn"];
	const missing = clusterSheets.filter((name) => !byName.has(name));
	if (missing.length === 1)
		throw new StructureError(`the workbook has only one of the two cluster sheets: "${missing[0]}" is missing`);
}

/** The workbook's address changes every month, so it is read from the landing page. */
async function download(http: Http): Promise<DownloadedFile | "not-modified"> {
	const page = await http.get(landingUrl, { isIndex: true });
	if (page === "not-modified") return page;
	const link = findWorkbookLink(new TextDecoder().decode(page.bytes));
	if (link === null)
		throw new StructureError(`${landingUrl}: the page has no link to an interconnection queue workbook`);
	const file = await http.get(link.url, { conditional: true });
	if (file === "not-modified") return file;
	if (file.bytes.length < minBytes) {
		throw new StructureError(
			`${link.name}: ${file.bytes.length} bytes, fewer than the minimum of ${minBytes} for a queue workbook (bot protection?)`,
		);
	}
	return { ...file, name: link.name };
}

/**
 * Finds the newest workbook that the page links to. Dated links look like `NYISO-Interconnection-Queue-08312026.xlsx/<uuid>?t=…`, or
 * `-08-31-2026`. The workbook at the undated address can be years old, so it is used only if the page has no dated link.
 */
export function findWorkbookLink(html: string): { url: string; name: string } | null {
	const links = [
		...html.matchAll(/href\s*=\s*["']([^"']*interconnection[-_+ ]?(?:%20)?queue[^"'/]*\.xlsx[^"']*)["']/gi),
	];
	const workbooks = links.map(([, href = ""]) => {
		const url = new URL(href.replaceAll("&amp;", "&"), landingUrl).href;
		const name = decodeURIComponent(/([^/]*\.xlsx)/i.exec(url)?.[1] ?? "NYISO-Interconnection-Queue.xlsx");
		const [, month, day, year] = /(\d{2})-?(\d{2})-?(\d{4})\.xlsx$/i.exec(name) ?? [];
		return { url, name, dated: month === undefined ? "" : `${year}-${month}-${day}` };
	});
	const [newest] = workbooks.sort((a, b) => b.dated.localeCompare(a.dated));
	return newest ? { url: newest.url, name: newest.name } : null;
}
