/** The facts from which a request is scored. Dates are `YYYY-MM-DD`, so they can be compared as text. Pure. */
import { type Project, project } from "#libs/contract/records/project.ts";
import type { DeveloperTier, Region } from "#libs/contract/vocabulary.ts";

export interface CodChange {
	on: string;
	old: string | null;
	new: string | null;
}

export const factFields = [
	...(["name", "region", "kind", "state", "fips", "counties", "developer_id", "developer_tier", "type_std"] as const),
	...(["status_std", "capacity_mw", "queue_date", "cod", "ia_date", "security_posted", "construction_stage"] as const),
	...([
		"plant_state",
		"plant_state_basis",
		"plant_report",
		"plant_reported_on",
		"construction_begun_by",
		"status_flag",
		"request_class",
		"added_type_std",
		"incremental_mw",
		"components",
	] as const),
	...(["study_phase", "study_phase_filed", "ia_status", "poi"] as const),
] as const;

export interface ProjectFacts extends Pick<Project, Exclude<(typeof factFields)[number], "region" | "developer_tier">> {
	project_id: string;
	/** Day of the newest list that contains the request; null before a list was published. */
	facts_as_of: string | null;
	region: Region;
	developer_tier: DeveloperTier;
	/** Whether the coordinates of its point of interconnection or of its county are known. */
	located: boolean;
	/** Oldest first. */
	cod_changes: CodChange[];
}

export const factColumns = factFields.map((name) => `p.${name}`).join(", ");

/** MW. Three times the largest request in the operators' lists of 2025 and 2026. A larger value is probably kilowatts filed as megawatts. */
export const largestPlantMw = 10_000;
/** USD per kW. Active requests in LBNL's studies average $156 to $240, withdrawn ones $304 to $599. */
export const highCostPerKw = 250;

/** The record's fields behind each fact that is not itself a field of the record. */
const fieldsOfFact = new Map([
	["project_id", []],
	["facts_as_of", []],
	["located", ["lat", "lon"]],
	["cod_changes", ["cod"]],
]);

/** Returns the fields that `compute` reads, in the order of the record. */
export function findFieldsRead(facts: ProjectFacts, compute: (facts: ProjectFacts) => unknown): string[] {
	const read = new Set<string>();
	compute(
		new Proxy(facts, {
			get(target, name) {
				if (typeof name === "string") for (const field of fieldsOfFact.get(name) ?? [name]) read.add(field);
				return Reflect.get(target, name);
			},
		}),
	);
	return Object.keys(project.shape).filter((field) => read.has(field));
}

/**
 * Returns the days from the first projected date to the current one; 0 if the current one is not later. A corrected typing error is
 * therefore not a slip. If there is no current date, the last one counts. `changes`: oldest first.
 */
export function cumulativeSlipDays(changes: readonly CodChange[], cod: string | null): number {
	const first = firstStatedDate(changes);
	const lastChange = changes.findLast((change) => change.new !== null || change.old !== null);
	const last = cod ?? lastChange?.new ?? lastChange?.old ?? null;
	if (first === null || last === null || first >= last) return 0;
	return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

function firstStatedDate(changes: readonly CodChange[]): string | null {
	const change = changes.find(({ old, new: next }) => (old ?? next) !== null);
	return change?.old ?? change?.new ?? null;
}
