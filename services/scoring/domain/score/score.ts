/** The parts of a score, its deductions and its confidence. Pure. */
import type { Grade, ScoreComponent } from "#libs/contract/vocabulary.ts";
import type { Chance, Chances } from "./chance.ts";
import type { Candidate } from "./investable.ts";
import type { DeductionKind, ScoreInputs } from "./tables.ts";

export interface Component {
	score: number;
	weight: number;
	value: string;
}

export interface Deduction {
	/** Points that deal_cleanliness loses of its 100; positive. */
	points: number;
	reason: string;
}

export interface Score {
	/** False for a request that was withdrawn or built, or that is not for generation. The score is then 0 and means nothing. */
	scored: boolean;
	score: number;
	grade: Grade;
	/** Facts that determine `investable`. */
	candidate: Candidate;
	investable: boolean;
	components: Record<ScoreComponent, Component>;
	deductions: Deduction[];
	/** Chances of operation; null if the request is not scored. */
	chances: Chances | null;
	readonly explanation: string;
}

export function contribution({ score, weight }: Component): number {
	return score * weight;
}

/** Rounds 70.5, and its binary form 70.49999999999999, to 71. */
export function roundHalfUp(value: number): number {
	return Math.floor(value + 0.5 + 1e-9);
}

/** The reasons for which deal_cleanliness loses points, in the order of the table. */
export function deductionsOf(inputs: ScoreInputs): DeductionKind[] {
	const found: DeductionKind[] = [];
	if (inputs.high_ic_cost === true) found.push("high_ic_cost");
	if (inputs.duplicate) found.push("duplicate");
	if (inputs.distress === "High") found.push("distress_high");
	if (inputs.distress === "Elevated") found.push("distress_elevated");
	return found;
}

/** A list loses freshness only when it is older than this many intervals between its operator's lists. */
const missedLists = 3;

/** Days from a list to `at`, never negative; null if its day is not known. */
export const ageInDays = (listDay: string | null, at: string): number | null =>
	listDay === null ? null : Math.max(0, Math.floor((Date.parse(at) - Date.parse(listDay)) / 86_400_000));

/** `listDays`: days from one list of the operator to the next. */
export const freshnessOf = (ageDays: number, listDays: number): number =>
	Math.min(1, (missedLists * listDays) / Math.max(ageDays, 1));

/**
 * How reliable a score is, 0 to 1, by how narrow the interval of its chance is and how fresh its list. It is not part of the score. Null
 * without a chance, or if the day of the list is not known.
 */
export function confidenceOf(
	chance: Pick<Chance, "low" | "high"> | null,
	ageDays: number | null,
	listDays: number,
): number | null {
	if (chance === null || ageDays === null) return null;
	return Math.round(100 * (1 - chance.high + chance.low) * freshnessOf(ageDays, listDays)) / 100;
}
