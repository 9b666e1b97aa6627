/** ISO New England's public queue (IRTT external report): all requests since 1996, including withdrawn and built ones. */
import type { RequestClass, RequestKind, StudyPhase } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number, text } from "#libs/files/values.ts";
import { Collector, dataRows, type Extra, foldCase } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Operator, ParsedFile, RawFile, Source } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { isQueueWorkbook, looksLikeQueue, readLayout } from "./isone/layout.ts";
import { isTrue, projectStatuses, type State, stateOf, statusLetters, studiesOf } from "./isone/state.ts";
import { isoneTechnology } from "./isone/technology.ts";

const extras: Extra[] = [
	{ header: "Sync Date", kind: "date" },
	{ header: "Zone", kind: "text" },
	{ header: "TO Report", kind: "text" },
	{ header: "Dev", kind: "text" },
	{ header: "FS", kind: "text" },
	{ header: "SIS", kind: "text" },
	{ header: "OS", kind: "text" },
	{ header: "FAC", kind: "text" },
	{ header: "Jurisdiction", kind: "text" },
];

/** Columns that are read for several fields, by the names of the export and the page; -1 for a column that the layout lacks. */
function columnsOf(table: HeadedTable) {
	return {
		// ISO-NE may update this timestamp without changing the request, so a new timestamp alone is not a change.
		updated: table.column("Updated"),
		unit: table.column("Unit"),
		type: table.column("Type"),
		name: table.column("Alternative Name"),
		county: table.column("County"),
		state: table.column("State", "ST"),
		poi: table.column("Interconnection Location", "POI"),
		service: table.column("Serv"),
		fuel: table.column("Fuel Type"),
		net: table.column("Net MW"),
		summer: table.column("Summer MW"),
		winter: table.column("Winter MW"),
		operation: table.column("Op Date"),
		withdrawn: table.column("W/ D Date", "W/D Date"),
		projectStatus: table.column("Project Status"),
		status: table.column("Status"),
		agreement: table.column("IA"),
		impactComplete: table.column("SIS Complete"),
		i39: table.column("I39"),
		feasibility: table.column("FS"),
		impact: table.column("SIS"),
		facilities: table.column("FAC"),
	};
}
type Columns = ReturnType<typeof columnsOf>;

/** Facts that follow from several columns of a row. */
interface Facts {
	kind: RequestKind | undefined;
	state: State;
	studyPhase: StudyPhase | null;
}

function fieldsOf(table: HeadedTable, at: Columns, collector: Collector): TableFields<Facts> {
	const status = [at.projectStatus, at.status, at.withdrawn];
	const standard = [...status, at.operation, at.updated, at.service];
	const studies = [at.agreement, at.facilities, at.impact, at.impactComplete, at.feasibility];
	return {
		queue_id: filed.by("number", filed.text(table.column("Position", "QP"))),
		unit: filed.unstated((_, row) => known(row[at.unit])),
		kind: filed.fact("isone.kind", [at.type], ({ kind }) => kind ?? "generation"),
		name: filed.text(at.name),
		county: filed.text(at.county),
		state: filed.text(at.state),
		poi: filed.text(at.poi),
		cluster: filed.text(table.column("Cluster")),
		service: filed.text(at.service),
		type: filed.text(at.fuel),
		type_std: filed.fact(
			"isone.technology",
			[at.fuel, at.type, at.unit, at.county, at.state, at.poi, at.net, at.summer, at.winter, at.name],
			({ kind }, row) => technologyOf(row, at, kind, collector),
		),
		status: filed.fact("isone.status", status, ({ state }) => state.status),
		status_std: filed.fact("isone.status", standard, ({ state }) => state.statusStd),
		status_basis: filed.fact(
			"isone.status",
			[...standard, ...studies],
			({ state, studyPhase }) => state.statusBasis ?? (studyPhase === null ? null : "milestone"),
		),
		capacity_mw: filed.from("isone.capacity", [at.net, at.summer, at.winter], capacityOf),
		request_class: filed.from("isone.request_class", [at.net, at.service, at.poi], classOf),
		incremental_mw: filed.from("isone.incremental", [at.net], toHundredths),
		summer_mw: filed.from("isone.capacity", [at.summer], megawattsOf),
		winter_mw: filed.from("isone.capacity", [at.winter], megawattsOf),
		queue_date: filed.day(table.column("Requested")),
		cod: filed.day(at.operation),
		actual_cod: filed.fact("isone.actual_cod", standard, ({ state }, row) =>
			state.statusStd === "Operational" ? date(row[at.operation]) : null,
		),
		withdrawn_date: filed.day(at.withdrawn),
		study_phase: filed.fact("isone.study_phase", [...studies, ...standard], ({ studyPhase }) => studyPhase),
		ia_status_filed: filed.text(at.agreement),
	};
}

/** ETU: elective transmission upgrade. TS: transmission service. */
const kinds: ReadonlyMap<string, RequestKind> = new Map([
	["g", "generation"],
	["etu", "transmission"],
	["ts", "transmission"],
]);

/** "Chazy Lake BESS (NYISO-C24-308)": the request is in New York's queue; ISO-NE lists it because it requests capacity in New England. */
const nyisoName = /\((NYISO-[\w-]+|QP\d+ in NYISO Queue)\)/i;

function technologyOf(row: readonly Cell[], at: Columns, kind: RequestKind | undefined, collector: Collector): string {
	const facts = {
		transmission: kind === "transmission",
		fuel: known(row[at.fuel]),
		unit: known(row[at.unit]),
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi: known(row[at.poi]),
		megawatts: Math.max(
			capacityOf(row[at.net], row[at.summer], row[at.winter]) ?? 0,
			megawattsOf(row[at.summer]) ?? 0,
			megawattsOf(row[at.winter]) ?? 0,
		),
	};
	return collector.technology("type", (mapped) => isoneTechnology(facts, mapped));
}

/** Rounds to hundredths, as on the page. The workbook stores 16.42 in single precision, as 16.4199…, which is the same capacity. */
function toHundredths(cell: Cell): number | null {
	const value = number(cell);
	return value === null ? null : Math.round(value * 100) / 100;
}

const megawattsOf = (cell: Cell): number | null => megawatts(toHundredths(cell));

/** A net capacity of 0 is valid: such a request is for capacity service for a plant whose megawatts are in another request. */
function capacityOf(net: Cell, summer: Cell, winter: Cell): number | null {
	return toHundredths(net) === null ? (megawattsOf(summer) ?? megawattsOf(winter)) : megawattsOf(net);
}

/** Examples: "Park City Offshore Wind CNR" (0 MW net); "Millstone 3 Upgrade" ("Increase Existing Unit Capacity", with the MW of the whole unit). */
function classOf(net: Cell, service: Cell, poi: Cell): RequestClass {
	const mw = toHundredths(net);
	if (mw === 0) return known(service) === "CNR" ? "capacity_rights" : "modification";
	return mw === null && /existing unit/i.test(known(poi) ?? "") ? "modification" : "new";
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const { table, ...day } = await readLayout(file);
	const at = columnsOf(table);
	const collector = new Collector(mapped);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras, sheet: isZip(file.bytes) });
	for (const row of dataRows(table)) {
		const position = fields.queue_id.read(row);
		const name = known(row[at.name]);
		if (position === null) collector.drop("no position", name, "malformed");
		else if (name !== null && nyisoName.test(name)) collector.drop("request of NYISO's queue", position);
		else {
			const flags: Record<string, string> = {};
			if (isTrue(row[at.impactComplete])) flags["SIS Complete"] = "true";
			if (isTrue(row[at.i39])) flags.I39 = "true";
			const kind = kinds.get(foldCase(collector.word("request_type", text(row[at.type]), kinds)));
			const state = stateOf(row, at, collector);
			const { studyPhase, evidence } = studiesOf(row, at, state, collector);
			const request = read(row, { kind, state, studyPhase });
			collector.keep({ ...request, number: position, evidence, raw: { ...flags, ...request.raw } });
		}
	}
	return collector.parsed(day);
}

const url = "https://irtt.iso-ne.com/reports/external";

export const isone: Source = {
	feed: "isone",
	region: "ISO-NE",
	title: "ISO-NE public queue (IRTT external report)",
	layout: { formats: "xlsx, HTML, CSV, JSON", verified: "2026-06-29" },
	publication: { title: "Interconnection request queue", url },
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes: 16 * 1024 * 1024,
	coverage: "all-status",
	firstList: { rows: [1_200, 4_000], states: 6, statuses: ["Active", "Withdrawn", "Operational"] },
	download: (http) => http.get(url, { conditional: true }),
	recognises: looksLikeQueue,
	isWorkbook: isQueueWorkbook,
	words: { request_type: kinds, status: projectStatuses, status_letter: statusLetters, type: "technology" },
	parse,
	/** Spreadsheets turn 517 into "0517" or "517.0". */
	key: (position) =>
		position
			.trim()
			.toUpperCase()
			.replace(/\.0$/, "")
			.replace(/^0+(?=\d)/, ""),
};

export const operator: Operator = {
	publisher: "ISO New England",
	licence: "Published for the public; ISO New England asserts copyright: facts are republished with attribution",
	states: ["CT", "MA", "ME", "NH", "RI", "VT"],
	filesTowns: true,
	lists: [isone],
};
