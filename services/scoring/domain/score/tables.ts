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

/** Points are of 100 of their component. */
export interface ScoreTables {
	version: number;
	title: string;
	/** They add up to 1, to three decimals each. */
	weights: Readonly<Record<ScoreComponent, number>>;
	/** milestone_progress is its chance of operation within 36 months, in points. */
	readonly model: ChanceModel;
	tiers: Readonly<Record<DeveloperTier, number>>;
	/** Added to the tier's points for a developer that builds clearly more or less of its requests than is usual. */
	developerRecord: Readonly<{ above: number; below: number }>;
	credit: Readonly<{
		/** Effective rate, as a fraction, that is worth 100. */
		fullRate: number;
		/** Share of its worth that a conditional credit counts before construction. */
		conditionalShare: number;
	}>;
	deductions: Readonly<Record<DeductionKind, number>>;
	/** Best first; the last begins at 0. */
	grades: readonly Readonly<{ grade: Grade; from: number }>[];
}

/**
 * `energized`, `operating`: an outcome already; `void_window`: void by the operator's process; `existing_rights`: it uses rights of an
 * existing plant, or asks for rights alone.
 */
export type Exclusion = "energized" | "operating" | "void_window" | "existing_rights";

/**
 * Dates enter as they are filed, beside the first day of a month from which their distance counts: inputs, which are stored under their hash,
 * stay equal until the request or the month changes. A new threshold is a new code, never a new meaning of an old one.
 */
export interface ScoreInputs {
	/**
	 * It cannot be invested in, whatever its stage; absent where it can. With `date_passed`, the projected date on the day of the list, it is
	 * scored; with the others it is not.
	 */
	exclusion?: Exclusion | "date_passed";
	kind: RequestKind;
	status: Status;
	stage: ConstructionStage;
	region: Region;
	milestone: Milestone;
	has_ia: boolean;
	/** The day from which chance and distances count: the first of a month nearest to the day of the list. Null: not scored. */
	judged_from: string | null;
	cod: string | null;
	/** Projected commercial operation, as seen from the day of the list itself. Dates of a request that is not scored are not judged. */
	cod_position: "ahead" | "past" | "none" | "not_judged";
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
	/** Enters the explanation, never the points. */
	capacity: "stated" | "missing" | "not_positive" | "implausible";
}
