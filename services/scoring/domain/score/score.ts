/** What a score says. */
import type { Grade, ScoreComponent } from "#libs/contract/vocabulary.ts";
import type { Chance } from "./outcome-table.ts";

export interface Component {
	/** Whole, 0 to 100. */
	score: number;
	weight: number;
	/** What it was given for. */
	value: string;
}

export interface Deduction {
	/** Of deal_cleanliness's 100; positive. */
	points: number;
	reason: string;
}

export interface Score {
	/** False for what was withdrawn or built, or is none for generation: then the score is 0 and says nothing. */
	scored: boolean;
	/** Whole, 0 to 100. */
	score: number;
	grade: Grade;
	investable: boolean;
	/** Investable but for its score: open, not overdue, at a stage that can be. */
	eligible: boolean;
	components: Record<ScoreComponent, Component>;
	deductions: Deduction[];
	/** That it is built or advances, by what became of such requests; null where it is not scored, and before version 3. */
	chance: Chance | null;
	readonly explanation: string;
}

/** The points of 100 that a component brings to the score. */
export function contribution({ score, weight }: Component): number {
	return score * weight;
}
