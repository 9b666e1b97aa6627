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
	/** False for a request that was withdrawn or built, is excluded, or is not for generation. The score is then a meaningless 0. */
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

/** Rounds halves up, also if binary fractions make them slightly smaller: 70.5 and 70.49999999999999 become 71. */
export function roundHalfUp(value: number): number {
	return Math.floor(value + 0.5 + 1e-9);
}

export const toFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The reasons why deal_cleanliness loses points, in the order of the table. */
export function deductionsOf(inputs: ScoreInputs): DeductionKind[] {
	const found: DeductionKind[] = [];
	if (inputs.high_ic_cost === true) found.push("high_ic_cost");
	if (inputs.duplicate) found.push("duplicate");
	if (inputs.distress === "High") found.push("distress_high");
	if (inputs.distress === "Elevated") found.push("distress_elevated");
	return found;
}

/** A list loses freshness only if it is older than this many intervals between its operator's lists. */
const missedLists = 3;

/** Days from the list's day to `at`, never negative; null if the day is not known. */
export const ageInDays = (listDay: string | null, at: string): number | null =>
	listDay === null ? null : Math.max(0, Math.floor((Date.parse(at) - Date.parse(listDay)) / 86_400_000));

/** Freshness of a list, 0 to 1. `listDays`: days from one list of the operator to the next. */
export const freshnessOf = (ageDays: number, listDays: number): number =>
	Math.min(1, (missedLists * listDays) / Math.max(ageDays, 1));

/**
 * How reliable a score is (0 to 1): the narrower the interval of its chance and the fresher its list, the more. It is not part of the score.
 * Null if there is no chance, or the day of the list is not known.
 */
export function confidenceOf(
	chance: Pick<Chance, "low" | "high"> | null,
	ageDays: number | null,
	listDays: number,
): number | null {
	if (chance === null || ageDays === null) return null;
	return Math.round(100 * (1 - chance.high + chance.low) * freshnessOf(ageDays, listDays)) / 100;
}
