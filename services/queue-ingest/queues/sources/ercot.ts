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
import { documentMaxBytes, documentPage, downloadNewestDocument, readAsOf } from "./ercot/documents.ts";
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
	download: (http) => downloadNewestDocument(http, /^GIS_Report/i),
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
 * Reads the requests of a report. Rows of the same request in details and update sheets are merged, with the most advanced status. A request
 * that is only in update sheets is `partial`. Throws `StructureError` if a sheet is missing.
 */
export function parseErcot(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const collector = new Collector(mapped);
	const requests = new Map<string, FiledRequest>();
	for (const sheet of findDetailSheets(sheets)) {
		for (const request of readDetails(sheet, collector)) {
			const key = ercot.key(request.number);
			if (requests.has(key)) collector.drop(`same request again in ${sheet.name.trim()}`, request.number);
			else requests.set(key, request);
		}
	}
	for (const [sheet, spec] of findUpdateSheets(sheets)) {
		for (const update of readUpdates(sheet, spec, collector)) {
			const key = ercot.key(update.request.number);
			const known = requests.get(key);
			if (known) collector.drop(`same request in ${sheet.name.trim()}`, update.request.number);
			requests.set(key, applyUpdate(known ?? update.request, update));
		}
	}
	for (const request of requests.values()) collector.keep(request);
	return collector.parsed({ publishedOn: readAsOf(sheets, /^(contents|summary)$/) });
}

/**
 * Until January 2022, one sheet "Project Details", in that month with a separate sheet for small generators. Since then, one sheet each for
 * large and for small generators.
 */
function findDetailSheets(sheets: Table[]): Table[] {
	const findBySize = (size: string) =>
		sheets.find(({ name }) => new RegExp(`^project details\\W+${size} gen`).test(headerKey(name)));
	const undividedSheets = sheets.filter((sheet) => headerKey(sheet.name) === "project details");
	if (undividedSheets.length > 0)
		return [...undividedSheets, ...[findBySize("small")].filter((sheet) => sheet !== undefined)];
	return ["large", "small"].map((size) => {
		const sheet = findBySize(size);
		if (!sheet) throw new StructureError(`the workbook has no sheet "Project Details - ${size} gen"`);
		return sheet;
	});
}

/** Until July 2019, the names of these sheets begin with "Project", and there is no sheet of inactive projects. */
function findUpdateSheets(sheets: Table[]): [Table, (typeof updateSheets)[number]][] {
	const isUntilJuly2019 = sheets.some(({ name }) => headerKey(name) === "project commissioning update");
	return updateSheets.flatMap((spec): [Table, (typeof updateSheets)[number]][] => {
		const sheet = sheets.find(({ name }) => headerKey(name).endsWith(spec.nameEnd));
		if (sheet) return [[sheet, spec]];
		if (isUntilJuly2019 && spec.since2019) return [];
		throw new StructureError(`the workbook has no sheet whose name ends in "${spec.nameEnd}"`);
	});
}

/** In ascending order. A request in several sheets has the highest of their statuses. */
const precedence: readonly Status[] = ["Active", "Suspended", "Withdrawn", "Operational"];

function applyUpdate(request: FiledRequest, update: Update): FiledRequest {
	const merged: FiledRequest = { ...request, status: request.status ?? update.status };
	const decidedFields: string[] = [];
	if (precedence.indexOf(update.statusStd) > precedence.indexOf(request.statusStd)) {
		merged.status = update.status;
		merged.statusStd = update.statusStd;
		merged.statusBasis = update.statusBasis;
		merged.evidence = { ...request.evidence, basis: "published", byUpdateSheet: true };
		decidedFields.push("status", "status_std", "status_basis");
	}
	if (update.energized || update.statusStd === "Operational") {
		decidedFields.push("construction_stage");
		merged.evidence = { stage: "construction", basis: "published", contradictory: false, byUpdateSheet: true };
	}
	const dates = {
		energizedDate: [update.energized, "energized_date"],
		actualCod: [update.statusStd === "Operational", "actual_cod"],
		withdrawnDate: [update.statusStd === "Withdrawn", "withdrawn_date"],
	} as const;
	for (const [name, [applies, field]] of Object.entries(dates) as [keyof typeof dates, readonly [boolean, string]][]) {
		if (!applies || merged[name] !== null) continue;
		merged[name] = update.on;
		decidedFields.push(field);
	}
	if (update.statusStd === "Suspended" && update.on !== null) {
		merged.raw = { ...request.raw, "Inactive Date": update.on };
	}
	// A request that is only in update sheets already has the origins of its first row.
	const updateOrigins = request === update.request ? [] : (update.request.origins ?? []);
	if (decidedFields.length > 0)
		merged.origins = [
			...(request.origins ?? []),
			...updateOrigins.map((origin) => ({ ...origin, fields: decidedFields })),
		];
	return merged;
}
