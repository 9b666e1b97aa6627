/** Every operation this service answers. The type demands exactly the contract's: one more or one less does not compile. */
import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { describeCoverage } from "./describe-coverage.ts";
import { describeDatabases } from "./describe-databases.ts";
import { exportProjects } from "./export-projects.ts";
import { getDeveloper } from "./get-developer.ts";
import { getDeveloperStats } from "./get-developer-stats.ts";
import { getDgStats } from "./get-dg-stats.ts";
import { getOwnership } from "./get-ownership.ts";
import { getProject } from "./get-project.ts";
import { getQueueIntegrity } from "./get-queue-integrity.ts";
import { getStats } from "./get-stats.ts";
import { listChanges } from "./list-changes.ts";
import { listDatacenterPipeline } from "./list-datacenter-pipeline.ts";
import { listDatacenters } from "./list-datacenters.ts";
import { listDeveloperProjects } from "./list-developer-projects.ts";
import { listDevelopers } from "./list-developers.ts";
import { listDg } from "./list-dg.ts";
import { listGenerators } from "./list-generators.ts";
import { listMarketHubs } from "./list-market-hubs.ts";
import { listMarketPrices } from "./list-market-prices.ts";
import { listNameReviews } from "./list-name-reviews.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listPlants } from "./list-plants.ts";
import { listProjectChanges } from "./list-project-changes.ts";
import { listProjects } from "./list-projects.ts";
import { listSources } from "./list-sources.ts";
import { resolveProject } from "./resolve-project.ts";
import { search } from "./search.ts";
import { searchDevelopers } from "./search-developers.ts";
import { summariseChanges } from "./summarise-changes.ts";
import { summariseMilestones } from "./summarise-milestones.ts";
import { validate } from "./validate.ts";

export const operations = (resources: Resources): Handlers<"queue-ingest"> => ({
	listProjects: listProjects(resources),
	summariseMilestones: summariseMilestones(resources.sql),
	getProject: getProject(resources.sql),
	resolveProject: resolveProject(resources.sql),
	getOwnership: getOwnership(resources.sql),
	exportProjects: exportProjects(resources.sql),
	getStats: getStats(resources.sql),
	search: search(resources.sql),
	listDevelopers: listDevelopers(resources.sql),
	searchDevelopers: searchDevelopers(resources.sql),
	getDeveloperStats: getDeveloperStats(resources.sql),
	getDeveloper: getDeveloper(resources.sql),
	listDeveloperProjects: listDeveloperProjects(resources.sql),
	listMarketPrices: listMarketPrices(resources.sql),
	listMarketHubs: listMarketHubs(resources.sql),
	listNameReviews: listNameReviews(resources.sql),
	listDatacenters: listDatacenters(resources.sql),
	listDatacenterPipeline: listDatacenterPipeline(resources.sql),
	listPlants: listPlants(resources.sql),
	listGenerators: listGenerators(resources.sql),
	listDg: listDg(resources.sql),
	getDgStats: getDgStats(resources.sql),
	listChanges: listChanges(resources),
	listProjectChanges: listProjectChanges(resources.sql),
	summariseChanges: summariseChanges(resources),
	getQueueIntegrity: getQueueIntegrity(resources),
	validate: validate(resources.sql),
	listPipelines: listPipelines(resources),
	listSources: listSources(resources.sql),
	describeCoverage: describeCoverage(resources.sql),
	describeDatabases: describeDatabases(resources.sql),
});
