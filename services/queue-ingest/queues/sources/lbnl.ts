/**
 * Berkeley Lab's "Queued Up" data file (CC BY 4.0): the requests of all operators and some fifty utilities, once a year. Requests of operators
 * are used for history and comparison; requests of utilities are ingested as separate lists, each a part of the file.
 */
import { regions, type Status, type StudyPhase, type utilityQueues } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, known, megawatts } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, dataRows, type Extra, foldCase } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Component, ParsedFile, RawFile, Source } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import { standardTechnology } from "../../sources/technology.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import {
	entityOf,
	fipsCodes,
	lbnlDate,
	numberOf,
	phaseMeanings,
	statusMeanings,
	utilityRegionOf,
} from "./lbnl/values.ts";

/** Columns for identity (a q_id is unique only within its entity), status, place, technology and size. */
const required = [["q_id"], ["q_status"], ["entity"], ["state"], ["type_clean"], ["mw_1", "mw1"]];

const extras: Extra[] = [
	{ header: "project_type", kind: "text" },
	{ header: "type_1", names: ["type1"], kind: "text" },
	{ header: "type_2", names: ["type2"], kind: "text" },
	{ header: "type_3", names: ["type3"], kind: "text" },
	{ header: "mw_1", names: ["mw1"], kind: "number" },
	{ header: "mw_2", names: ["mw2"], kind: "number" },
	{ header: "mw_3", names: ["mw3"], kind: "number" },
	{ header: "mw_total", kind: "number" },
	{ header: "county_state_pairs", kind: "text" },
	{ header: "wd_reason", kind: "text" },
];

/** Positions of the columns, each found by any of its names from 2020 to 2026; -1 for a column that the edition lacks. */
function columnsOf(table: HeadedTable) {
	// LBNL derives these from the dates.
	table.ignore("wd_year", "on_year", "days_in_q");
	return {
		entity: table.column("entity"),
		status: table.column("q_status"),
		phase: table.column("IA_phase_clean", "IA_status_clean"),
		phaseRaw: table.column("IA_phase_raw", "IA_status_raw", "ia_status"),
		name: table.column("project_name"),
		counties: [table.column("county", "county_1"), table.column("county_2"), table.column("county_3")],
		fips: table.column("fips_code", "fips_codes"),
		region: table.column("region"),
		type: table.column("type_clean"),
		types: [table.column("type_1", "type1"), table.column("type_2", "type2"), table.column("type_3", "type3")],
		sizes: [table.column("mw_1", "mw1"), table.column("mw_2", "mw2"), table.column("mw_3", "mw3")],
	};
}
type Columns = ReturnType<typeof columnsOf>;

/** Facts that follow from the study phase and the status of a row. */
interface Facts {
	statusStd: Status | undefined;
	studyPhase: StudyPhase | null;
}

const fieldsOf = (table: HeadedTable, at: Columns, collector: Collector): TableFields<Facts> => ({
	queue_id: filed.by("number", filed.text(table.column("q_id")), numberOf),
	unit: filed.unstated((_, row) => known(row[at.entity])),
	name: filed.text(at.name),
	developer: filed.by("text", filed.text(table.column("developer")), (name) => (name === "Masked" ? null : name)),
	county: filed.from("county.register", at.counties, filed.joined(", ")),
	state: filed.text(table.column("state")),
	poi: filed.text(table.column("poi_name")),
	utility: filed.text(table.column("utility")),
	cluster: filed.text(table.column("cluster")),
	service: filed.text(table.column("service")),
	type: filed.text(at.type),
	type_std: filed.from("lbnl.technology", [at.type, ...at.types], (label, ...types) =>
		// Since the 2025 edition, parts have Berkeley Lab's codes. In earlier editions they have the operators' codes, which are not read.
		technologyOf(label, table.column("type_1") < 0 ? [] : types, collector),
	),
	status: filed.word(at.status),
	status_std: filed.fact("lbnl.status", [at.status], ({ statusStd }) => statusStd ?? "Unknown"),
	status_basis: filed.unstated(() => "other_source"),
	capacity_mw: filed.from("lbnl.capacity", at.sizes, largestSize),
	queue_date: filed.from("lbnl.day", [table.column("q_date", "q_date_clean"), table.column("q_year")], firstDate),
	cod: filed.from(
		"lbnl.day",
		[table.column("prop_date", "proposed_on_date"), table.column("prop_year", "proposed_on_year")],
		firstDate,
	),
	actual_cod: filed.from("lbnl.day", [table.column("on_date")], lbnlDate),
	withdrawn_date: filed.from("lbnl.day", [table.column("wd_date")], lbnlDate),
	ia_date: filed.from("lbnl.day", [table.column("ia_date")], lbnlDate),
	study_phase: filed.fact(
		"lbnl.study_phase",
		[at.phase < 0 ? at.phaseRaw : at.phase, at.status],
		({ statusStd, studyPhase }) => (statusStd === "Withdrawn" ? null : studyPhase),
	),
	ia_status_filed: filed.text(at.phaseRaw, at.phase),
});

/** Fields that are read differently for a request in a utility's queue. */
const utilityFields = (at: Columns, collector: Collector): Partial<TableFields<Facts>> => ({
	kind: filed.unstated(() => "utility"),
	utility: filed.by("lbnl.entity", filed.text(at.entity), (entity) => entity && entityOf(entity)),
	type_std: filed.from("lbnl.technology", [at.type, ...at.types], (label, ...types) =>
		technologyOf(label, types, collector),
	),
	components: filed.from("lbnl.components", [...at.types, ...at.sizes], (...cells) =>
		at.types.flatMap((_, part): Component[] => {
			const type = known(cells[part]);
			const { typeStd } = standardTechnology(type);
			return type === null ? [] : [{ typeStd, capacityMw: megawatts(cells[at.types.length + part]) }];
		}),
	),
});

/** Derives the technology from the parts, or from the label if a part is unknown or all parts are "Other". */
function technologyOf(label: Cell, types: Cell[], collector: Collector): string {
	const parts = filed.joined("; ")(...types);
	const { typeStd, unknown } = collector.technologyOf("type", (mapped) => standardTechnology(parts, mapped));
	if (parts !== null && unknown.length === 0 && typeStd !== "Other") return typeStd;
	return collector.technology("type", (mapped) => standardTechnology(known(label), mapped));
}

const firstDate = (day: Cell, year: Cell): string | null => lbnlDate(day) ?? lbnlDate(year);

/** The parts of a hybrid share one connection, so their sum would overstate what the hybrid may inject. */
function largestSize(...sizes: Cell[]): number | null {
	const stated = sizes.map(megawatts).filter((size) => size !== null);
	return stated.length === 0 ? null : Math.max(...stated);
}

function meaningOf(row: Cell[], at: Columns, collector: Collector) {
	const clean = known(row[at.phase]);
	// The 2020 edition's lists of withdrawn and completed requests contain only the operators' values.
	const word = at.phase < 0 ? known(row[at.phaseRaw]) : clean;
	return phaseMeanings.get(foldCase(word === null ? null : collector.word("ia_phase", word, phaseMeanings)));
}

/** Values that identify a row together with its number, spelled the same in all editions. The record has no fields for them, so they are kept in `raw`. */
function identityOf(row: Cell[], at: Columns): Record<string, string> {
	const identity: Record<string, string> = {};
	const entity = known(row[at.entity]);
	const region = regionOf(row, at);
	const fips = fipsCodes(row[at.fips]);
	if (entity !== null) identity.entity = entity;
	if (region !== undefined) identity.region = region;
	if (fips !== null) identity.fips = fips;
	return identity;
}

/** "West (non-ISO)" until 2024, "West" since then. The 2020 lists of finished requests name no region, but contain only operators' requests. */
const regionOf = (row: Cell[], at: Columns): string | undefined =>
	known(row[at.region])?.replace(/ \(non-ISO\)$/i, "") ?? regions.find((name) => name === known(row[at.entity]));

/** Caches the tables of a file, because all lists of an edition are read from the same tables. */
const tableCache = new WeakMap<Uint8Array, Promise<Table[]>>();

function requestTables(file: RawFile): Promise<Table[]> {
	const tables = tableCache.get(file.bytes) ?? readTables(file);
	tableCache.set(file.bytes, tables);
	return tables;
}

/** Reads the tables of requests: one sheet since 2024, three sheets in 2020, or the CSV file itself. */
async function readTables(file: RawFile): Promise<Table[]> {
	if (!isZip(file.bytes)) return [readCsv(file.bytes, file.name)];
	const sheets = await readWorkbook(file.bytes, { maxInflatedBytes });
	const complete = sheets.filter((sheet) => /complete queue data/i.test(sheet.name));
	if (complete.length > 0) return complete;
	const lists = sheets.filter((sheet) => ["active", "withdrawn", "completed"].includes(headerKey(sheet.name)));
	if (lists.length === 3) return lists;
	throw new StructureError(
		`${file.name}: has neither a sheet "Complete Queue Data" nor the sheets "active", "withdrawn" and "completed" of the 2020 edition`,
	);
}

type UtilityRegion = (typeof utilityQueues)[number];

/** With a `utilityRegion`, reads only the requests of utilities in that region. */
async function readEdition(
	file: RawFile,
	mapped: readonly MappedWord[] = [],
	utilityRegion?: UtilityRegion,
): Promise<ParsedFile> {
	const collector = new Collector(mapped);
	for (const sheet of await requestTables(file)) {
		const table = new HeadedTable(sheet, required);
		const at = columnsOf(table);
		const fields = { ...fieldsOf(table, at, collector), ...(utilityRegion && utilityFields(at, collector)) };
		const read = collector.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
		for (const row of dataRows(table)) {
			if (utilityRegion !== undefined && utilityRegionOf(known(row[at.entity]), regionOf(row, at)) !== utilityRegion)
				continue;
			const number = fields.queue_id.read(row);
			if (number === null) collector.drop("no q_id", known(row[at.name]));
			else {
				const status = known(row[at.status]);
				const word = status === null ? null : collector.word("status", status, statusMeanings);
				const statusStd = statusMeanings.get(foldCase(word));
				const meaning = meaningOf(row, at, collector);
				const request = read(row, { statusStd, studyPhase: meaning?.phase ?? null });
				const evidence = { stage: meaning?.stage ?? "early", basis: "lbnl", contradictory: false } as const;
				collector.keep({ ...request, number, evidence, raw: { ...request.raw, ...identityOf(row, at) } });
			}
		}
	}
	return collector.parsed({ publishedOn: null });
}

/** The 2026 edition has 38,000 requests and 43 sheets in 15 MB. */
const maxInflatedBytes = 256 * 1024 * 1024;

export const lbnl: Source = {
	feed: "lbnl",
	region: null,
	title: "LBNL Queued Up (complete queue data)",
	layout: { formats: "xlsx, CSV", verified: "2024" },
	cadenceHours: 8760,
	maxAgeHours: 9600,
	maxBytes: 64 * 1024 * 1024,
	coverage: "all-status",
	isWorkbook: (sheets) => sheets.some((sheet) => isHeaded(sheet, required)),
	recognises(file) {
		if (isZip(file.bytes)) return /lbnl|queued[-_ ]?up/i.test(file.name);
		const headers = csvHeaderNames(file.bytes);
		return required.every((names) => names.some((name) => headers.has(name)));
	},
	words: { status: statusMeanings, ia_phase: phaseMeanings, type: "technology" },
	parse: readEdition,
	key: (number) => number.trim().toUpperCase(),
};

/** Requests of a region's utilities, which are part of each edition. `ownListKey` makes keys as the utility's own list does, if there is one. */
export function lbnlUtilities(region: UtilityRegion, ownListKey?: Source["key"]): Source {
	return {
		...lbnl,
		feed: `lbnl-${region.toLowerCase()}`,
		region,
		utility: "utility",
		partOf: lbnl.feed,
		title: `LBNL Queued Up, utilities' requests (${region})`,
		publication: {
			title: "Queued Up",
			publisher: "Lawrence Berkeley National Laboratory",
			url: "https://emp.lbl.gov/queues",
			cadence: "yearly",
			licence: "CC BY 4.0",
		},
		parse: (file, mapped) => readEdition(file, mapped, region),
		...(ownListKey ? { key: ownListKey } : { numbersByUtility: true }),
	};
}
