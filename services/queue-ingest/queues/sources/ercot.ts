/** ERCOT: the monthly Generator Interconnection Status report. It has no status column: a request's sheets determine its status. */
import { z } from "zod";
import type { Status } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { date, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Reading } from "../../sources/reading.ts";
import type { FiledRequest, Http, Operator, ParsedFile, Source } from "../../sources/source.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { machines, readDetails } from "./ercot/details.ts";
import { readUpdates, type Update, updateSheets } from "./ercot/updates.ts";

const host = "https://www.ercot.com";
const listUrl = `${host}/misapp/servlets/IceDocListJsonWS?reportTypeId=15933`;
const maxBytes = 16 * 1024 * 1024;

export const ercot: Source = {
	feed: "ercot",
	region: "ERCOT",
	title: "ERCOT Generator Interconnection Status report (GIS_Report xlsx)",
	layout: { formats: "xlsx, zip", verified: "2025-10-31" },
	publication: {
		title: "Generator Interconnection Status report",
		url: "https://www.ercot.com/mp/data-products/data-product-details?id=pg7-200-er",
		cadence: "monthly",
	},
	cadenceHours: 720,
	maxAgeHours: 840,
	maxBytes,
	coverage: "active-only",
	firstList: { rows: [300, 6_000], states: 1, statuses: ["Active"] },
	download,
	recognises: (file) => /^GIS_Report\w*\.(xlsx|zip)$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => sheets.some(({ name }) => headerKey(name).startsWith("project details")),
	words: { technology: machines, fuel: "technology" },
	parse: async (file, mapped) => parseErcot(await readWorkbook(file.bytes), mapped),
	key: (number) => number.trim().toUpperCase(),
};

export const operator: Operator = {
	publisher: "ERCOT",
	states: ["TX"],
	lists: [ercot],
};

/**
 * The requests of a report. Rows of one request in a details sheet and in update sheets are merged, with the furthest of their statuses; a
 * request that is only in update sheets is `partial`. Throws `StructureError` when a sheet is missing.
 */
export function parseErcot(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const reading = new Reading(mapped);
	const requests = new Map<string, FiledRequest>();
	for (const sheet of detailSheets(sheets)) {
		for (const request of readDetails(sheet, reading)) {
			const key = ercot.key(request.number);
			if (requests.has(key)) reading.found.drop(`same request again in ${sheet.name.trim()}`, request.number);
			else requests.set(key, request);
		}
	}
	for (const [sheet, spec] of sheetsOfUpdates(sheets)) {
		for (const update of readUpdates(sheet, spec, reading)) {
			const key = ercot.key(update.request.number);
			const known = requests.get(key);
			if (known) reading.found.drop(`same request in ${sheet.name.trim()}`, update.request.number);
			requests.set(key, updated(known ?? update.request, update));
		}
	}
	for (const request of requests.values()) reading.found.keep(request);
	return reading.parsed(asOf(sheets));
}

/**
 * "Project Details" until January 2022, whose report has a sheet of small generators beside it; since then one sheet for large and one for
 * small generators.
 */
function detailSheets(sheets: Table[]): Table[] {
	const ofSize = (size: string) =>
		sheets.find(({ name }) => new RegExp(`^project details\\W+${size} gen`).test(headerKey(name)));
	const single = sheets.filter((sheet) => headerKey(sheet.name) === "project details");
	if (single.length > 0) return [...single, ...[ofSize("small")].filter((sheet) => sheet !== undefined)];
	return ["large", "small"].map((size) => {
		const sheet = ofSize(size);
		if (!sheet) throw new StructureError(`sheet missing: Project Details - ${size} gen`);
		return sheet;
	});
}

/** Until July 2019 the names begin with "Project", and there is no sheet of inactive projects. */
function sheetsOfUpdates(sheets: Table[]): [Table, (typeof updateSheets)[number]][] {
	const isUntilJuly2019 = sheets.some(({ name }) => headerKey(name) === "project commissioning update");
	return updateSheets.flatMap((spec): [Table, (typeof updateSheets)[number]][] => {
		const sheet = sheets.find(({ name }) => headerKey(name).endsWith(spec.words));
		if (sheet) return [[sheet, spec]];
		if (isUntilJuly2019 && spec.since2019) return [];
		throw new StructureError(`sheet missing: ${spec.words}`);
	});
}

/** Operational before Withdrawn before Suspended before Active: the furthest status of any sheet. */
const precedence: readonly Status[] = ["Active", "Suspended", "Withdrawn", "Operational"];

function updated(request: FiledRequest, update: Update): FiledRequest {
	const next: FiledRequest = { ...request, status: request.status ?? update.status };
	const decided: string[] = [];
	if (precedence.indexOf(update.statusStd) > precedence.indexOf(request.statusStd)) {
		next.status = update.status;
		next.statusStd = update.statusStd;
		next.statusBasis = update.statusBasis;
		next.evidence = { ...request.evidence, basis: "published", byUpdateSheet: true };
		decided.push("status", "status_std", "status_basis");
	}
	if (update.energized || update.statusStd === "Operational") {
		decided.push("construction_stage");
		next.evidence = { stage: "construction", basis: "published", contradictory: false, byUpdateSheet: true };
	}
	const dates = {
		energizedDate: [update.energized, "energized_date"],
		actualCod: [update.statusStd === "Operational", "actual_cod"],
		withdrawnDate: [update.statusStd === "Withdrawn", "withdrawn_date"],
	} as const;
	for (const [name, [applies, field]] of Object.entries(dates) as [keyof typeof dates, readonly [boolean, string]][]) {
		if (!applies || next[name] !== null) continue;
		next[name] = update.on;
		decided.push(field);
	}
	if (update.statusStd === "Suspended" && update.on !== null) {
		next.raw = { ...request.raw, "Inactive Date": update.on };
	}
	// The row of a request that is only in update sheets is that of the first such sheet.
	const further = request === update.request ? [] : (update.request.origins ?? []);
	if (decided.length > 0)
		next.origins = [...(request.origins ?? []), ...further.map((origin) => ({ ...origin, fields: decided }))];
	return next;
}

/** The last day of the report's month: "... change requests as of Oct 31, 2025" on its first sheets. */
function asOf(sheets: Table[]): string | null {
	const front = sheets.filter((sheet) => /^(contents|summary)$/.test(headerKey(sheet.name)));
	for (const cell of front.flatMap((sheet) => sheet.rows.flat())) {
		const [, month, day, year] = /\b(?:as of|to) ([a-z]{3})[a-z]* (\d{1,2}), ?(\d{4})\b/i.exec(text(cell) ?? "") ?? [];
		const stated = month === undefined ? null : date(`${day}-${month}-${year}`);
		if (stated !== null) return stated;
	}
	return null;
}

interface ListedDocument {
	name: string;
	id: string;
	published: number;
}

/** The list names every report of the product, and corrections of past months: downloads the newest document of the newest month. */
async function download(http: Http): ReturnType<Source["download"]> {
	const list = await http.get(listUrl);
	if (list === "not-modified") return list;
	const [newest] = listedReports(list.bytes).sort(
		(a, b) => monthOf(b.name).localeCompare(monthOf(a.name)) || b.published - a.published,
	);
	if (!newest) throw new StructureError("ERCOT's document list contains no GIS_Report");
	const url = `${host}/misdownload/servlets/mirDownload?doclookupId=${encodeURIComponent(newest.id)}`;
	const file = await http.get(url, { conditional: true, maxBytes });
	return file === "not-modified" ? file : { ...file, name: `${newest.name}.xlsx` };
}

const documentList = z.object({
	ListDocsByRptTypeRes: z.object({
		DocumentList: z.array(
			z.object({
				Document: z.object({ FriendlyName: z.string(), DocID: z.coerce.string(), PublishDate: z.string() }),
			}),
		),
	}),
});

/** Reports of co-located batteries are in the same list and differ only in name. */
function listedReports(bytes: Uint8Array): ListedDocument[] {
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		throw new StructureError("ERCOT's document list is not JSON");
	}
	const list = documentList.safeParse(json);
	if (!list.success)
		throw new StructureError(`ERCOT's document list has an unknown format: ${z.prettifyError(list.error)}`);
	return list.data.ListDocsByRptTypeRes.DocumentList.filter(({ Document }) =>
		/^GIS_Report/i.test(Document.FriendlyName),
	).map(({ Document }) => ({
		name: Document.FriendlyName,
		id: Document.DocID,
		published: Date.parse(Document.PublishDate) || 0,
	}));
}

/** "GIS_Report_April_2022_Corrected" is of 2022-04-01; a name without a month sorts first. */
function monthOf(name: string): string {
	const [, month, year] = /_([A-Za-z]{3})[a-z]*_?(\d{4})/.exec(name) ?? [];
	return (month === undefined ? null : date(`1-${month}-${year}`)) ?? "";
}
