/**
 * Berkeley Lab's "Queued Up" data file (CC BY 4.0): the requests of all operators and some fifty utilities, once a year. Used for history
 * and comparison of the operators' own requests; the requests of utilities are lists of their own, which are parts of the file.
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

/** Identity (a q_id is unique within its entity only), status, place, technology and size. */
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

const fieldsOf = (table: HeadedTable, at: Columns, found: Collector): TableFields<Facts> => ({
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
		// Since the 2025 edition, parts use Berkeley Lab's codes; before, the operators'.
		technologyOf(label, table.column("type_1") < 0 ? [] : types, found),
	),
	status: filed.word(at.status),
	status_std: filed.fact("lbnl.status", [at.status], ({ statusStd }) => statusStd ?? "Unknown"),
	status_basis: filed.unstated(() => "other_source"),
	capacity_mw: filed.from("lbnl.capacity", at.sizes, largest),
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

/** Fields of a request in a utility's queue that differ from those of other rows. */
const utilityFields = (at: Columns, found: Collector): Partial<TableFields<Facts>> => ({
	kind: filed.unstated(() => "utility"),
	utility: filed.by("lbnl.entity", filed.text(at.entity), (entity) => entity && entityOf(entity)),
	type_std: filed.from("lbnl.technology", [at.type, ...at.types], (label, ...types) =>
		technologyOf(label, types, found),
	),
	components: filed.from("lbnl.components", [...at.types, ...at.sizes], (...cells) =>
		at.types.flatMap((_, part): Component[] => {
			const type = known(cells[part]);
			const { typeStd } = standardTechnology(type);
			return type === null ? [] : [{ typeStd, capacityMw: megawatts(cells[at.types.length + part]) }];
		}),
	),
});

/** The technology follows from the parts, unless one of them is unknown or they contain only "Other". */
function technologyOf(label: Cell, types: Cell[], found: Collector): string {
	const parts = filed.joined("; ")(...types);
	const { typeStd, unknown } = found.technologyOf("type", (mapped) => standardTechnology(parts, mapped));
	if (parts !== null && unknown.length === 0 && typeStd !== "Other") return typeStd;
	return found.technology("type", (mapped) => standardTechnology(known(label), mapped));
}

const firstDate = (day: Cell, year: Cell): string | null => lbnlDate(day) ?? lbnlDate(year);

/** The parts of a hybrid share one connection: their sum would overstate what it may inject. */
function largest(...sizes: Cell[]): number | null {
	const stated = sizes.map(megawatts).filter((size) => size !== null);
	return stated.length === 0 ? null : Math.max(...stated);
}

function meaningOf(row: Cell[], at: Columns, found: Collector) {
	const clean = known(row[at.phase]);
	// The 2020 edition's lists of withdrawn and completed requests contain only the operators' words.
	const word = at.phase < 0 ? known(row[at.phaseRaw]) : clean;
	return phaseMeanings.get(foldCase(word === null ? null : found.word("ia_phase", word, phaseMeanings)));
}

/** Values that, with the number, identify a row: entity, region and FIPS codes, spelled alike for all editions. The record has no fields for them, so they are kept in `raw`. */
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

/** "West (non-ISO)" until 2024, "West" since; the 2020 lists of finished requests contain only operators' requests and name no region. */
const regionOf = (row: Cell[], at: Columns): string | undefined =>
	known(row[at.region])?.replace(/ \(non-ISO\)$/i, "") ?? regions.find((name) => name === known(row[at.entity]));

/** Tables by file bytes, because all lists of an edition are read from the same tables. */
const tableCache = new WeakMap<Uint8Array, Promise<Table[]>>();

function requestTables(file: RawFile): Promise<Table[]> {
	const tables = tableCache.get(file.bytes) ?? readTables(file);
	tableCache.set(file.bytes, tables);
	return tables;
}

/** The tables of requests: one sheet since 2024, three in 2020, or the CSV file itself. */
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

/** `only`: reads only the requests of utilities in this region. */
async function readEdition(
	file: RawFile,
	mapped: readonly MappedWord[] = [],
	only?: UtilityRegion,
): Promise<ParsedFile> {
	const found = new Collector(mapped);
	for (const sheet of await requestTables(file)) {
		const table = new HeadedTable(sheet, required);
		const at = columnsOf(table);
		const fields = { ...fieldsOf(table, at, found), ...(only && utilityFields(at, found)) };
		const read = found.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
		for (const row of dataRows(table)) {
			if (only !== undefined && utilityRegionOf(known(row[at.entity]), regionOf(row, at)) !== only) continue;
			const number = fields.queue_id.read(row);
			if (number === null) found.drop("no q_id", known(row[at.name]));
			else {
				const status = known(row[at.status]);
				const word = status === null ? null : found.word("status", status, statusMeanings);
				const statusStd = statusMeanings.get(foldCase(word));
				const meaning = meaningOf(row, at, found);
				const request = read(row, { statusStd, studyPhase: meaning?.phase ?? null });
				const evidence = { stage: meaning?.stage ?? "early", basis: "lbnl", contradictory: false } as const;
				found.keep({ ...request, number, evidence, raw: { ...request.raw, ...identityOf(row, at) } });
			}
		}
	}
	return found.parsed({ publishedOn: null });
}

/** The 2026 edition holds 38,000 requests and 43 sheets in 15 MB. */
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

/** The requests of a region's utilities, a part of each edition. `own`: the key of the utility's own list, if it publishes one. */
export function lbnlUtilities(region: UtilityRegion, own?: Source["key"]): Source {
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
		...(own ? { key: own } : { numbersByUtility: true }),
	};
}
