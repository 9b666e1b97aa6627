/** An open request, or one that has left its operator's lists, and evidence of what became of it. Pure. */
import type {
	ConstructionStage,
	evidenceBases,
	Listing,
	PlantReport,
	PlantState,
	PlantStateBasis,
	Status,
} from "#libs/contract/vocabulary.ts";
import type { Addition, PlantPart } from "./addition.ts";

/** A request as its operator filed it. */
export interface OpenRequest {
	status: string | null;
	statusStd: Status;
	listed: Listing;
	name: string | null;
	typeStd: string;
	capacityMw: number | null;
	/** Parts of a plant of several technologies. */
	components: readonly PlantPart[];
	/** Whether the operator's lists show that the request adds parts to a plant. */
	isAddition: boolean;
	stage: ConstructionStage;
	plantState: PlantState;
	queueDate: string | null;
	cod: string | null;
	/** Whether other requests have the same number (ISO-NE), so that the number alone does not identify this one. */
	sharesNumber: boolean;
}

export interface Evidence {
	/** Null if the status stays as filed. */
	status: Extract<Status, "Operational" | "Withdrawn"> | null;
	statusBasis: (typeof evidenceBases)[number];
	/** Day of the outcome. */
	on: string | null;
	plantState: Extract<PlantState, "operating" | "partially_operating" | "under_construction" | "none" | "unknown">;
	/** The EIA's report of a plant that is not in service. */
	reported?: { plant_report: PlantReport; plant_reported_on: string; construction_begun_by: string | null };
	/** MW in service of a plant that operates in part. */
	operatingMw?: number;
	basis: PlantStateBasis | null;
	/** Parts that a modification adds to an operating plant. */
	adds?: Addition;
	/** Stored as `construction_stage_confidence`; unused if the stage stays as filed. */
	confidence: number;
	/** The source, and what it states. */
	statement: string;
}

/** Evidence that a plant operates. */
export interface OperatingEvidence {
	basis: PlantStateBasis;
	confidence: number;
	statement: string;
}

export const otherSourceBasis = { statusBasis: "other_source", on: null } as const;
