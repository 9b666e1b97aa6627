/** The reads that pages make: the interface's own, at addresses below `/web/data`, free, under a limit of their own for each address. */

import type { OperationName } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";

const prefix = "/web/data";

const names: ReadonlySet<OperationName> = new Set<OperationName>([
	"getStats",
	"listProjects",
	"groupProjects",
	"getFreshness",
	"getProjectTile",
	"listChanges",
	"streamChanges",
	"search",
	"getSourceFreshness",
	"getQueueIntegrity",
	"getReconciliation",
	"getSourceContracts",
	"getCoverage",
	"getProject",
	"getProjectHistory",
	"getProjectProvenance",
	"listProvenanceRules",
	"getScore",
	"summariseChanges",
	"compareDays",
	"getDeveloper",
	"getDispute",
	"listDeveloperProjects",
	"getScoreBacktest",
	"getScoreHistory",
	"listProjects",
	"getOwnership",
	"getProjectTaxCredit",
	"listDeveloperEvents",
	"listMaterialEvents",
	"listCapitalRaises",
	"listMaEvents",
	"getDeveloperCapital",
	"getCapitalLeaderboard",
	"getDeveloperHistory",
	"listDevelopers",
	"getQuerySchema",
	"getPricingInfo",
	"listPlans",
	"getOpenapi",
	"getAsyncapi",
	"getUsage",
	"listWebhooks",
	"listDeliveries",
	"listWatchlists",
	"listWatchlistChanges",
]);

export const pageReads = (): HttpOperation[] =>
	httpOperations()
		.filter(({ name }) => names.has(name))
		.map(({ name, operation, http }) => {
			const read = { ...http, path: `${prefix}${http.path}` as const, price: "free" as const };
			return { name, operation: { ...operation, http: read }, http: read, limit: "pages" };
		});
