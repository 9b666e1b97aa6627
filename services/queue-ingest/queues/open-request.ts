/** A request that its operator lists as open, or lists no more, and evidence of what became of it. Pure. */
import type {
	ConstructionStage,
	evidenceBases,
	Listing,
	PlantState,
	PlantStateBasis,
	Status,
} from "#libs/contract/vocabulary.ts";
import type { Addition, PlantPart } from "./addition.ts";

/** As its operator filed it. */
export interface OpenRequest {
	status: string | null;
	statusStd: Status;
	listed: Listing;
	/** ISO moment of the first list without it. */
	missingSince: string | null;
	name: string | null;
	typeStd: string;
	capacityMw: number | null;
	/** Its parts, of a plant of several technologies. */
	components: readonly PlantPart[];
	/** It is for an addition that its lists show. */
	isAddition: boolean;
	stage: ConstructionStage;
	plantState: PlantState;
	queueDate: string | null;
	cod: string | null;
	/** Other requests have the same number (ISO-NE): it alone identifies none of them. */
	sharesNumber: boolean;
}

export interface Evidence {
	/** Null: the status stays as filed. */
	status: Extract<Status, "Operational" | "Withdrawn" | "Unknown"> | null;
	statusBasis: (typeof evidenceBases)[number];
	/** Day of the outcome. */
	on: string | null;
	plantState: Extract<PlantState, "operating" | "under_construction" | "none" | "unknown">;
	basis: PlantStateBasis | null;
	/** It is a modification of a plant that runs, and adds this. */
	adds?: Addition;
	/** Confidence in the resulting stage, as `construction_stage_confidence`; of no use where the stage stays as filed. */
	confidence: number | null;
	/** Who says what, and when: for people. */
	says: string;
}

/** Evidence that a plant runs. */
export interface Found {
	basis: PlantStateBasis;
	confidence: number;
	says: string;
}

export const byOthers = { statusBasis: "other_source", on: null } as const;
