/**
 * What a score is computed with: one version's weights, points and thresholds. A version is never edited once it has been served, so
 * that equal inputs under it give the same score for ever; another judgement is another version.
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

/** How far a request has come, least first: a later one never has fewer points. Suspended stands outside this order. */
export const progress = [
	/** The operator does not publish the stage. */
	"unstated",
	"not_started",
	/** A feasibility or screening study. */
	"feasibility",
	"impact_study_pending",
	/** The first phase of a cluster's study, and the decision after it. */
	"cluster_phase_1",
	"impact_study",
	/** ERCOT's full interconnection study. */
	"full_study",
	"impact_study_complete",
	"cluster_phase_2",
	/** Apart, because four of ten requests of PJM in this study withdrew within nine months (queues.md 7.1). */
	"facilities_study_pjm",
	"facilities_study",
	"full_study_complete",
	"agreement_negotiated",
	/** Executed, and the operator says that no security is posted. */
	"agreement_unsecured",
	/** Executed; whether security is posted is not published. */
	"agreement_executed",
	/** Executed and secured. */
	"agreement_secured",
	"construction",
] as const;
export const milestones = [...progress, "suspended"] as const;
export type Milestone = (typeof milestones)[number];

/** What deal_cleanliness loses points for. */
export const deductionKinds = [
	"cod_slipped",
	"cod_past",
	"queued_over_4_years",
	"queued_2_to_4_years",
	"no_poi",
	"not_located",
	"no_cod",
	"high_ic_cost",
	"duplicate",
	"distress_high",
	"distress_elevated",
] as const;
export type DeductionKind = (typeof deductionKinds)[number];

/** Posture of a region without a usable record. */
export const middlePosture = 50;

/** Points are of 100 of their component. */
export interface ScoreTables {
	version: number;
	/** For people: what distinguishes this version. */
	title: string;
	/** Sum to 1, to three decimals each. */
	weights: Readonly<Record<ScoreComponent, number>>;
	milestones: Readonly<Record<Milestone, number>>;
	/** Of the regions with a usable record; the others have the middle. */
	posture: Readonly<Partial<Record<Region, number>>>;
	tiers: Readonly<Record<DeveloperTier, number>>;
	/** Added to the tier's points for a developer that builds clearly more or less of its requests than is usual. */
	developerRecord: Readonly<{ above: number; below: number }>;
	credit: Readonly<{
		/** Effective rate, as a fraction, that is worth 100. */
		fullRate: number;
		/** What a conditional credit counts of its worth before construction. */
		conditionalShare: number;
	}>;
	deductions: Readonly<Record<DeductionKind, number>>;
	/** Best first; the last begins at 0. */
	grades: readonly Readonly<{ grade: Grade; from: number }>[];
	investable: Readonly<{ score: number; stages: readonly ConstructionStage[] }>;
}

/**
 * What a score is computed from. Dates and amounts enter as what the score asks of them, so that the inputs, which are stored under
 * their hash, stay equal from day to day until one passes a threshold. A change of a threshold here is a new word, never a new
 * meaning of an old one.
 */
export interface ScoreInputs {
	kind: RequestKind;
	status: Status;
	stage: ConstructionStage;
	region: Region;
	milestone: Milestone;
	/** An interconnection agreement is executed. */
	has_ia: boolean;
	/** Projected commercial operation, as seen from the day of the list. The words of days are not judged for a request that is not scored. */
	cod_position: "ahead" | "past" | "none" | "not_judged";
	/** How far ahead it lies; absent in inputs that were stored before version 3. */
	cod_distance?: "past" | "under_1_year" | "1_to_2_years" | "2_to_3_years" | "over_3_years" | "none" | "not_judged";
	/** How much later it is projected now than 24 months before that day. */
	cod_slip: "under_12_months" | "12_months_or_more" | "not_judged";
	queue_age: "under_2_years" | "2_to_4_years" | "over_4_years" | "unknown" | "not_judged";
	poi: boolean;
	/** A county or coordinates are known. */
	located: boolean;
	/** Interconnection costs more than $250/kW; null where no cost is known. */
	high_ic_cost: boolean | null;
	duplicate: boolean;
	/** Of the developer; null where unknown. */
	distress: JudgedDistressLevel | null;
	developer_tier: DeveloperTier;
	/** How many of its finished requests the developer built, against what is usual. */
	developer_record: "above" | "usual" | "below" | "too_few";
	credit_type: CreditType | null;
	/** Effective, as a fraction; null where not determined. */
	credit_rate: number | null;
	credit_conditional: boolean;
	/** Enters the explanation, never the points. */
	capacity: "stated" | "missing" | "not_positive" | "implausible";
}
