/** What is known of a request and of its developer, as it is scored. Dates are `YYYY-MM-DD`; comparing them as text orders them. */
import type {
	ConstructionStage,
	DeveloperTier,
	IaStatus,
	Region,
	RequestKind,
	Status,
	StudyPhase,
} from "#libs/contract/vocabulary.ts";

/** A move of the projected date of commercial operation, as the change feed has it. */
export interface CodChange {
	on: string;
	old: string | null;
	new: string | null;
}

/** A copy of the request: what queue-ingest last announced of it. */
export interface ProjectFacts {
	project_id: string;
	/** Day of the newest list of those that it stands in; null where none was announced. */
	facts_as_of: string | null;
	name: string | null;
	region: Region;
	kind: RequestKind;
	state: string | null;
	/** First county's FIPS code, five digits. */
	fips: string | null;
	/** Every county as filed: a request on a border names several. */
	counties: string[];
	developer_id: number | null;
	developer_tier: DeveloperTier;
	/** A word of `technologies`, or an operator's that none fits. */
	type_std: string;
	status_std: Status;
	/** MW at the point of interconnection; null where none is stated. */
	capacity_mw: number | null;
	queue_date: string | null;
	/** Projected commercial operation. */
	cod: string | null;
	ia_date: string | null;
	security_posted: boolean | null;
	construction_stage: ConstructionStage;
	study_phase: StudyPhase | null;
	/** The operator's own words. */
	study_phase_filed: string | null;
	ia_status: IaStatus;
	poi: string | null;
	/** It has coordinates of its point of interconnection or its county. */
	located: boolean;
	/** Oldest first. */
	cod_changes: CodChange[];
}
