/** Reads the columns that both PJM queues have: identity, place, size, status and kind. */
import type { RequestKind, Status, StatusFlag, StudyPhase } from "#libs/contract/vocabulary.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, megawatts, number as numberOf } from "#libs/files/values.ts";
import { type Collector, foldCase } from "../../../sources/collector.ts";
import * as filed from "../../../sources/filed-cells.ts";
import type { FiledRequest, StageEvidence } from "../../../sources/source.ts";
import type { TableFields } from "../../../sources/table-fields.ts";
import { standardTechnology } from "../../../sources/technology.ts";

/** Returns AE1-070 for "AE1-070 - moved to TC1", and Y2-016 for "Y2-016 ". */
function removeAnnotation(number: string): string {
	return (number.split(/\s-\s/)[0] ?? number).replace(/\s+/g, " ").trim();
}

export function pjmKey(number: string): string {
	return removeAnnotation(number).toUpperCase();
}

/** Meaning of a status. `agreement`: a request has this status only if its agreement is executed. */
export interface StatusMeaning {
	std: Status;
	flag?: StatusFlag;
	agreement?: boolean;
	construction?: boolean;
	/** Whether only part of the plant is in service. */
	partly?: true;
	transmission?: boolean;
}

const active: StatusMeaning = { std: "Active" };
const agreed: StatusMeaning = { std: "Active", agreement: true };
const building: StatusMeaning = { std: "Active", agreement: true, construction: true };
const operational: StatusMeaning = { std: "Operational", agreement: true };
const partly: StatusMeaning = { ...operational, partly: true };
const withdrawn: StatusMeaning = { std: "Withdrawn" };

/** Statuses of both queues, in the form of `foldCase`. The cycle queue abbreviates: EP, UC, and UC-ISP for a plant that is partly in service. */
const statusMeanings: ReadonlyMap<string, StatusMeaning> = new Map([
	["active", active],
	["pending", active],
	["renewal", active],
	["engineering and procurement", agreed],
	["ep", agreed],
	["under construction", building],
	["uc", building],
	["in service", operational],
	["partially in service - under construction", partly],
	["active - in service", partly],
	["under construction - in service", partly],
	["uc-isp", partly],
	["deactivated", { ...operational, flag: "retired" }],
	["suspended", { std: "Suspended", agreement: true }],
	["pending termination", { std: "Active", flag: "at_risk" }],
	["withdrawn", withdrawn],
	["canceled", withdrawn],
	["annulled", withdrawn],
	["retracted", withdrawn],
	["confirmed", { std: "Active", transmission: true }],
]);

/** An unknown status counts as active, so that no request ends by accident. */
function meaningOf(status: string | null, collector: Collector): StatusMeaning {
	return statusMeanings.get(foldCase(collector.word("status", status, statusMeanings))) ?? active;
}

const kinds: ReadonlyMap<string, RequestKind> = new Map([
	["generation interconnection", "generation"],
	["long-term firm transmission", "transmission"],
	["long-term firm transmission service", "transmission"],
	["merchant transmission", "transmission"],
	["upgrade request", "transmission"],
]);

/** Coded values of both queues. */
export const commonWords = { status: statusMeanings, project_type: kinds, type: "technology" } as const;

function kindOf(projectType: string | null, meaning: StatusMeaning, collector: Collector): RequestKind {
	const kind = kinds.get(foldCase(collector.word("project_type", projectType, kinds)));
	return meaning.transmission ? "transmission" : (kind ?? "generation");
}

/** Headers of the common columns, in every spelling; XML elements are mapped to them. */
export const commonHeaders =
	`Project ID, Name, Commercial Name, State, County, Status, Transmission Owner, MFO, MW Energy,
	MW Capacity, Capacity or Energy, Project Type, Fuel, Submitted Date, Backfeed Date, Withdrawal Date, Withdrawn Date,
	Actual In Service Date, Actual In-Service Date, Revised In Service Date, Revised In-Service Date, Projected In Service Date,
	Requested In-Service Date, Commercial Operation Milestone`.split(/,\s+/);

/** Columns that are read for several fields; -1 for a column that the layout lacks. */
export function commonColumns(table: HeadedTable) {
	return {
		number: table.column("Project ID"),
		name: table.column("Name"),
		commercialName: table.column("Commercial Name"),
		status: table.column("Status"),
		maximumOutput: table.column("MFO"),
		energy: table.column("MW Energy"),
		rights: table.column("MW Capacity"),
		inService: table.column("MW In Service"),
		projectType: table.column("Project Type"),
		fuel: table.column("Fuel"),
	};
}
type CommonColumns = ReturnType<typeof commonColumns>;

/** Facts that follow from the status, the type and the studies of a row. */
export interface Facts {
	meaning: StatusMeaning;
	kind: RequestKind;
	phase: StudyPhase | null;
}

export function factsOf(row: Cell[], at: CommonColumns, collector: Collector): Omit<Facts, "phase"> {
	const meaning = meaningOf(known(row[at.status]), collector);
	return { meaning, kind: kindOf(known(row[at.projectType]), meaning, collector) };
}

/** Fields that both queues have. Each queue adds more. */
export const commonFields = (table: HeadedTable, at: CommonColumns, collector: Collector): TableFields<Facts> => ({
	queue_id: filed.by("number", filed.word(at.number), (number) => removeAnnotation(number ?? "") || null),
	kind: filed.fact("pjm.kind", [at.projectType, at.status], ({ kind }) => kind),
	// "Name" is the point of interconnection. The name of the project is published only after the impact study.
	name: filed.by("pjm.name", filed.text(at.commercialName, at.name)),
	county: filed.text(table.column("County")),
	state: filed.text(table.column("State")),
	poi: filed.text(at.name),
	utility: filed.text(table.column("Transmission Owner")),
	service: filed.from("pjm.service", [table.column("Capacity or Energy")], serviceOf),
	type: filed.text(at.fuel),
	type_std: filed.fact(
		"pjm.technology",
		[at.fuel, at.projectType, at.status, at.commercialName, at.name],
		({ kind }, row) => {
			const typeStd = collector.technology("type", (mapped) => standardTechnology(known(row[at.fuel]), mapped));
			return kind === "transmission" ? "Transmission" : typeStd;
		},
	),
	status: filed.text(at.status),
	status_std: filed.fact("pjm.status", [at.status], ({ meaning }) => meaning.std),
	status_basis: filed.unstated((_, row) => (known(row[at.status]) === null ? null : "filed")),
	status_flag: filed.fact("pjm.status_flag", [at.status, at.number], ({ meaning }) => meaning.flag ?? null),
	request_class: filed.from("pjm.request_class", [at.energy], (energy) =>
		numberOf(energy) === 0 ? "capacity_rights" : "new",
	),
	operating_mw: filed.fact("pjm.operating", [at.inService, at.status], ({ meaning }, row) =>
		meaning.partly ? megawatts(row[at.inService]) : null,
	),
	capacity_mw: filed.by(
		"pjm.capacity",
		filed.megawatts(at.energy, at.maximumOutput, at.rights),
		// A request for no energy has the capacity of its rights (null if it has none).
		(stated, row) => (requestsNoEnergy(row, at) ? megawatts(row[at.rights]) : stated),
	),
	queue_date: filed.day(table.column("Submitted Date")),
	// The serial queue changed its headers: the "milestone" of 2025 is "projected" in 2026, and the "revised" date of 2025 is the "milestone" of
	// 2026. The former is filed for nearly every request, the latter only with an agreement, and then both are equal. In the cycle queue, the
	// milestone of the agreement replaces the requested date.
	cod: filed.by(
		"pjm.cod",
		filed.day(
			table.column("Revised In Service Date", "Revised In-Service Date"),
			table.column("Commercial Operation Milestone"),
			table.column("Projected In Service Date", "Requested In-Service Date"),
		),
	),
	actual_cod: filed.day(table.column("Actual In Service Date", "Actual In-Service Date")),
	withdrawn_date: filed.day(table.column("Withdrawal Date", "Withdrawn Date")),
	backfeed_date: filed.day(table.column("Backfeed Date")),
});

export const toShownPhase = ({ meaning, phase }: Facts): StudyPhase | null =>
	meaning.std === "Withdrawn" ? null : phase;

/** Returns the output of the plant including the upgrade, if it is not the request's capacity. */
export function outputOf(row: Cell[], at: CommonColumns): Record<string, string> {
	const output = requestsNoEnergy(row, at) ? megawatts(row[at.maximumOutput]) : null;
	return output === null ? {} : { MFO: String(output) };
}

/**
 * An MW Energy of 0 is valid: the request adds no output, and the maximum facility output is that of the plant or request whose rights it
 * raises (most of window AI2). An empty cell is unknown: PJM later filled two of them with the output.
 */
const requestsNoEnergy = (row: readonly Cell[], at: CommonColumns): boolean => numberOf(row[at.energy]) === 0;

/** Newer rows of the cycle queue have "CAPACITY_RESOURCE" where all others have "Capacity". */
function serviceOf(cell: Cell): string | null {
	const service = known(cell);
	if (service === "CAPACITY_RESOURCE") return "Capacity";
	return service === "ENERGY_RESOURCE" ? "Energy" : service;
}

/** Returns the stage that the studies show, unless the status is more specific. Dates only reveal contradictions. */
export function evidenceOf(
	{ withdrawnDate, actualCod }: Pick<FiledRequest, "withdrawnDate" | "actualCod">,
	meaning: StatusMeaning,
	studies: Pick<StageEvidence, "stage" | "basis">,
): StageEvidence {
	return {
		stage: meaning.construction ? "construction" : studies.stage,
		basis: meaning.construction || meaning.std !== "Active" ? "published" : studies.basis,
		contradictory: isContradictory(meaning, withdrawnDate, actualCod),
		...(meaning.partly && { partly: meaning.partly }),
	};
}

/** Whether a request that is not withdrawn has a withdrawal date (a retired plant may have one), or a withdrawn request an in-service date. */
function isContradictory(meaning: StatusMeaning, withdrawnDate: string | null, actualCod: string | null): boolean {
	if (meaning.std === "Withdrawn") return actualCod !== null;
	return withdrawnDate !== null && meaning.flag !== "retired";
}
