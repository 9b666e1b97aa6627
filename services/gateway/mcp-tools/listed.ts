/**
 * What `tools/list` names: the operations of the usual questions, each with the parameters that they need. A model reads the list before
 * every conversation, so it has to be short; every other operation and parameter is found by `find_operations` and taken as well.
 */
import type { OperationName } from "#libs/contract/index.ts";

const requests = ["region", "state", "county", "fuel_type", "status", "capacity_min", "developer", "q"] as const;
const page = ["page", "per_page"] as const;

export const listed: Partial<Record<OperationName, readonly string[]>> = {
	search: ["q"],
	listProjects: [...requests, "construction_stage", "min_score", "as_of", "sort", "order", "fields", ...page],
	getProject: ["project_id", "as_of", "fields"],
	groupProjects: ["by", ...requests, "as_of", ...page],
	getStats: ["as_of"],
	getOwnership: ["project_id"],
	getProjectHistory: ["project_id", ...page],
	getProjectProvenance: ["project_id", "field"],
	listChanges: ["since", "until", "change_type", ...requests, "fields", ...page],
	summariseChanges: ["region", "since_days"],
	compareDays: ["from", "to", "by", "region", "state", "fuel_type", ...page],
	searchDevelopers: ["q"],
	listDevelopers: ["q", "tier", "state", "min_projects", "sort", "order", ...page],
	getDeveloper: ["developer_id"],
	listDeveloperProjects: ["developer_id", "region", "state", "status", "sort", "order", ...page],
	getDeveloperCapital: ["developer_id"],
	getScore: ["project_id", "as_of"],
	listInvestable: ["region", "state", "technology", "capacity_min", "min_score", ...page],
	listItcDeals: ["region", "state", "technology", "status", "min_rate", ...page],
	calculateTaxCredits: ["technology", "capacity_mw", "state", "county", "cod_year", "construction_start", "credit"],
	getProjectTaxCredit: ["project_id"],
	listEvents: ["developer", "event_type", "days", ...page],
	listCapitalRaises: ["developer", "issuer", "since", ...page],
	listMaEvents: ["developer", "region", "technology", "since", ...page],
	listMarketPrices: ["region", "hub", "market", "interval", "from", "to", ...page],
	listPlants: ["q", "state", "technology", "capacity_min", ...page],
	getSourceFreshness: [],
	getQuerySchema: ["database"],
	runQuery: ["sql", "database"],
	exportProjects: [...requests, "as_of", "fields", "limit"],
};

/** What a short answer shows of each row where nothing is chosen by `fields`. */
export const shortFields: Partial<Record<OperationName, readonly string[]>> = {
	listProjects: [
		"id",
		"name",
		"region",
		"state",
		"county",
		"type_std",
		"status_std",
		"capacity_mw",
		"queue_date",
		"cod",
		"developer_canonical",
		"investability_score",
	],
	listChanges: ["seq", "detected_at", "project_id", "region", "change_type", "field_name", "old_value", "new_value"],
};
