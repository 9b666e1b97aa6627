/** ERCOT: the monthly Generator Interconnection Status report. It has no status column: a request's sheets determine its status. */
import type { Status } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey, type Table } from "#libs/files/table.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector } from "../../sources/collector.ts";
import type { FiledRequest, Operator, ParsedFile, Source } from "../../sources/source.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { ercotBatteries } from "./ercot/batteries.ts";
import { machines, readDetails } from "./ercot/details.ts";
import { documentMaxBytes, documentPage, newestDocument, readAsOf } from "./ercot/documents.ts";
import { readUpdates, type Update, updateSheets } from "./ercot/updates.ts";

export const ercot: Source = {
	feed: "ercot",
	region: "ERCOT",
	title: "ERCOT Generator Interconnection Status report (GIS_Report xlsx)",
	layout: { formats: "xlsx, zip", verified: "2025-10-31" },
	publication: {
		title: "Generator Interconnection Status report",
		url: documentPage,
		cadence: "monthly",
	},
	cadenceHours: 720,
	maxAgeHours: 840,
	maxBytes: documentMaxBytes,
	coverage: "active-only",
	firstList: { rows: [300, 6_000], states: 1, statuses: ["Active"] },
	download: (http) => newestDocument(http, /^GIS_Report/i),
	recognises: (file) => /^GIS_Report\w*\.(xlsx|zip)$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => sheets.some(({ name }) => headerKey(name).startsWith("project details")),
	words: { technology: machines, fuel: "technology" },
	parse: async (file, mapped) => parseErcot(await readWorkbook(file.bytes), mapped),
	key: (number) => number.trim().toUpperCase(),
};

export const operator: Operator = {
	publisher: "ERCOT",
	states: ["TX"],
	lists: [ercot, ercotBatteries],
};

/**
 * The requests of a report. Rows of one request in a details sheet and in update sheets are merged, with the most advanced of their statuses; a
 * request that is only in update sheets is `partial`. Throws `StructureError` if a sheet is missing.
 */
export function parseErcot(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const found = new Collector(mapped);
	const requests = new Map<string, FiledRequest>();
	for (const sheet of findDetailSheets(sheets)) {
		for (const request of readDetails(sheet, found)) {
			const key = ercot.key(request.number);
			if (requests.has(key)) found.drop(`same request again in ${sheet.name.trim()}`, request.number);
			else requests.set(key, request);
		}
	}
	for (const [sheet, spec] of findUpdateSheets(sheets)) {
		for (const update of readUpdates(sheet, spec, found)) {
			const key = ercot.key(update.request.number);
			const known = requests.get(key);
			if (known) found.drop(`same request in ${sheet.name.trim()}`, update.request.number);
			requests.set(key, applyUpdate(known ?? update.request, update));
		}
	}
	for (const request of requests.values()) found.keep(request);
	return found.parsed({ publishedOn: readAsOf(sheets, /^(contents|summary)$/) });
}

/**
 * "Project Details" until January 2022, with a separate sheet of small generators in that month; since then one sheet each for large and for
 * small generators.
 */
function findDetailSheets(sheets: Table[]): Table[] {
	const ofSize = (size: string) =>
		sheets.find(({ name }) => new RegExp(`^project details\\W+${size} gen`).test(headerKey(name)));
	const single = sheets.filter((sheet) => headerKey(sheet.name) === "project details");
	if (single.length > 0) return [...single, ...[ofSize("small")].filter((sheet) => sheet !== undefined)];
	return ["large", "small"].map((size) => {
		const sheet = ofSize(size);
		if (!sheet) throw new StructureError(`the workbook has no sheet "Project Details - ${size} gen"`);
		return sheet;
	});
}

/** Until July 2019 the names begin with "Project", and there is no sheet of inactive projects. */
function findUpdateSheets(sheets: Table[]): [Table, (typeof updateSheets)[number]][] {
	const isUntilJuly2019 = sheets.some(({ name }) => headerKey(name) === "project commissioning update");
	return updateSheets.flatMap((spec): [Table, (typeof updateSheets)[number]][] => {
		const sheet = sheets.find(({ name }) => headerKey(name).endsWith(spec.nameEnd));
		if (sheet) return [[sheet, spec]];
		if (isUntilJuly2019 && spec.since2019) return [];
		throw new StructureError(`the workbook has no sheet whose name ends in "${spec.nameEnd}"`);
	});
}

/** In ascending order: a request has the highest of the statuses in its sheets. */
const precedence: readonly Status[] = ["Active", "Suspended", "Withdrawn", "Operational"];

function applyUpdate(request: FiledRequest, update: Update): FiledRequest {
	const next: FiledRequest = { ...request, status: request.status ?? update.status };
	const decidedFields: string[] = [];
	if (precedence.indexOf(update.statusStd) > precedence.indexOf(request.statusStd)) {
		next.status = update.status;
		next.statusStd = update.statusStd;
		next.statusBasis = update.statusBasis;
		next.evidence = { ...request.evidence, basis: "published", byUpdateSheet: true };
		decidedFields.push("status", "status_std", "status_basis");
	}
	if (update.energized || update.statusStd === "Operational") {
		decidedFields.push("construction_stage");
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
		decidedFields.push(field);
	}
	if (update.statusStd === "Suspended" && update.on !== null) {
		next.raw = { ...request.raw, "Inactive Date": update.on };
	}
	// A request that is only in update sheets has the row of the first such sheet.
	const further = request === update.request ? [] : (update.request.origins ?? []);
	if (decidedFields.length > 0)
		next.origins = [...(request.origins ?? []), ...further.map((origin) => ({ ...origin, fields: decidedFields }))];
	return next;
}
