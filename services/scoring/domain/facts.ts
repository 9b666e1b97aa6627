/** What is known of a request and of its developer, as it is scored. Dates are `YYYY-MM-DD`; comparing them as text orders them. */
import { type Project, project } from "#libs/contract/records/project.ts";
import type { DeveloperTier, Region } from "#libs/contract/vocabulary.ts";

/** A move of the projected date of commercial operation, as the change feed has it. */
export interface CodChange {
	on: string;
	old: string | null;
	new: string | null;
}

/** Fields of the request that scores look at. */
export const factFields = [
	...(["name", "region", "kind", "state", "fips", "counties", "developer_id", "developer_tier", "type_std"] as const),
	...(["status_std", "capacity_mw", "queue_date", "cod", "ia_date", "security_posted", "construction_stage"] as const),
	...(["study_phase", "study_phase_filed", "ia_status", "poi"] as const),
] as const;

/** A copy of the request: what queue-ingest last announced of it. */
export interface ProjectFacts extends Pick<Project, Exclude<(typeof factFields)[number], "region" | "developer_tier">> {
	project_id: string;
	/** Day of the newest list of those that it stands in; null where none was announced. */
	facts_as_of: string | null;
	region: Region;
	developer_tier: DeveloperTier;
	/** It has coordinates of its point of interconnection or its county. */
	located: boolean;
	/** Oldest first. */
	cod_changes: CodChange[];
}

/** As columns of a row `p`. */
export const factColumns = factFields.map((name) => `p.${name}`).join(", ");

// MERGED services/scoring/domain/facts.ts: Which fields of a request something is computed from: those that are read meanwhile. Pure.
/** Facts that are no field of the same name. */
const otherNames = new Map(
	Object.entries<readonly string[]>({
		project_id: [],
		facts_as_of: [],
		located: ["lat", "lon"],
		cod_changes: ["cod"],
	}),
);

/** The names of fields, in the order of the contract. */
export function fieldsRead(facts: ProjectFacts, compute: (facts: ProjectFacts) => unknown): string[] {
	const read = new Set<string>();
	compute(
		new Proxy(facts, {
			get(of, name) {
				if (typeof name === "string") for (const field of otherNames.get(name) ?? [name]) read.add(field);
				return Reflect.get(of, name);
			},
		}),
	);
	return Object.keys(project.shape).filter((field) => read.has(field));
}

// MERGED services/scoring/domain/facts.ts: How far the projected date of commercial operation has moved, by the moves in the change feed. Dates are `YYYY-MM-DD`. Pure.
/**
 * Whole months by which `cod` is later than the date projected at the end of the day `since`; 0 where it is not later, is not stated, or
 * nothing was moved after that day. Where no date was stated then, the first that was stated after it counts. `changes`: oldest first.
 */
export function slippedMonths(changes: readonly CodChange[], cod: string | null, since: string): number {
	if (cod === null) return 0;
	const then = firstStated(changes, since);
	return then === null || then >= cod ? 0 : monthsBetween(then, cod);
}

/**
 * Days by which the date is later in all than first projected; 0 where it is not. A move back counts against the moves before it, so that
 * a corrected slip of the pen is none. Where the date is no longer stated, the last one stands.
 */
export function cumulativeSlipDays(changes: readonly CodChange[], cod: string | null): number {
	const first = firstStated(changes, "");
	const last = cod ?? lastStated(changes);
	if (first === null || last === null || first >= last) return 0;
	return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

function firstStated(changes: readonly CodChange[], since: string): string | null {
	for (const change of changes) {
		if (change.on <= since) continue;
		const stated = change.old ?? change.new;
		if (stated !== null) return stated;
	}
	return null;
}

function lastStated(changes: readonly CodChange[]): string | null {
	const stated = changes.findLast((change) => change.new !== null || change.old !== null);
	return stated?.new ?? stated?.old ?? null;
}

/** Whole months from an earlier day to a later one; the last day of a month is as good as any later day of another. */
function monthsBetween(from: string, to: string): number {
	const [fromYear, fromMonth, fromDay] = partsOf(from);
	const [toYear, toMonth, toDay] = partsOf(to);
	const months = (toYear - fromYear) * 12 + toMonth - fromMonth;
	const lastDay = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
	return toDay < Math.min(fromDay, lastDay) ? months - 1 : months;
}

function partsOf(day: string): [year: number, month: number, day: number] {
	return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
}
