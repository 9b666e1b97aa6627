/** CAISO's Cluster 15 of 2023: a workbook of its own, apart from the public queue report and with its own columns. */
import type { Status } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, hasSheets, headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { type Extra, fold, rawReader } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import { dataRowCells, filledCells, Reading } from "../../sources/reading.ts";
import type { FiledRequest, ParsedFile, Source } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { caisoKey } from "./caiso-queue.ts";

const url = "https://www.caiso.com/documents/cluster-15-interconnection-requests.xlsx";
const maxBytes = 16 * 1024 * 1024;

export const caisoCluster15: Source = {
	feed: "caiso-cluster-15",
	region: "CAISO",
	title: "CAISO Cluster 15 interconnection requests (xlsx)",
	publication: { title: "Cluster 15 requests", url, cadence: "as it changes" },
	// It is published at no fixed rhythm; a month is how long its silence says nothing.
	cadenceHours: 720,
	maxAgeHours: 1080,
	maxBytes,
	coverage: "all-status",
	download: (http) => http.get(url, { conditional: true, maxBytes }),
	recognises: (file) => /^cluster\W?15\W.*request[\w-]*\.xlsx$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => hasSheets(sheets, "cluster 15"),
	words: { fuel: "technology" },
	parse: async (file, mapped) => parseCluster15(await readWorkbook(file.bytes), mapped),
	key: caisoKey,
};

/** In order of precedence, should a request ever stand in two sheets. No status is published: the sheet's name is it. */
const sheetStatuses: { sheet: string; status: Extract<Status, "Active" | "Withdrawn"> }[] = [
	{ sheet: "withdrawn", status: "Withdrawn" },
	{ sheet: "cluster 15", status: "Active" },
];

/** The requests of both sheets. Throws `StructureError` when a sheet or column is missing. */
export function parseCluster15(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const reading = new Reading(mapped);
	const seen = new Set<string>();
	for (const { sheet: name, status } of sheetStatuses) {
		const sheet = sheets.find((candidate) => headerKey(candidate.name) === name);
		if (!sheet) throw new StructureError(`sheet missing: ${name}`);
		for (const request of readSheet(sheet, status, reading)) {
			if (seen.has(request.number)) reading.found.drop(`same request in ${sheet.name.trim()}`, request.number);
			else reading.found.keep(request);
			seen.add(request.number);
		}
	}
	return reading.parsed(null);
}

const extras: Extra[] = [
	{ header: "Project Number", kind: "text" },
	{ header: "NET MW 1", kind: "number" },
	{ header: "NET MW 2", kind: "number" },
	{ header: "NET MW 3", kind: "number" },
	{ header: "Study Area", kind: "text" },
	{ header: "Voltage kV", kind: "text" },
	{ header: "Application Date", kind: "date" },
];

function columnsOf(table: HeadedTable) {
	return {
		number: table.column("Queue Number"),
		name: table.column("Project Name"),
		fuels: [1, 2, 3].map((n) => table.column(`Generation/Fuel ${n}`)),
		megawatts: [1, 2, 3].map((n) => table.column(`NET MW ${n}`)),
		net: table.column("NET MW POI"),
		county: table.column("Project County"),
		state: table.column("Project State"),
		utility: table.column("PTO"),
		poi: table.column("POI"),
		cod: table.column("Requested COD"),
		queueDate: table.column("Queue Date"),
		withdrawn: table.column("Withdrawal Date"),
		service: table.column("Service Type"),
	};
}

const cellsOf = (at: ReturnType<typeof columnsOf>): cells.FieldsOfTable => ({
	queue_id: cells.by("number", cells.text(at.number)),
	name: cells.text(at.name),
	county: cells.text(at.county),
	state: cells.text(at.state),
	poi: cells.text(at.poi),
	utility: cells.text(at.utility),
	cluster: cells.together("list.constant"),
	service: cells.text(at.service),
	type: cells.together("caiso.fuels", ...at.fuels),
	type_std: cells.together("technology.tokens", ...at.fuels, at.name),
	status: cells.together("caiso.cluster_15"),
	status_std: cells.together("caiso.cluster_15"),
	capacity_mw: cells.megawatts(at.net),
	components: cells.together("caiso.components", ...at.megawatts, ...at.fuels),
	queue_date: cells.day(at.queueDate),
	cod: cells.day(at.cod),
	withdrawn_date: cells.day(at.withdrawn),
});

function readSheet(sheet: Table, status: Status, reading: Reading): FiledRequest[] {
	const table = new HeadedTable(sheet, [
		["Queue Number"],
		["Project Name"],
		["Generation/Fuel 1"],
		["NET MW POI"],
		["Project County"],
		["Project State"],
		["POI"],
		["Requested COD"],
		["Queue Date"],
		...(status === "Withdrawn" ? [["Withdrawal Date"]] : []),
	]);
	const at = columnsOf(table);
	const raw = rawReader(table, extras);
	const origins = reading.found.rowsOf(table, cellsOf(at));
	reading.noteLeftovers(table);
	const requests: FiledRequest[] = [];
	for (const row of table.rows) {
		if (filledCells(row) < dataRowCells) continue;
		reading.countRow();
		const number = known(row[at.number]);
		if (number === null) reading.found.drop("no queue number", text(row[at.name]), "malformed");
		else
			requests.push({
				...request(row, at, reading),
				number: caisoKey(number),
				...statusOf(status),
				raw: raw(row),
				origins: origins(row),
			});
	}
	return requests;
}

function statusOf(status: Status): Pick<FiledRequest, "status" | "statusStd" | "evidence"> {
	const withdrawn = status === "Withdrawn";
	return {
		status: withdrawn ? "Withdrawn" : "Cluster 15",
		statusStd: status,
		// Which study the cluster is in is said nowhere in the file.
		evidence: { stage: "early", basis: withdrawn ? "published" : "active-only", contradictory: false },
	};
}

/** "Generation/Fuel" pairs of which the fuel gives the technology, and the generation another. */
const pairs = new Map(
	Object.entries({
		"combustion turbine/hydrogen": "Hydrogen",
		"storage/compressed air": "Compressed Air",
		"hydro/pumped-storage hydro": "Pumped Storage",
	}),
);

function request(
	row: Cell[],
	at: ReturnType<typeof columnsOf>,
	reading: Reading,
): Omit<FiledRequest, "number" | "statusStd" | "evidence" | "raw"> {
	const filed = at.fuels.flatMap((column) => known(row[column]) ?? []);
	const technology = (parts: readonly string[]) => (mapped: Record<string, string>) =>
		standardTechnology(parts.map((part) => pairs.get(fold(part)) ?? part).join("; ") || null, mapped);
	const typeStd = reading.found.technology("fuel", technology(filed));
	const components = at.fuels.flatMap((column, n) => {
		const part = known(row[column]);
		const capacityMw = megawatts(row[at.megawatts[n] ?? -1]);
		return part === null && capacityMw === null
			? []
			: [
					{
						typeStd: reading.found.technologyOf("fuel", technology(part === null ? [] : [part])).typeStd,
						capacityMw,
					},
				];
	});
	return {
		...unfiled,
		name: known(row[at.name]),
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi: known(row[at.poi]),
		utility: known(row[at.utility]),
		cluster: "C15",
		service: known(row[at.service]),
		type: filed.join("; ") || null,
		typeStd,
		capacityMw: megawatts(row[at.net]),
		components,
		queueDate: date(row[at.queueDate]),
		cod: date(row[at.cod]),
		withdrawnDate: date(row[at.withdrawn]),
	};
}
