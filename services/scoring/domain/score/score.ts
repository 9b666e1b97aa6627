/** The parts of a score, and what follows from them or from the inputs alone. Pure. */
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
	/** Points of deal_cleanliness's 100; positive. */
	points: number;
	reason: string;
}

export interface Score {
	/** False for a request that was withdrawn or built, or that is not for generation: then the score is 0 and means nothing. */
	scored: boolean;
	score: number;
	grade: Grade;
	/** Facts by which investable requests are chosen. */
	candidate: Candidate;
	investable: boolean;
	components: Record<ScoreComponent, Component>;
	deductions: Deduction[];
	/** Chances of operation; null where it is not scored. */
	chances: Chances | null;
	readonly explanation: string;
}

export function contribution({ score, weight }: Component): number {
	return score * weight;
}

/** 70.5 is 71, and so is its binary fraction (70.49999999999999). */
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

/** Lists that may have been missed before an old one counts for less. */
const missedLists = 3;

/** `listDays`: from one list of the operator to the next. */
export const freshnessOf = (ageDays: number, listDays: number): number =>
	Math.min(1, (missedLists * listDays) / Math.max(ageDays, 1));

/**
 * How reliable a score is, 0 to 1: how narrow the interval of its chance is, and how fresh its list. Never part of the score. Null without
 * a chance, and where the day of the list is not known.
 */
export function confidenceOf(
	chance: Pick<Chance, "low" | "high"> | null,
	ageDays: number | null,
	listDays: number,
): number | null {
	if (chance === null || ageDays === null) return null;
	return Math.round(100 * (1 - chance.high + chance.low) * freshnessOf(ageDays, listDays)) / 100;
}
