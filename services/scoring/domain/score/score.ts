/** The parts of a score, and what follows from them or from the inputs alone. Pure. */
import type { Grade, ScoreComponent } from "#libs/contract/vocabulary.ts";
import type { Chance } from "./outcomes.ts";
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
	investable: boolean;
	/** Meets every rule of investability but the score: open, not overdue, at a stage that can be invested in. */
	eligible: boolean;
	components: Record<ScoreComponent, Component>;
	deductions: Deduction[];
	/** Chance that it is built or advances; null where it is not scored, and before version 3. */
	chance: Chance | null;
	readonly explanation: string;
}

export function contribution({ score, weight }: Component): number {
	return score * weight;
}

/** 70.5 is 71, and so is its binary fraction (70.49999999999999). */
export function roundHalfUp(value: number): number {
	return Math.floor(value + 0.5 + 1e-9);
}

export const isOverdue = ({ cod_position, milestone }: Pick<ScoreInputs, "cod_position" | "milestone">): boolean =>
	cod_position === "past" && milestone !== "construction";

/**
 * The reasons for which deal_cleanliness loses points, in the order of the table. Changes of developer, point of interconnection or capacity cost
 * nothing, because every project that advances has them (queues.md 7.1).
 */
export function deductionsOf(inputs: ScoreInputs): DeductionKind[] {
	const found: DeductionKind[] = [];
	if (inputs.cod_slip === "12_months_or_more") found.push("cod_slipped");
	if (isOverdue(inputs)) found.push("cod_past");
	if (!inputs.has_ia && inputs.queue_age === "over_4_years") found.push("queued_over_4_years");
	if (!inputs.has_ia && inputs.queue_age === "2_to_4_years") found.push("queued_2_to_4_years");
	if (!inputs.poi) found.push("no_poi");
	if (!inputs.located) found.push("not_located");
	if (inputs.cod_position === "none") found.push("no_cod");
	if (inputs.high_ic_cost === true) found.push("high_ic_cost");
	if (inputs.duplicate) found.push("duplicate");
	if (inputs.distress === "High") found.push("distress_high");
	if (inputs.distress === "Elevated") found.push("distress_elevated");
	return found;
}

/** Lists that may have been missed before an old one counts for less. */
const missedLists = 3;

/**
 * How reliable a score is, 0 to 1: how narrow the interval of its chance is, and how fresh its list. Never part of the score. Null where
 * the day of the list is not known. `listDays`: from one list of the operator to the next.
 */
export function confidenceOf(
	chance: Pick<Chance, "low" | "high"> | null,
	ageDays: number | null,
	listDays: number,
): number | null {
	if (ageDays === null) return null;
	const width = chance === null ? 0 : chance.high - chance.low;
	const freshness = Math.min(1, (missedLists * listDays) / Math.max(ageDays, 1));
	return Math.round(100 * (1 - width) * freshness) / 100;
}
