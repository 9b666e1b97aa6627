/** CAISO's Cluster 15 of 2023: a workbook separate from the public queue report, with other columns. */
import type { Status } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { HeadedTable, hasSheets, type Table } from "#libs/files/table.ts";
import { type Cell, known, megawatts, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, type Extra, foldCase, isListRow } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { Component, FiledRequest, ParsedFile, Source } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";
import type { MappedWord } from "../../../sources/vocabulary.ts";
import { caisoKey, keepOnce } from "./queue.ts";

const url = "https://www.caiso.com/documents/cluster-15-interconnection-requests.xlsx";

export const caisoCluster15: Source = {
	feed: "caiso-cluster-15",
	region: "CAISO",
	title: "CAISO Cluster 15 interconnection requests (xlsx)",
	layout: { formats: "xlsx", verified: "2026-07-16" },
	publication: { title: "Cluster 15 requests", url, cadence: "as it changes" },
	// The list is published irregularly, so a month without a new one is normal.
	cadenceHours: 720,
	maxAgeHours: 1080,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	savedByHand: true,
	download: (http) => http.get(url, { conditional: true }),
	recognises: (file) => /^cluster\W?15\W.*request[\w-]*\.xlsx$/i.test(file.name) && isZip(file.bytes),
	isWorkbook: (sheets) => hasSheets(sheets, "cluster 15"),
	words: { fuel: "technology" },
	parse: async (file, mapped) => parseCluster15(await readWorkbook(file.bytes), mapped),
	key: caisoKey,
};

/** In order of precedence, in case a request is in both sheets. The name of the sheet is the only published status. */
const sheetStatuses: { sheet: string; status: Extract<Status, "Active" | "Withdrawn"> }[] = [
	{ sheet: "withdrawn", status: "Withdrawn" },
	{ sheet: "cluster 15", status: "Active" },
];

/** Reads the requests of both sheets. Throws `StructureError` if a sheet or column is missing. */
export function parseCluster15(sheets: Table[], mapped: readonly MappedWord[] = []): ParsedFile {
	const collector = new Collector(mapped);
	keepOnce(sheets, sheetStatuses, collector, readSheet);
	return collector.parsed({ publishedOn: null });
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
		name: table.column("Project Name"),
		fuels: [1, 2, 3].map((n) => table.column(`Generation/Fuel ${n}`)),
		megawatts: [1, 2, 3].map((n) => table.column(`NET MW ${n}`)),
	};
}

const fieldsOf = (
	table: HeadedTable,
	at: ReturnType<typeof columnsOf>,
	status: Extract<Status, "Active" | "Withdrawn">,
	collector: Collector,
): TableFields => ({
	queue_id: filed.by("number", filed.text(table.column("Queue Number")), (number) => number && caisoKey(number)),
	name: filed.text(at.name),
	county: filed.text(table.column("Project County")),
	state: filed.text(table.column("Project State")),
	poi: filed.text(table.column("POI")),
	utility: filed.text(table.column("PTO")),
	cluster: filed.from("list.constant", [], () => "C15"),
	service: filed.text(table.column("Service Type")),
	type: filed.from("caiso.fuels", at.fuels, filed.joined("; ")),
	type_std: filed.from("technology.tokens", [...at.fuels, at.name], (...cells) =>
		collector.technology("fuel", technology(filedFuels(cells.slice(0, -1)))),
	),
	status: filed.from("caiso.cluster_15", [], () => (status === "Withdrawn" ? "Withdrawn" : "Cluster 15")),
	status_std: filed.from("caiso.cluster_15", [], () => status),
	capacity_mw: filed.megawatts(table.column("NET MW POI")),
	components: filed.from("caiso.components", [...at.megawatts, ...at.fuels], (...cells) =>
		at.fuels.flatMap((_, n) => componentOf(cells[at.megawatts.length + n], cells[n], collector)),
	),
	queue_date: filed.day(table.column("Queue Date")),
	cod: filed.day(table.column("Requested COD")),
	withdrawn_date: filed.day(table.column("Withdrawal Date")),
});

function readSheet(
	sheet: Table,
	status: Extract<Status, "Active" | "Withdrawn">,
	collector: Collector,
): FiledRequest[] {
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
	const fields = fieldsOf(table, at, status, collector);
	const read = collector.rowsOf(table, fields, { extras });
	const requests: FiledRequest[] = [];
	// The file does not state which study the cluster is in.
	const evidence = {
		stage: "early",
		basis: status === "Withdrawn" ? "published" : "active-only",
		contradictory: false,
	} as const;
	for (const row of table.rows) {
		if (!isListRow(row)) continue;
		const number = fields.queue_id.read(row);
		if (number === null) collector.drop("no queue number", text(row[at.name]), "malformed");
		else requests.push({ ...read(row), number, evidence });
	}
	return requests;
}

/** "Generation/Fuel" pairs in which the fuel gives the technology, because the generation would give a different one. */
const pairs = new Map(
	Object.entries({
		"combustion turbine/hydrogen": "Hydrogen",
		"storage/compressed air": "Compressed Air",
		"hydro/pumped-storage hydro": "Pumped Storage",
	}),
);

const filedFuels = (fuels: readonly Cell[]): string[] => fuels.flatMap((fuel) => known(fuel) ?? []);

const technology = (parts: readonly string[]) => (mapped: Record<string, string>) =>
	standardTechnology(parts.map((part) => pairs.get(foldCase(part)) ?? part).join("; ") || null, mapped);

function componentOf(fuel: Cell, megawattsFiled: Cell, collector: Collector): Component[] {
	const parts = filedFuels([fuel]);
	const capacityMw = megawatts(megawattsFiled);
	if (parts.length === 0 && capacityMw === null) return [];
	return [{ typeStd: collector.technologyOf("fuel", technology(parts)).typeStd, capacityMw }];
}
