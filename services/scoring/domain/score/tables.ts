/**
 * The weights, points and thresholds of a score version, and the inputs of a score. A version is never edited after it has been served, so
 * that equal inputs always give the same score under it; any change is a new version.
 */
import type {
	ConstructionStage,
	CreditType,
	DeveloperTier,
	Grade,
	RatedDistressLevel,
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
	/** Weights of three decimals that add up to 1. */
	weights: Readonly<Record<ScoreComponent, number>>;
	/** The model of the chance of operation within 36 months, which is milestone_progress in points. */
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
	/** Best grade first; the last begins at 0. */
	grades: readonly Readonly<{ grade: Grade; from: number }>[];
}

/**
 * Why a request has no score, no chance and no credit. `energized`, `operating`: the plant is built. `void_window`: the request is void by the
 * operator's process. `existing_rights`: it uses the rights of an existing plant, or requests rights without a plant.
 */
export type Exclusion = "energized" | "operating" | "void_window" | "existing_rights";

/**
 * The inputs of a score, stored with their hash. Dates are as filed; distances count from `judged_from`, the first day of a month, so that the
 * inputs stay equal until the request or the month changes. A new threshold is a new code, never a new meaning of an old one.
 */
export interface ScoreInputs {
	/** Absent if there is no such reason. */
	exclusion?: Exclusion;
	kind: RequestKind;
	status: Status;
	stage: ConstructionStage;
	region: Region;
	milestone: Milestone;
	has_ia: boolean;
	/** The day from which the chance and distances count: the first of the month nearest to the day of the list. Null: not scored. */
	judged_from: string | null;
	cod: string | null;
	/**
	 * Where the projected date lies: `ahead` of today, or `past` already on the day of the list. One that has passed since is `overdue` if a later
	 * list of the EIA has the plant under construction, else `passed_since`: no list says whether the plant came. The dates of a request that is not
	 * scored are not compared.
	 */
	cod_position: "ahead" | "past" | "overdue" | "passed_since" | "none" | "not_judged";
	/** First day of the month of the EIA's list with the plant under construction; absent if there is none, or the request has no agreement. */
	construction_reported?: string;
	ia_date: string | null;
	technology: string;
	capacity_mw: number | null;
	incremental_mw: number | null;
	/** Whether interconnection costs more than $250/kW; null if no cost is known. */
	high_ic_cost: boolean | null;
	duplicate: boolean;
	distress: RatedDistressLevel | null;
	developer_tier: DeveloperTier;
	/** The share of the developer's finished requests that it built, compared with the usual share. */
	developer_record: "above" | "usual" | "below" | "too_few";
	credit_type: CreditType | null;
	/** Effective rate, as a fraction; null if not determined. */
	credit_rate: number | null;
	credit_conditional: boolean;
	/** Used only in the explanation, not in the points. */
	capacity: "stated" | "missing" | "not_positive" | "implausible";
}
