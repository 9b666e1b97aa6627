/** ISO New England's public queue (IRTT external report): all requests since 1996, kept when they are withdrawn or built. */
import type { RequestKind } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number, text } from "#libs/files/values.ts";
import { Collector, dataRows, type Extra, fold, rawReader } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import type { FiledRequest, Operator, ParsedFile, RawFile, Source } from "../../sources/source.ts";
import { unfiled } from "../../sources/unfiled.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { isQueueWorkbook, looksLikeQueue, readLayout } from "./isone-layout.ts";
import { isTrue, projectStatuses, stateOf, statusLetters, studiesOf } from "./isone-state.ts";
import { isoneTechnology } from "./isone-technology.ts";

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

/** Where the columns stand, by the export's names with the page's; -1 for one that a layout lacks. */
function columnsOf(table: HeadedTable) {
	return {
		// A time stamp that changes without anything else changing: it alone is no change.
		updated: table.column("Updated"),
		number: table.column("Position", "QP"),
		unit: table.column("Unit"),
		type: table.column("Type"),
		name: table.column("Alternative Name"),
		county: table.column("County"),
		state: table.column("State", "ST"),
		poi: table.column("Interconnection Location", "POI"),
		cluster: table.column("Cluster"),
		service: table.column("Serv"),
		fuel: table.column("Fuel Type"),
		net: table.column("Net MW"),
		summer: table.column("Summer MW"),
		winter: table.column("Winter MW"),
		requested: table.column("Requested"),
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

const cellsOf = (at: Columns): cells.FieldsOfTable => {
	const status = [at.projectStatus, at.status, at.withdrawn];
	const standard = [...status, at.operation, at.updated, at.service];
	const studies = [at.agreement, at.facilities, at.impact, at.impactComplete, at.feasibility];
	return {
		queue_id: cells.by("number", cells.text(at.number)),
		kind: cells.together("isone.kind", at.type),
		name: cells.text(at.name),
		county: cells.text(at.county),
		state: cells.text(at.state),
		poi: cells.text(at.poi),
		cluster: cells.text(at.cluster),
		service: cells.text(at.service),
		type: cells.text(at.fuel),
		type_std: cells.together(
			"isone.technology",
			...[at.fuel, at.type, at.unit, at.county, at.state, at.poi, at.net, at.summer, at.winter, at.name],
		),
		status: cells.together("isone.status", ...status),
		status_std: cells.together("isone.status", ...standard),
		status_basis: cells.together("isone.status", ...standard, ...studies),
		capacity_mw: cells.together("isone.capacity", at.net, at.summer, at.winter),
		summer_mw: cells.together("isone.capacity", at.summer),
		winter_mw: cells.together("isone.capacity", at.winter),
		queue_date: cells.day(at.requested),
		cod: cells.day(at.operation),
		actual_cod: cells.together("isone.actual_cod", ...standard),
		withdrawn_date: cells.day(at.withdrawn),
		study_phase: cells.together("isone.study_phase", ...studies, ...standard),
		ia_status_filed: cells.text(at.agreement),
	};
};

/** ETU: elective transmission upgrade. TS: transmission service. */
const kinds: ReadonlyMap<string, RequestKind> = new Map([
	["g", "generation"],
	["etu", "transmission"],
	["ts", "transmission"],
]);

/** "Chazy Lake BESS (NYISO-C24-308)": New York's queue holds the request; ISO-NE lists it because it asks for capacity here. */
const mirrored = /\((NYISO-[\w-]+|QP\d+ in NYISO Queue)\)/i;

function parseRow(row: Cell[], at: Columns, position: string, found: Collector): Omit<FiledRequest, "raw"> {
	const kind = kinds.get(fold(found.word("request_type", text(row[at.type]), kinds)));
	const state = stateOf(row, at, found);
	const studies = studiesOf(row, at, state, found);
	const capacity = capacityOf(row, at);
	const facts = {
		transmission: kind === "transmission",
		fuel: known(row[at.fuel]),
		unit: known(row[at.unit]),
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi: known(row[at.poi]),
		megawatts: Math.max(capacity.capacityMw ?? 0, capacity.summerMw ?? 0, capacity.winterMw ?? 0),
	};
	const typeStd = found.technology("type", (mapped) => isoneTechnology(facts, mapped));
	return {
		...unfiled,
		number: position,
		unit: known(row[at.unit]),
		kind: kind ?? "generation",
		name: known(row[at.name]),
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi: known(row[at.poi]),
		cluster: known(row[at.cluster]),
		service: known(row[at.service]),
		type: known(row[at.fuel]),
		typeStd,
		...capacity,
		queueDate: date(row[at.requested]),
		cod: date(row[at.operation]),
		actualCod: state.statusStd === "Operational" ? date(row[at.operation]) : null,
		withdrawnDate: date(row[at.withdrawn]),
		iaStatusFiled: known(row[at.agreement]),
		status: state.status,
		statusStd: state.statusStd,
		statusBasis: state.statusBasis ?? (studies.studyPhase === null ? null : "milestone"),
		...studies,
	};
}

/** A stated net of 0 is meant: capacity service for a plant whose megawatts stand in another request. */
/** In hundredths, as the page states them: the workbook holds 16.42 as a single-precision 16.4199…, which is no other capacity. */
function capacityOf(row: Cell[], at: Columns) {
	const hundredths = (cell: Cell) => {
		const value = number(cell);
		return value === null ? null : Math.round(value * 100) / 100;
	};
	const summerMw = megawatts(hundredths(row[at.summer]));
	const winterMw = megawatts(hundredths(row[at.winter]));
	const net = hundredths(row[at.net]);
	return { capacityMw: net === null ? (summerMw ?? winterMw) : megawatts(net), summerMw, winterMw };
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const { table, publishedOn } = await readLayout(file);
	const at = columnsOf(table);
	const raw = rawReader(table, extras);
	const found = new Collector(mapped);
	const rows = dataRows(table);
	const origins = found.rowsOf(table, cellsOf(at), { sheet: isZip(file.bytes) });
	for (const row of rows) {
		const position = known(row[at.number]);
		const name = known(row[at.name]);
		if (position === null) found.drop("no position", name, "malformed");
		else if (name !== null && mirrored.test(name)) found.drop("request of NYISO's queue", position);
		else {
			const flags: Record<string, string> = {};
			if (isTrue(row[at.impactComplete])) flags["SIS Complete"] = "true";
			if (isTrue(row[at.i39])) flags.I39 = "true";
			found.keep({ ...parseRow(row, at, position, found), raw: { ...flags, ...raw(row) }, origins: origins(row) });
		}
	}
	return found.parsed({ publishedOn, rowsIn: rows.length, unknownColumns: table.leftovers() });
}

const url = "https://irtt.iso-ne.com/reports/external";
const maxBytes = 16 * 1024 * 1024;

export const isone: Source = {
	feed: "isone",
	region: "ISO-NE",
	title: "ISO-NE public queue (IRTT external report)",
	publication: { title: "Interconnection request queue", url },
	cadenceHours: 24,
	maxAgeHours: 48,
	maxBytes,
	coverage: "all-status",
	download: (http) => http.get(url, { conditional: true, maxBytes }),
	recognises: looksLikeQueue,
	isWorkbook: isQueueWorkbook,
	words: { request_type: kinds, status: projectStatuses, status_letter: statusLetters, type: "technology" },
	parse,
	/** A spreadsheet number: "0517" and "517.0" are 517. */
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
