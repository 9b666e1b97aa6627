/**
 * Reads that pages make: operations of the interface at addresses below `/web/data`, which are free and have separate limits. Priced ones are
 * available only to pages (`authorization/page-tokens.ts`), only near the start of a list, and up to the rows that a network may read in a day
 * (both `pipeline/page-read.ts`).
 */
import type { OperationName } from "#libs/contract/index.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";

const prefix = "/web/data";

const readableNames: ReadonlySet<OperationName> = new Set<OperationName>([
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
	"getDataCatalog",
	"getPoi",
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
	"listInvestable",
	"listItcDeals",
	"listEvents",
	"listPois",
	"listDatacenters",
	"listDatacenterPipeline",
	"listMarketPrices",
	"listPlants",
	"listGenerators",
	"getQuerySchema",
	"getPricingInfo",
	"listPlans",
	"getOpenapi",
	"getAsyncapi",
	"getManifest",
	"getUsage",
	"listWebhooks",
	"listDeliveries",
	"listWatchlists",
	"listWatchlistChanges",
]);

export const pageReads = (): HttpOperation[] =>
	httpOperations()
		.filter(({ name }) => readableNames.has(name))
		.map(({ name, operation, http }) => {
			const read = { ...http, path: `${prefix}${http.path}` as const, price: "free" as const };
			// A read takes at least ten rows for each cent of the operation's price.
			const pageRead = { minRows: priceMicroUsd[http.price] / 1_000 };
			return { name, operation: { ...operation, http: read }, http: read, pageRead };
		});
