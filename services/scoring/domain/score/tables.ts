/**
 * The weights, points and thresholds of a version of the score, and the inputs it is computed from. A version is never edited once it has
 * been served, so that equal inputs under it always give the same score; another judgement is another version.
 */
import type {
	ConstructionStage,
	CreditType,
	DeveloperTier,
	Grade,
	JudgedDistressLevel,
	Region,
	RequestKind,
	ScoreComponent,
	Status,
} from "#libs/contract/vocabulary.ts";
import type { ChanceModel } from "./chance.ts";
import type { Milestone } from "./milestone.ts";

export const deductionKinds = ["high_ic_cost", "duplicate", "distress_high", "distress_elevated"] as const;
export type DeductionKind = (typeof deductionKinds)[number];

export const middlePosture = 50;

/** Points are on a scale from 0 to 100 for each component. */
export interface ScoreTables {
	version: number;
	title: string;
	/** They add up to 1, to three decimals each. */
	weights: Readonly<Record<ScoreComponent, number>>;
	/** milestone_progress is its chance of operation within 36 months, in points. */
	readonly model: ChanceModel;
	tiers: Readonly<Record<DeveloperTier, number>>;
	/** Added to the tier's points if the developer completes clearly more or fewer requests than usual. */
	developerRecord: Readonly<{ above: number; below: number }>;
	credit: Readonly<{
		/** Effective rate (fraction) that scores 100. */
		fullRate: number;
		/** Share of a conditional credit's points before construction. */
		conditionalShare: number;
	}>;
	deductions: Readonly<Record<DeductionKind, number>>;
	/** Best first; the last begins at 0. */
	grades: readonly Readonly<{ grade: Grade; from: number }>[];
}

/**
 * Why a request has no score, no chance and no credit. `energized`, `operating`: it is built. `void_window`: void by the operator's process.
 * `existing_rights`: it uses the rights of an existing plant, or requests rights without a plant.
 */
export type Exclusion = "energized" | "operating" | "void_window" | "existing_rights";

/**
 * The inputs of a score, which are stored under their hash. Dates are as filed, beside the first day of a month from which their distance
 * counts, so that inputs stay equal until the request or the month changes. A new threshold is a new code, never a new meaning of an old one.
 */
export interface ScoreInputs {
	/**
	 * Why the request cannot be invested in, whatever its stage; absent if it can. With `date_passed` (its projected date had passed on the day
	 * of the list) it is scored; with the others it is not.
	 */
	exclusion?: Exclusion | "date_passed";
	kind: RequestKind;
	status: Status;
	stage: ConstructionStage;
	region: Region;
	milestone: Milestone;
	has_ia: boolean;
	/** The day from which the chance and distances count: the first of a month that is nearest to the day of the list. Null: not scored. */
	judged_from: string | null;
	cod: string | null;
	/** The projected date relative to the list's day. Dates of a request that is not scored are not judged. */
	cod_position: "ahead" | "past" | "none" | "not_judged";
	/** First day of the month of the EIA's list that has the plant under construction; absent where none does, and without an agreement. */
	construction_reported?: string;
	ia_date: string | null;
	technology: string;
	capacity_mw: number | null;
	incremental_mw: number | null;
	/** Interconnection costs more than $250/kW; null where no cost is known. */
	high_ic_cost: boolean | null;
	duplicate: boolean;
	distress: JudgedDistressLevel | null;
	developer_tier: DeveloperTier;
	/** Share of its finished requests that the developer built, compared with the usual share. */
	developer_record: "above" | "usual" | "below" | "too_few";
	credit_type: CreditType | null;
	/** Effective, as a fraction; null where not determined. */
	credit_rate: number | null;
	credit_conditional: boolean;
	/** Used in the explanation, never in the points. */
	capacity: "stated" | "missing" | "not_positive" | "implausible";
}
