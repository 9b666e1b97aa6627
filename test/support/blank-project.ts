import { blankProject as nothing, type Project } from "#libs/contract/records/project.ts";

/** A request for generation of which nothing more is filed, as it is announced. */
export const blankProject: Omit<Project, "id" | "queue_id" | "version"> = {
	...nothing,
	region: "PJM",
	counties: [],
	type_std: "Solar",
	kind: "generation",
	status_std: "Active",
	status_basis: "filed",
	plant_state: "none",
	plant_state_basis: "operator",
	request_class: "new",
	capacity_basis: "injection_limit",
	incremental_mw: 100,
	listed: "listed",
	capacity_mw: 100,
	components: [],
	construction_stage: "early",
	construction_stage_confidence: 0.5,
	ia_status: "In Progress (unknown study)",
	feed: "pjm-cycle",
	first_seen_at: "2026-06-01T00:00:00Z",
	last_changed_at: "2026-06-01T00:00:00Z",
};
