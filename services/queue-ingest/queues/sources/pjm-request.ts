/** What a request of either PJM queue says in the columns that both have: identity, place, size, status and kind. */
import type { RequestKind, Status, StatusFlag } from "#libs/contract/vocabulary.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number as numberOf } from "#libs/files/values.ts";
import { type Collector, fold } from "../../sources/collector.ts";
import * as cells from "../../sources/filed-cells.ts";
import type { FiledRequest } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";

/** "AE1-070 - moved to TC1" and "Y2-016 " are AE1-070 and Y2-016. */
export function withoutAnnotation(number: string): string {
	return (number.split(/\s-\s/)[0] ?? number).replace(/\s+/g, " ").trim();
}

export function pjmKey(number: string): string {
	return withoutAnnotation(number).toUpperCase();
}

/** What a status says. `agreement`: it is only reached with an executed agreement. */
export interface StatusMeaning {
	std: Status;
	flag?: StatusFlag;
	agreement?: boolean;
	construction?: boolean;
	transmission?: boolean;
}

const active: StatusMeaning = { std: "Active" };
const agreed: StatusMeaning = { std: "Active", agreement: true };
const building: StatusMeaning = { std: "Active", agreement: true, construction: true };
const operational: StatusMeaning = { std: "Operational", agreement: true };
const withdrawn: StatusMeaning = { std: "Withdrawn" };

/** Both queues' words, folded. The cycle queue abbreviates: EP, UC, and UC-ISP for a plant that is partly in service. */
const statusMeanings: ReadonlyMap<string, StatusMeaning> = new Map([
	["active", active],
	["pending", active],
	["renewal", active],
	["engineering and procurement", agreed],
	["ep", agreed],
	["under construction", building],
	["uc", building],
	["in service", operational],
	["partially in service - under construction", operational],
	["active - in service", operational],
	["under construction - in service", operational],
	["uc-isp", operational],
	["deactivated", { ...operational, flag: "retired" }],
	["suspended", { std: "Suspended", agreement: true }],
	["pending termination", { std: "Active", flag: "at_risk" }],
	["withdrawn", withdrawn],
	["canceled", withdrawn],
	["annulled", withdrawn],
	["retracted", withdrawn],
	["confirmed", { std: "Active", transmission: true }],
]);

/** A status that PJM is not known to use is taken for an active one: nothing may end a request by accident. */
function meaningOf(status: string | null, collector: Collector): StatusMeaning {
	return statusMeanings.get(fold(collector.word("status", status, statusMeanings))) ?? active;
}

const kinds: ReadonlyMap<string, RequestKind> = new Map([
	["generation interconnection", "generation"],
	["long-term firm transmission", "transmission"],
	["long-term firm transmission service", "transmission"],
	["merchant transmission", "transmission"],
	["upgrade request", "transmission"],
]);

/** Of both queues. */
export const commonWords = { status: statusMeanings, project_type: kinds, type: "technology" } as const;

function kindOf(projectType: string | null, meaning: StatusMeaning, collector: Collector): RequestKind {
	const kind = kinds.get(fold(collector.word("project_type", projectType, kinds)));
	return meaning.transmission ? "transmission" : (kind ?? "generation");
}

/** Headers of the common columns, in every spelling; XML elements are led back to them. */
export const commonHeaders =
	`Project ID, Name, Commercial Name, State, County, Status, Transmission Owner, MFO, MW Energy,
	MW Capacity, Capacity or Energy, Project Type, Fuel, Submitted Date, Backfeed Date, Withdrawal Date, Withdrawn Date,
	Actual In Service Date, Actual In-Service Date, Revised In Service Date, Revised In-Service Date, Projected In Service Date,
	Requested In-Service Date, Commercial Operation Milestone`.split(/,\s+/);

/** Where the common columns stand; -1 for one that the layout lacks. */
export function commonColumns(table: HeadedTable) {
	return {
		number: table.column("Project ID"),
		name: table.column("Name"),
		commercialName: table.column("Commercial Name"),
		state: table.column("State"),
		county: table.column("County"),
		status: table.column("Status"),
		owner: table.column("Transmission Owner"),
		maximumOutput: table.column("MFO"),
		energy: table.column("MW Energy"),
		rights: table.column("MW Capacity"),
		service: table.column("Capacity or Energy"),
		projectType: table.column("Project Type"),
		fuel: table.column("Fuel"),
		submitted: table.column("Submitted Date"),
		backfeed: table.column("Backfeed Date"),
		withdrawal: table.column("Withdrawal Date", "Withdrawn Date"),
		actual: table.column("Actual In Service Date", "Actual In-Service Date"),
		revised: table.column("Revised In Service Date", "Revised In-Service Date"),
		projected: table.column("Projected In Service Date", "Requested In-Service Date"),
		milestone: table.column("Commercial Operation Milestone"),
	};
}
export type CommonColumns = ReturnType<typeof commonColumns>;

/** Where the common fields are read from; the queue adds its own. */
export const commonCells = (at: CommonColumns): cells.FieldsOfTable => ({
	queue_id: cells.by("number", cells.word(at.number)),
	kind: cells.together("pjm.kind", at.projectType, at.status),
	name: cells.by("pjm.name", cells.text(at.commercialName, at.name)),
	county: cells.text(at.county),
	state: cells.text(at.state),
	poi: cells.text(at.name),
	utility: cells.text(at.owner),
	service: cells.together("pjm.service", at.service),
	type: cells.text(at.fuel),
	type_std: cells.together("pjm.technology", at.fuel, at.projectType, at.status, at.commercialName, at.name),
	status: cells.text(at.status),
	status_std: cells.together("pjm.status", at.status),
	status_flag: cells.together("pjm.status", at.status),
	capacity_mw: cells.by("pjm.capacity", cells.megawatts(at.energy, at.maximumOutput, at.rights)),
	queue_date: cells.day(at.submitted),
	cod: cells.by("pjm.cod", cells.day(at.revised, at.milestone, at.projected)),
	actual_cod: cells.day(at.actual),
	withdrawn_date: cells.day(at.withdrawal),
	backfeed_date: cells.day(at.backfeed),
});

/** The common part of a request, and what its status means. The rest holds "nothing known" for the queue to fill. */
export function commonRequest(
	row: Cell[],
	at: CommonColumns,
	number: string,
	collector: Collector,
): { request: FiledRequest; meaning: StatusMeaning } {
	const status = known(row[at.status]);
	const meaning = meaningOf(status, collector);
	const kind = kindOf(known(row[at.projectType]), meaning, collector);
	const fuel = known(row[at.fuel]);
	const typeStd = collector.technology("type", (mapped) => standardTechnology(fuel, mapped));
	const withdrawnDate = date(row[at.withdrawal]);
	const actualCod = date(row[at.actual]);
	// "Name" is where the project connects; its own name is only published after the impact study.
	const poi = known(row[at.name]);
	const output = megawatts(row[at.maximumOutput]);
	const request: FiledRequest = {
		...unfiled,
		number,
		kind,
		name: known(row[at.commercialName]) ?? poi,
		county: known(row[at.county]),
		state: known(row[at.state]),
		poi,
		utility: known(row[at.owner]),
		service: serviceOf(known(row[at.service])),
		type: fuel,
		typeStd: kind === "transmission" ? "Transmission" : typeStd,
		status,
		statusStd: meaning.std,
		statusBasis: status === null ? null : "filed",
		statusFlag: meaning.flag ?? null,
		capacityMw: capacityOf(row, at),
		queueDate: date(row[at.submitted]),
		// The serial queue swapped its headers: what the files of 2025 call milestone, those of 2026 call projected, and their
		// milestone is 2025's revised date. One is filled for nearly every request, the other once there is an agreement, and
		// then both are equal. In the cycle queue the milestone of the agreement supersedes the date asked for.
		cod: date(row[at.revised]) ?? date(row[at.milestone]) ?? date(row[at.projected]),
		actualCod,
		withdrawnDate,
		backfeedDate: date(row[at.backfeed]),
		evidence: { stage: "early", basis: "active-only", contradictory: contradicts(meaning, withdrawnDate, actualCod) },
		// What the plant may put out with it, where that is no capacity of the request.
		raw: asksForNoEnergy(row, at) && output !== null ? { MFO: String(output) } : {},
	};
	return { request, meaning };
}

/**
 * What is asked for (MW). An MW Energy of 0 is meant: the request adds no output, and the maximum facility output is that of the plant, or of the
 * request, whose rights it raises (most of window AI2). It is then of the size of the rights, and of none where it asks for none. An empty cell says
 * nothing: PJM filled two of them with the output later on.
 */
function capacityOf(row: Cell[], at: CommonColumns): number | null {
	if (asksForNoEnergy(row, at)) return megawatts(row[at.rights]);
	return megawatts(row[at.energy]) ?? megawatts(row[at.maximumOutput]) ?? megawatts(row[at.rights]);
}

const asksForNoEnergy = (row: Cell[], at: CommonColumns): boolean => numberOf(row[at.energy]) === 0;

/** "CAPACITY_RESOURCE" of the cycle's newer rows is "Capacity" everywhere else. */
function serviceOf(filed: string | null): string | null {
	if (filed === "CAPACITY_RESOURCE") return "Capacity";
	return filed === "ENERGY_RESOURCE" ? "Energy" : filed;
}

/** A withdrawal date on a live request (a closed plant may have one), or an in-service date on a withdrawn request. */
function contradicts(meaning: StatusMeaning, withdrawnDate: string | null, actualCod: string | null): boolean {
	if (meaning.std === "Withdrawn") return actualCod !== null;
	return withdrawnDate !== null && meaning.flag !== "retired";
}
