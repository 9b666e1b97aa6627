/** What is known of a request and of its developer, as it is scored. Dates are `YYYY-MM-DD`; comparing them as text orders them. */
import type { Project } from "#libs/contract/records/project.ts";
import type { DeveloperTier, Region } from "#libs/contract/vocabulary.ts";

/** A move of the projected date of commercial operation, as the change feed has it. */
export interface CodChange {
	on: string;
	old: string | null;
	new: string | null;
}

/** Fields of the request that scores look at. */
export const factFields = [
	...(["name", "region", "kind", "state", "fips", "counties", "developer_id", "developer_tier", "type_std"] as const),
	...(["status_std", "capacity_mw", "queue_date", "cod", "ia_date", "security_posted", "construction_stage"] as const),
	...(["study_phase", "study_phase_filed", "ia_status", "poi"] as const),
] as const;

/** A copy of the request: what queue-ingest last announced of it. */
export interface ProjectFacts extends Pick<Project, Exclude<(typeof factFields)[number], "region" | "developer_tier">> {
	project_id: string;
	/** Day of the newest list of those that it stands in; null where none was announced. */
	facts_as_of: string | null;
	region: Region;
	developer_tier: DeveloperTier;
	/** It has coordinates of its point of interconnection or its county. */
	located: boolean;
	/** Oldest first. */
	cod_changes: CodChange[];
}

/** As columns of a row `p`. */
export const factColumns = factFields.map((name) => `p.${name}`).join(", ");
