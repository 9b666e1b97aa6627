/**
 * The operators' archived lists, read and folded without the product: what was listed on a day, by operator and status. Rows are read as
 * `npm run truth` reads them; nothing of a list is remembered but, of lists of active requests, what had been finished.
 */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Region, Status } from "#libs/contract/vocabulary.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { statusIn } from "../../../tools/truth/fields.ts";
import { cellOf, type FileRow, numberKey, requestsIn, tablesOf } from "../../../tools/truth/files.ts";

interface Publication {
	region: Region;
	/** Path below the folder of data. */
	path: RegExp;
	sheet?: RegExp;
	key: readonly string[];
	/** Pattern of a request's number, where rows below the list have others. */
	number?: RegExp;
	/** Columns of capacity by precedence: the first above zero counts. */
	megawatts: readonly string[];
	/** Built or cancelled requests keep their status when they leave the list; others are no longer listed. */
	dropsFinished?: true;
	/** If several sheets have a row, the first sheet here counts; other rows are merged. */
	first?: readonly RegExp[];
	/** Sheets that say less of a request than others: a capacity that was known before outranks theirs. */
	lesser?: RegExp;
	/** Rows of one number, or of one number and name, are one request. Else each row is one, but for exact repeats. */
	joined?: "number" | "number and name";
}

const publications: readonly Publication[] = [
	{
		region: "CAISO",
		path: /^caiso\/.*publicqueuereport[^/]*\.xlsx$/i,
		sheet: /generation/i,
		key: ["Queue Position"],
		megawatts: ["Net MWs to Grid"],
		joined: "number",
	},
	{
		region: "CAISO",
		path: /^caiso\/cluster-15[^/]*\.xlsx$/i,
		sheet: /^\s*(cluster 15|withdrawn)\s*$/i,
		key: ["Queue Number"],
		megawatts: ["NET MW POI"],
		joined: "number",
	},
	{
		region: "ERCOT",
		path: /^ercot\/GIS_Report[^/]*\.xlsx$/i,
		sheet: /project details|commissioning update|inactive projects|cancellation update/i,
		key: ["INR"],
		number: /^\d\dINR\d{4}[a-z]{0,4}$/i,
		megawatts: ["Capacity (MW)", "MW", "MW **"],
		dropsFinished: true,
		lesser: /update|inactive/i,
		joined: "number",
	},
	{
		region: "ISO-NE",
		path: /^isone\/.*\.(csv|xlsx)$/i,
		key: ["Position", "QP"],
		megawatts: ["Net MW", "Summer MW", "Winter MW"],
	},
	{
		region: "MISO",
		path: /^miso\/.*\.(csv|json)$/i,
		key: ["projectNumber", "Project #"],
		// "MSG KEEP", "AA1234" and the like are messages.
		number: /^[A-Z]\d{2,}/i,
		megawatts: ["summerNetMW", "Summer MW", "winterNetMW", "Winter MW"],
	},
	{
		region: "NYISO",
		path: /^nyiso\/.*\.xlsx$/i,
		sheet: /queue|cluster projects|in service|withdrawn|load/i,
		key: ["Queue Pos.", "Queue Number"],
		number: /^(\d{1,4}[A-Z]?|CR?\d\d-\d{3,4}(-\d{3})?)$/i,
		megawatts: ["SP (MW)", "(MW)", "WP (MW)"],
		joined: "number and name",
		first: [/in service/i, /queue|cluster projects$/i, /./],
	},
	{
		region: "PJM",
		path: /^pjm\/.*cycle[^/]*\.csv$/i,
		key: ["Project ID"],
		megawatts: ["MW Energy", "MFO", "MW Capacity"],
		joined: "number",
	},
	{
		region: "PJM",
		path: /^pjm\/.*PlanningQueues[^/]*\.(csv|xlsx)$/i,
		key: ["Project ID"],
		megawatts: ["MW Energy", "MFO", "MW Capacity"],
		joined: "number",
	},
	{
		region: "SPP",
		path: /^spp\/.*\.(csv|xlsx)$/i,
		key: ["Generation Interconnection Number"],
		megawatts: ["Requested Maximum Injection Capability (MW)", "Capacity", "MAX Summer MW", "MAX Winter MW"],
		dropsFinished: true,
		joined: "number",
	},
];

export interface ArchivedList {
	region: Region;
	/** Whole. */
	path: string;
	/** `YYYY-MM-DD`. */
	day: string;
	/** Tells which of several files of a day corrects which. */
	correction: number;
	/** Lists of one publication follow each other. */
	publication: Publication;
}

/** Lists of the regions, oldest first; below each of the folders the operators' folders lie. */
export function archivedLists(folders: readonly string[], regions: readonly Region[]): ArchivedList[] {
	const lists = folders.filter(existsSync).flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((path) => {
			const publication = publications.find((each) => each.path.test(path));
			if (publication === undefined || !regions.includes(publication.region)) return [];
			const { region } = publication;
			return { region, path: join(folder, path), day: dayIn(path), correction: correctionIn(path), publication };
		}),
	);
	return lists.sort(
		(a, b) => a.day.localeCompare(b.day) || a.correction - b.correction || a.path.localeCompare(b.path),
	);
}

const months = "january february march april may june july august september october november december".split(" ");

/** "2026-06-29/...", "2024-07-approx/...", "...-07202026.xlsx", "GIS_Report_October2025.xlsx"; Cluster 15 by what the folder's list of files says. */
function dayIn(path: string): string {
	// CAISO ran this report, as its sheets say, on the day before that of its name.
	if (path.endsWith("publicqueuereport-11082025.xlsx")) return "2025-11-07";
	const [, whole] = /(\d{4}-\d\d-\d\d)/.exec(path) ?? [];
	if (whole !== undefined) return whole;
	const [, month, day, year] = /(\d\d)(\d\d)(20\d\d)\.\w+$/.exec(path) ?? [];
	if (year !== undefined) return `${year}-${month}-${day}`;
	const [, name = "", of] = /_([A-Z][a-z]+)_?(20\d\d)/.exec(path) ?? [];
	if (of !== undefined)
		return new Date(Date.UTC(Number(of), months.indexOf(name.toLowerCase()) + 1, 0)).toISOString().slice(0, 10);
	const [, about] = /(20\d\d-\d\d)-approx/.exec(path) ?? [];
	return about === undefined ? "2026-07-16" : `${about}-01`;
}

const correctionIn = (path: string): number => {
	const [, number] = /_(?:correct\w*?|revised)(\d?)\.\w+$/i.exec(path) ?? [];
	return number === undefined ? 0 : Number(number || 1);
};

interface Request {
	status: Status;
	/** 0 where none is stated. */
	megawatts: number;
	listed: boolean;
}
type State = ReadonlyMap<string, Request>;

interface Rows {
	requests: Map<string, FileRow[]>;
	/** Numbers that the list shows in rows that say nothing more: PJM's of requests that moved to a cycle. */
	named: Set<string>;
}

const moved = /^(\S+) - moved to/i;
/** ISO-NE's rows of requests that New York's queue holds. */
const ofNewYork = /\((NYISO-[\w-]+|QP\d+ in NYISO Queue)\)/i;

async function rowsOf({ path, publication }: ArchivedList): Promise<Rows> {
	const requests = new Map<string, FileRow[]>();
	const named = new Set<string>();
	const seen = new Set<string>();
	for (const { sheet, rows } of await cellsOf(path)) {
		if (publication.sheet?.test(sheet) === false) continue;
		for (const cell of rows.flat()) if (moved.test(cell)) named.add(numberKey(cell));
		for (const [number, cells] of requestsIn(rows, publication.key)) {
			if (publication.number?.test(number.trim()) === false) continue;
			if (ofNewYork.test(cells.get("alternative name") ?? "")) continue;
			const whole = JSON.stringify([...cells].filter(([header]) => header !== "updated"));
			if (publication.joined === undefined && seen.has(whole)) continue;
			seen.add(whole);
			const key = [numberKey(number), ...keyParts(publication, cells, seen.size)].join("\t");
			requests.set(key, [...(requests.get(key) ?? []), { file: path, sheet: sheet.trim(), cells }]);
		}
	}
	return { requests, named };
}

/** Distinguishes several requests with one number. */
function keyParts({ joined }: Publication, cells: FileRow["cells"], place: number): string[] {
	if (joined === "number") return [];
	if (joined === undefined) return [String(place)];
	return [(cells.get("project name") ?? "").toLowerCase().replace(/[^a-z0-9]/g, "")];
}

const cellsOf = async (path: string): Promise<{ sheet: string; rows: string[][] }[]> =>
	path.endsWith(".xlsx")
		? (await readWorkbook(await readFile(path))).map(({ name, rows }) => ({
				sheet: name,
				rows: withOneHeader(rows.map((row) => row.map(cellOf))),
			}))
		: tablesOf(path);

/** NYISO wraps the header of what is in service: "Queue" above "Pos.". */
function withOneHeader([upper = [], lower = [], ...rows]: string[][]): string[][] {
	if (upper[0] !== "Queue" || lower[0] !== "Pos.") return [upper, lower, ...rows];
	const width = Math.max(upper.length, lower.length);
	return [Array.from({ length: width }, (_, at) => `${upper[at] ?? ""} ${lower[at] ?? ""}`.trim()), ...rows];
}

function chosen({ first = [] }: Publication, rows: readonly FileRow[]): readonly FileRow[] {
	const found = first.map((sheets) => rows.filter(({ sheet }) => sheets.test(sheet))).find((some) => some.length > 0);
	return found?.slice(0, 1) ?? rows;
}

/** PJM's word of a status counts, whatever days stand beside it. */
const dateless = (row: FileRow): FileRow => ({
	...row,
	cells: new Map([...row.cells].filter(([header]) => !/^withdraw(n|al) date$/.test(header))),
});

/** The states of a publication after each of its lists, oldest first. */
async function statesOf(lists: readonly ArchivedList[]): Promise<{ day: string; state: State }[]> {
	const states: { day: string; state: State }[] = [];
	const known = new Map<string, Request>();
	for (const list of lists) {
		const { region, publication } = list;
		const { requests, named } = await rowsOf(list);
		for (const [key, shown] of requests) {
			const rows = chosen(publication, shown);
			const status = statusIn(region, region === "PJM" ? rows.map(dateless) : rows);
			const isWhole = rows.some(({ sheet }) => publication.lesser?.test(sheet) !== true);
			const before = known.get(key)?.megawatts ?? 0;
			const megawatts = !isWhole && before > 0 ? before : megawattsIn(publication, rows);
			known.set(key, { status, megawatts, listed: true });
		}
		for (const [key, request] of known)
			if (!requests.has(key))
				known.set(key, { ...request, listed: named.has(key) || (request.listed && mayLeave(publication, request)) });
		states.push({ day: list.day, state: new Map(known) });
	}
	return states;
}

const mayLeave = ({ dropsFinished }: Publication, { status }: Request): boolean =>
	dropsFinished === true && (status === "Operational" || status === "Withdrawn");

/** The first that says more than nothing; of ISO-NE the first that says something, its nothing is meant and hundredths are what it states. */
function megawattsIn({ megawatts, region }: Publication, rows: readonly FileRow[]): number {
	for (const { cells } of rows) {
		// A request of PJM's for no energy is of the size of its capacity rights: its output is the plant's.
		const isForRights = region === "PJM" && Number(cells.get("mw energy") || "none") === 0;
		for (const header of isForRights ? ["MW Capacity"] : megawatts) {
			const cell = (cells.get(header.toLowerCase()) ?? "").replaceAll(",", "");
			const value = Number(cell);
			const digits = region === "ISO-NE" ? 100 : 1000;
			if (value > 0 || (region === "ISO-NE" && cell !== "")) return Math.max(0, Math.round(value * digits) / digits);
		}
	}
	return 0;
}

/** A request as it is listed on a day. */
export interface Listed {
	region: Region;
	/** Requests with its number, which several may have. */
	number: string;
	status: Status;
	/** 0 where none is stated. */
	megawatts: number;
}

/** Reads every list once. What the function answers of a day is what the newest list of each publication of that day or before says. */
export async function foldLists(lists: readonly ArchivedList[]): Promise<(day: string) => Listed[]> {
	const all: { region: Region; states: { day: string; state: State }[] }[] = [];
	for (const publication of publications) {
		const own = lists.filter((list) => list.publication === publication);
		all.push({ region: publication.region, states: await statesOf(own) });
	}
	return (day) => {
		const found: Listed[] = [];
		const stated = new Map<Region, Set<string>>();
		for (const { region, states } of all) {
			const { state } = states.findLast((each) => each.day <= day) ?? {};
			const before = stated.get(region) ?? new Set();
			const shown = [...(state ?? [])].filter(([key, { listed }]) => listed && !before.has(key));
			for (const [key, { status, megawatts }] of shown)
				found.push({ region, number: key.split("\t")[0] ?? "", status, megawatts });
			stated.set(region, new Set([...before, ...shown.map(([key]) => key)]));
		}
		return found;
	};
}

/** Requests and their MW by operator and status, to the hundredth. */
type Totals = Record<string, [requests: number, megawatts: number]>;

export function totalsOf(requests: readonly Omit<Listed, "number">[]): Totals {
	const groups = Map.groupBy(requests, ({ region, status }) => `${region} ${status}`);
	return Object.fromEntries(
		[...groups].map(([key, own]) => {
			const hundredths = own.reduce((sum, each) => sum + Math.round(100 * each.megawatts), 0);
			return [key, [own.length, hundredths / 100]];
		}),
	);
}
