/** Reads the "Project Details" sheets of ERCOT's monthly Generator Interconnection Status report. Pure. */
import type { RequestClass, StudyPhase } from "#libs/contract/vocabulary.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number, text } from "#libs/files/values.ts";
import { type Collector, type Extra, foldCase, isListRow } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { FiledRequest, StageEvidence } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";

/** "16INR0112", with a letter if a project was split, and several if parts of it continue together ("13INR0010def"). */
export const inrPattern = /^\d\dINR\d{4}[a-z]{0,4}$/i;

const detailExtras: Extra[] = [
	{ header: "CDR Reporting Zone", kind: "text" },
	{ header: "Model Ready Date", kind: "date" },
	{ header: "Approval Date for Submission of Proof of Site Control", kind: "date" },
	{ header: "Screening Study Complete", kind: "date" },
	{ header: "FIS Requested", kind: "date" },
	{ header: "FIS Approved", kind: "date" },
	{ header: "Economic Study Required", kind: "text" },
	{ header: "Air Permit", kind: "date" },
	{ header: "GHG Permit", kind: "date" },
	{ header: "Water Availability", kind: "date" },
	{ header: "Meets Planning", kind: "date" },
	{ header: "Meets All Planning", kind: "date" },
	{ header: "Meets Planning Guide QSA (Section 5.9) Prerequisites", kind: "date" },
	{ header: "Construction Start", kind: "date" },
	{ header: "Construction End", kind: "date" },
	{ header: "Comment", kind: "text" },
];

/**
 * Reads the requests of a "Project Details" sheet, for large or small generators, in any layout since 2018. Throws `StructureError` if a
 * required column is missing.
 */
export function readDetails(sheet: Table, collector: Collector): FiledRequest[] {
	const table = new HeadedTable(nameBlankHeaders(sheet), [
		["INR"],
		["Project Name"],
		["Interconnecting Entity"],
		["County"],
		["Projected COD"],
		["Fuel"],
		["Technology"],
		["Capacity (MW)"],
		["IA Signed"],
	]);
	const at = detailColumns(table);
	const fields = fieldsOf(table, at, collector);
	const read = collector.rowsOf(table, fields, { extras: detailExtras });
	return inrRows(table, at.inr, collector).map((row) => {
		const phase = text(row[at.phase]);
		const studyPhase = studyPhaseOf(phase, date(row[at.iaSigned]));
		if (phase !== null && studyPhase === null) collector.unknown("study phase", phase);
		const request = read(row, { studyPhase });
		return {
			...request,
			number: fields.queue_id.read(row) ?? "",
			evidence: evidenceOf(request.energizedDate !== null, phase, studyPhase),
			raw: { ...request.raw, ...unusableCapacity(row[at.capacity]) },
		};
	});
}

/** A net change of zero or less (repowering) is not a capacity, so it is kept only in `raw`. */
function unusableCapacity(capacity: Cell): Record<string, string> {
	const filedCapacity = known(capacity);
	return megawatts(capacity) !== null || filedCapacity === null ? {} : { "Capacity (MW)": filedCapacity };
}

function detailColumns(table: HeadedTable) {
	table.ignoreWhere((key) => key.startsWith("change indicators"));
	return {
		inr: table.column("INR"),
		name: table.column("Project Name"),
		phase: table.column("GIM Study Phase", "GINR Study Phase"),
		fuel: table.column("Fuel"),
		technology: table.column("Technology"),
		capacity: table.column("Capacity (MW)"),
		iaSigned: table.column("IA Signed"),
	};
}

/** A repowering of at least this size is filed with the MW of the whole plant (Buffalo Gap 2: 231.4 filed, 232.5 at the EIA): what it adds is unknown. */
const minPlantMw = 100;

/** "The megawatt capacities for projects identified as repowering are reported on a net change basis" (notes of every report). */
export function repowerFields({ name, capacity }: { name: number; capacity: number }) {
	const isRepower = (cell: Cell) => /\bre-?power/i.test(known(cell) ?? "");
	const isNetChange = (cell: Cell, mw: Cell) => isRepower(cell) && (number(mw) ?? 0) < minPlantMw;
	return {
		request_class: filed.from(
			"ercot.repower",
			[name],
			(cell): RequestClass => (isRepower(cell) ? "modification" : "new"),
		),
		capacity_basis: filed.from("ercot.repower", [name, capacity], (cell, mw) =>
			isNetChange(cell, mw) ? "net_change" : "injection_limit",
		),
		incremental_mw: filed.from("ercot.repower", [name, capacity], (cell, mw) =>
			isNetChange(cell, mw) ? number(mw) : null,
		),
	} satisfies Partial<TableFields>;
}

/** Facts that follow from the study phase and the agreement of a row. */
type Facts = Pick<FiledRequest, "studyPhase">;

const fieldsOf = (
	table: HeadedTable,
	at: ReturnType<typeof detailColumns>,
	collector: Collector,
): TableFields<Facts> => ({
	queue_id: filed.by("number", filed.word(at.inr)),
	name: filed.text(at.name),
	developer: filed.text(table.column("Interconnecting Entity")),
	county: filed.text(table.column("County")),
	state: filed.from("list.constant", [], () => "TX"),
	poi: filed.text(table.column("POI Location")),
	type: filed.from("ercot.type", [at.fuel, at.technology], filed.joined("; ")),
	type_std: filed.from("ercot.technology", [at.technology, at.fuel, at.name], (technology, fuel) =>
		technologyOf(known(fuel), known(technology), collector),
	),
	...repowerFields(at),
	status: filed.from("ercot.sheet_status", [], () => "Active"),
	status_std: filed.from("ercot.sheet_status", [], () => "Active"),
	capacity_mw: filed.megawatts(at.capacity),
	queue_date: filed.day(table.column("Screening Study Started")),
	cod: filed.day(table.column("Projected COD")),
	ia_date: filed.day(at.iaSigned),
	energized_date: filed.by(
		"ercot.energized",
		filed.day(table.column("Approved for Energization"), table.column("Approved for Synchronization")),
	),
	security_posted: filed.from(
		"ercot.security",
		[table.columnWhere((key) => key.startsWith("financial security"))],
		yesOrNo,
	),
	study_phase_filed: filed.word(at.phase),
	study_phase: filed.fact("ercot.study_phase", [at.phase, at.iaSigned], ({ studyPhase }) => studyPhase),
});

/** Returns the rows with a request number in column `at`. Skips header lines and footnotes, and drops rows with a garbled number. */
export function inrRows(table: HeadedTable, at: number, collector: Collector): Cell[][] {
	const isRequest = (row: Cell[]) => inrPattern.test(text(row[at]) ?? "");
	const first = table.rows.findIndex(isRequest);
	if (first < 0) return [];
	return table.rows.slice(first).filter((row) => {
		const isGarbled = !isRequest(row);
		if (isGarbled && !isListRow(row)) return false;
		if (isGarbled)
			collector.drop("no interconnection request number", text(row[at]) ?? known(row[at + 1]), "malformed");
		return !isGarbled;
	});
}

/**
 * Names the columns of a details sheet whose header is in the wrapped lines below the header row. The header of the column for posted security
 * varies, so the column is found by its Yes and No values between "IA Signed" and the permits.
 */
function nameBlankHeaders(sheet: Table): Table {
	const at = sheet.rows.findIndex((row) => row.some((cell) => text(cell) === "INR"));
	const header = sheet.rows[at];
	if (header === undefined) return sheet;
	const below = sheet.rows.slice(at + 1);
	const inr = header.findIndex((cell) => text(cell) === "INR");
	const wrapped = below.slice(
		0,
		Math.max(
			below.findIndex((row) => text(row[inr]) !== null),
			0,
		),
	);
	const signed = header.findIndex((cell) => text(cell) === "IA Signed");
	const permits = header.findIndex((cell, column) => column > signed && text(cell) !== null);
	const named = header.map((cell, column) => {
		if (text(cell) !== null) return cell;
		if (signed < column && column < permits && hasYesOrNo(below, column)) return "Financial Security";
		return wrapped.map((row) => text(row[column]) ?? "").join(" ");
	});
	const filedHeader = header.map((cell, column) => cell ?? wrapped.map((row) => text(row[column]) ?? "").join(" "));
	return { name: sheet.name, rows: sheet.rows.with(at, named), filedHeader };
}

function hasYesOrNo(rows: Cell[][], column: number): boolean {
	return rows.some((row) => yesOrNo(row[column]) !== null);
}

function yesOrNo(cell: Cell): boolean | null {
	const word = foldCase(text(cell));
	return word === "yes" || word === "no" ? word === "yes" : null;
}

const byFuel: Record<string, string> = {
	bio: "Biomass",
	coa: "Coal",
	gas: "Gas",
	geo: "Geothermal",
	hyd: "Hydrogen",
	nuc: "Nuclear",
	oil: "Oil",
	pet: "Oil",
	sol: "Solar",
	wat: "Hydro",
	win: "Wind",
	mwh: "Storage",
	bat: "Storage",
	oth: "Other",
};

/** Codes that determine the technology whatever the fuel: batteries are filed with the fuel "other", and were filed with "BAT" for one month. */
const byTechnology = new Map(
	Object.entries({
		ba: "Storage",
		bl: "Storage",
		bo: "Storage",
		ce: "Other Storage",
		en: "Other Storage",
		fc: "Fuel Cell",
		cp: "Solar",
		pv: "Solar",
		wt: "Wind",
		hy: "Hydro",
	}),
);

/** Codes that do not determine the technology, because these machines burn the filed fuel. */
const burners = ["cc", "gt", "ic", "st", "ot", "so"];
export const machines: ReadonlySet<string> = new Set([...byTechnology.keys(), ...burners]);

export function technologyOf(fuel: string | null, technology: string | null, collector: Collector): string {
	const machine = technology === null ? "" : foldCase(collector.word("technology", technology, machines));
	const technologyOfMachine = byTechnology.get(machine);
	if (technologyOfMachine !== undefined) return technologyOfMachine;
	return collector.technology("fuel", (mapped) => standardTechnology(fuel, { ...mapped, ...byFuel }));
}

function studyPhaseOf(phase: string | null, iaDate: string | null): StudyPhase | null {
	if (phase === null) return iaDate === null ? null : "IA Executed";
	const words = foldCase(phase);
	if (/\bno ia$/.test(words)) {
		if (words.includes("fis completed")) return "Facilities";
		return words.startsWith("ss completed") ? "SIS" : "Feasibility";
	}
	return /\bia$/.test(words) ? "IA Executed" : null;
}

/** Derives the stage from an approval to energize, from the agreement or from the study phase. */
export function evidenceOf(isEnergized: boolean, phase: string | null, studyPhase: StudyPhase | null): StageEvidence {
	if (isEnergized) return { stage: "construction", basis: "published", contradictory: false };
	if (studyPhase === "IA Executed") return { stage: "late", basis: "agreement", contradictory: false };
	const basis = phase === null ? "active-only" : "study-code";
	return { stage: studyPhase === "Facilities" ? "mid" : "early", basis, contradictory: false };
}
