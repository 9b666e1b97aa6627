/**
 * Berkeley Lab's "Queued Up" data file (CC BY 4.0): the requests of all operators and some fifty utilities, once a year. The only source for
 * the West and Southeast; for the operators' own requests, history and comparison.
 */
import { regions } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, headerKey, isHeaded, type Table } from "#libs/files/table.ts";
import { type Cell, known, megawatts, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { Collector, dataRows, type Extra, fold, rawReader } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import type { FiledRequest, ParsedFile, RawFile, Source } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";
import type { MappedWord } from "../../sources/vocabulary.ts";
import { lbnlDate, phaseMeanings, statusMeanings } from "./lbnl-values.ts";

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

/** Where the columns stand, by the names of the 2026 edition with those since 2020; -1 for one that an edition lacks. */
function columnsOf(table: HeadedTable) {
	// What LBNL derives from the dates.
	table.ignore("wd_year", "on_year", "days_in_q");
	return {
		number: table.column("q_id"),
		entity: table.column("entity"),
		status: table.column("q_status"),
		queueDate: table.column("q_date", "q_date_clean"),
		queueYear: table.column("q_year"),
		agreementDate: table.column("ia_date"),
		withdrawnDate: table.column("wd_date"),
		operationDate: table.column("on_date"),
		proposedDate: table.column("prop_date", "proposed_on_date"),
		proposedYear: table.column("prop_year", "proposed_on_year"),
		phase: table.column("IA_phase_clean", "IA_status_clean"),
		phaseRaw: table.column("IA_phase_raw", "IA_status_raw", "ia_status"),
		name: table.column("project_name"),
		developer: table.column("developer"),
		utility: table.column("utility"),
		counties: [table.column("county", "county_1"), table.column("county_2"), table.column("county_3")],
		fips: table.column("fips_code", "fips_codes"),
		state: table.column("state"),
		region: table.column("region"),
		poi: table.column("poi_name"),
		service: table.column("service"),
		cluster: table.column("cluster"),
		type: table.column("type_clean"),
		sizes: [table.column("mw_1", "mw1"), table.column("mw_2", "mw2"), table.column("mw_3", "mw3")],
	};
}
type Columns = ReturnType<typeof columnsOf>;

const cellsOf = (at: Columns): cells.FieldsOfTable => ({
	queue_id: cells.by("number", cells.text(at.number)),
	name: cells.text(at.name),
	developer: cells.text(at.developer),
	county: cells.together("county.register", ...at.counties),
	state: cells.text(at.state),
	poi: cells.text(at.poi),
	utility: cells.text(at.utility),
	cluster: cells.text(at.cluster),
	service: cells.text(at.service),
	type: cells.text(at.type),
	type_std: cells.together("technology.tokens", at.type),
	status: cells.text(at.status),
	status_std: cells.together("lbnl.status", at.status),
	capacity_mw: cells.together("lbnl.capacity", ...at.sizes),
	queue_date: cells.together("lbnl.day", at.queueDate, at.queueYear),
	cod: cells.together("lbnl.day", at.proposedDate, at.proposedYear),
	actual_cod: cells.together("lbnl.day", at.operationDate),
	withdrawn_date: cells.together("lbnl.day", at.withdrawnDate),
	ia_date: cells.together("lbnl.day", at.agreementDate),
	study_phase: cells.together("lbnl.study_phase", at.phase < 0 ? at.phaseRaw : at.phase, at.status),
	ia_status_filed: cells.text(at.phaseRaw, at.phase),
});

function parseRow(row: Cell[], at: Columns, number: string, found: Collector): Omit<FiledRequest, "raw"> {
	const status = known(row[at.status]);
	const statusStd = statusMeanings.get(fold(found.word("status", status, statusMeanings)));
	const type = known(row[at.type]);
	const typeStd = found.technology("type", (mapped) => standardTechnology(type, mapped));
	const counties = at.counties.map((column) => known(row[column])).filter((county) => county !== null);
	const actualCod = lbnlDate(row[at.operationDate]);
	return {
		...unfiled,
		number,
		unit: known(row[at.entity]),
		name: known(row[at.name]),
		developer: known(row[at.developer]),
		county: counties.length > 0 ? counties.join(", ") : null,
		state: known(row[at.state]),
		poi: known(row[at.poi]),
		utility: known(row[at.utility]),
		cluster: known(row[at.cluster]),
		service: known(row[at.service]),
		type,
		typeStd,
		status,
		statusStd: statusStd ?? "Active",
		statusBasis: "other_source",
		capacityMw: largest(at.sizes.map((column) => megawatts(row[column]))),
		queueDate: lbnlDate(row[at.queueDate]) ?? lbnlDate(row[at.queueYear]),
		cod: lbnlDate(row[at.proposedDate]) ?? lbnlDate(row[at.proposedYear]),
		actualCod,
		withdrawnDate: lbnlDate(row[at.withdrawnDate]),
		iaDate: lbnlDate(row[at.agreementDate]),
		...studiesOf(row, at, statusStd === "Withdrawn", found),
	};
}

/** The parts of a hybrid share one connection: their sum would overstate what it may inject. */
function largest(sizes: (number | null)[]): number | null {
	return sizes.reduce((most, size) => (size !== null && (most === null || size > most) ? size : most), null);
}

function studiesOf(
	row: Cell[],
	at: Columns,
	withdrawn: boolean,
	found: Collector,
): Pick<FiledRequest, "iaStatusFiled" | "studyPhase" | "evidence"> {
	const clean = known(row[at.phase]);
	const iaStatusFiled = known(row[at.phaseRaw]) ?? clean;
	// The 2020 edition's lists of withdrawn and completed requests carry the operators' words only.
	const word = at.phase < 0 ? iaStatusFiled : clean;
	const meaning = phaseMeanings.get(fold(word === null ? null : found.word("ia_phase", word, phaseMeanings)));
	return {
		iaStatusFiled,
		studyPhase: withdrawn ? null : (meaning?.phase ?? null),
		evidence: { stage: meaning?.stage ?? "early", basis: "lbnl", contradictory: false },
	};
}

/** What identifies a row beside its number, and has no field of its own: keys that stay the same in all editions. */
function identityOf(row: Cell[], at: Columns): Record<string, string> {
	const identity: Record<string, string> = {};
	const entity = known(row[at.entity]);
	// "West (non-ISO)" until 2024, "West" since; the 2020 lists of finished requests hold operators only and name no region.
	const region = known(row[at.region])?.replace(/ \(non-ISO\)$/i, "") ?? regions.find((name) => name === entity);
	const fips = fipsCodes(row[at.fips]);
	if (entity !== null) identity.entity = entity;
	if (region !== undefined) identity.region = region;
	if (fips !== null) identity.fips = fips;
	return identity;
}

/** Stored as numbers, which lose the leading zero: "1001, 48371" is "01001, 48371". */
function fipsCodes(cell: Cell): string | null {
	const codes = text(cell)?.match(/\d{4,5}/g);
	return codes ? codes.map((code) => code.padStart(5, "0")).join(", ") : null;
}

/** The sheets that hold requests: one of all since 2024, three in 2020, the file itself when it is CSV. */
async function requestTables(file: RawFile): Promise<Table[]> {
	if (!isZip(file.bytes)) return [readCsv(file.bytes, file.name)];
	const sheets = await readWorkbook(file.bytes, { maxInflatedBytes });
	const complete = sheets.filter((sheet) => /complete queue data/i.test(sheet.name));
	if (complete.length > 0) return complete;
	const lists = sheets.filter((sheet) => ["active", "withdrawn", "completed"].includes(headerKey(sheet.name)));
	if (lists.length === 3) return lists;
	throw new StructureError(`${file.name}: neither a sheet "Complete Queue Data" nor the three lists of 2020`);
}

async function parse(file: RawFile, mapped: readonly MappedWord[] = []): Promise<ParsedFile> {
	const found = new Collector(mapped);
	const unknownColumns = new Set<string>();
	let rowsIn = 0;
	for (const sheet of await requestTables(file)) {
		const table = new HeadedTable(sheet, required);
		const at = columnsOf(table);
		const raw = rawReader(table, extras);
		const origins = found.rowsOf(table, cellsOf(at), { sheet: isZip(file.bytes) });
		for (const row of dataRows(table)) {
			rowsIn++;
			const number = known(row[at.number]);
			if (number === null) found.drop("no q_id", known(row[at.name]));
			else {
				const identified = { ...raw(row), ...identityOf(row, at) };
				found.keep({ ...parseRow(row, at, number, found), raw: identified, origins: origins(row) });
			}
		}
		for (const header of table.leftovers()) unknownColumns.add(header);
	}
	return found.parsed({ publishedOn: null, rowsIn, unknownColumns: [...unknownColumns] });
}

/** The 2026 edition; the address changes every year. The mirror answers plain clients, which LBNL's own site does not. */
const urls = [
	"https://eta-publications.lbl.gov/sites/default/files/2026-05/lbnl_ix_queue_data_file_thru2025.xlsx",
	"https://emp.lbl.gov/sites/default/files/2026-05/LBNL_Ix_Queue_Data_File_thru2025.xlsx",
] as const;
const maxBytes = 64 * 1024 * 1024;

/** The 2026 edition holds 38,000 requests and 43 sheets in 15 MB. */
const maxInflatedBytes = 256 * 1024 * 1024;

export const lbnl: Source = {
	feed: "lbnl",
	region: null,
	title: "LBNL Queued Up (complete queue data)",
	cadenceHours: 8760,
	maxAgeHours: 9600,
	maxBytes,
	coverage: "all-status",
	download: (http) =>
		http
			.get(urls[0], { conditional: true, maxBytes, timeoutMs: 180_000 })
			.catch(() => http.get(urls[1], { conditional: true, maxBytes, timeoutMs: 180_000 })),
	isWorkbook: (sheets) => sheets.some((sheet) => isHeaded(sheet, required)),
	recognises(file) {
		if (isZip(file.bytes)) return /lbnl|queued[-_ ]?up/i.test(file.name);
		const headers = csvHeaderNames(file.bytes);
		return required.every((names) => names.some((name) => headers.has(name)));
	},
	words: { status: statusMeanings, ia_phase: phaseMeanings, type: "technology" },
	parse,
	key: (number) => number.trim().toUpperCase(),
};
