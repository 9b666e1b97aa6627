/** All operations of this service. A missing or additional operation does not compile. */
import type { Handlers } from "#libs/contract/index.ts";
import { listDatacenterPipeline, listDatacenters } from "./datasets/datacenters/operations.ts";
import { listMarketHubs, listMarketPrices } from "./datasets/prices/operations.ts";
import { getDeveloper, getDeveloperHistory, listDeveloperProjects } from "./developers/operations/get-developer.ts";
import { getDeveloperStats, listDevelopers, listNameReviews } from "./developers/operations/list-developers.ts";
import { searchDevelopers } from "./developers/operations/search-developers.ts";
import {
	exportChanges,
	exportDevelopers,
	exportPlants,
	exportPrices,
	exportProjects,
} from "./extracts/export-operations.ts";
import { getArchiveFile, listArchive } from "./history/dated-files/operations.ts";
import { readNewestSeq } from "./history/newest-seq.ts";
import { listGenerators } from "./plants/operations/list-generators.ts";
import { listPlants } from "./plants/operations/list-plants.ts";
import { getFile, getFileBytes } from "./provenance/operations/get-file.ts";
import { getProjectProvenance } from "./provenance/operations/get-project-provenance.ts";
import { listProvenanceRules, verifyValue } from "./provenance/operations/verify-value.ts";
import { describeCoverage, describeDatabases } from "./quality/coverage/describe-coverage.ts";
import { listPipelines, listSources } from "./quality/coverage/list-sources.ts";
import { getDispute, recordDispute } from "./quality/disputes/record-dispute.ts";
import { getReconciliation } from "./quality/reconciliation/reconcile.ts";
import { getDgStats, listDg } from "./queues/distributed/operations.ts";
import { getProjectTile } from "./queues/map/kept-places.ts";
import { compareDays } from "./queues/operations/compare-days.ts";
import { FiledValues } from "./queues/operations/filed-values.ts";
import { getOwnership } from "./queues/operations/get-ownership.ts";
import { getProject, getProjectHistory, resolveProject } from "./queues/operations/get-project.ts";
import { getQueueIntegrity, listIntegrityFindings } from "./queues/operations/get-queue-integrity.ts";
import { getStats, summariseMilestones, validate } from "./queues/operations/get-stats.ts";
import { groupProjects } from "./queues/operations/group-projects.ts";
import { listChanges, listProjectChanges } from "./queues/operations/list-changes.ts";
import { listProjects } from "./queues/operations/list-projects.ts";
import { getPoi, listPois } from "./queues/operations/pois.ts";
import { search } from "./queues/operations/search.ts";
import { summariseChanges } from "./queues/operations/summarise-changes.ts";
import { resolve, resolveMany } from "./queues/resolve/resolve-queries.ts";
import type { Resources } from "./resources.ts";
import { getSourceContracts } from "./sources/structure/get-source-contracts.ts";

export const operations = (resources: Resources, filed = new FiledValues(resources.sql)): Handlers<"queue-ingest"> => ({
	listProjects: filed.checked(listProjects(resources)),
	groupProjects: filed.checked(groupProjects(resources)),
	listPois: listPois(resources.sql),
	getPoi: getPoi(resources),
	getProjectTile: filed.checked(getProjectTile(resources)),
	summariseMilestones: summariseMilestones(resources),
	getProject: getProject(resources),
	getProjectHistory: getProjectHistory(resources.sql),
	getProjectProvenance: getProjectProvenance(resources),
	verifyValue: verifyValue(resources),
	listProvenanceRules: listProvenanceRules(resources),
	getFile: getFile(resources),
	getFileBytes: getFileBytes(resources),
	getDeveloperHistory: getDeveloperHistory(resources.sql),
	compareDays: filed.checked(compareDays(resources)),
	resolveProject: resolveProject(resources.sql),
	readNewestSeq: readNewestSeq(resources.sql),
	getOwnership: getOwnership(resources),
	exportProjects: filed.checkedFile(exportProjects(resources)),
	exportChanges: filed.checkedFile(exportChanges(resources)),
	exportDevelopers: exportDevelopers(resources),
	exportPlants: exportPlants(resources.sql),
	exportPrices: exportPrices(resources.sql),
	listArchive: listArchive(resources),
	getArchiveFile: getArchiveFile(resources),
	getStats: getStats(resources),
	search: search(resources),
	listDevelopers: listDevelopers(resources),
	searchDevelopers: searchDevelopers(resources),
	getDeveloperStats: getDeveloperStats(resources),
	getDeveloper: getDeveloper(resources),
	listDeveloperProjects: filed.checked(listDeveloperProjects(resources)),
	getDispute: getDispute(resources.sql),
	recordDispute: recordDispute(resources),
	listMarketPrices: listMarketPrices(resources.sql),
	listMarketHubs: listMarketHubs(resources.sql),
	listNameReviews: listNameReviews(resources.sql),
	listDatacenters: listDatacenters(resources.sql),
	listDatacenterPipeline: listDatacenterPipeline(resources.sql),
	listPlants: listPlants(resources.sql),
	listGenerators: listGenerators(resources.sql),
	listDg: listDg(resources.sql),
	getDgStats: getDgStats(resources.sql),
	listChanges: filed.checked(listChanges(resources)),
	listProjectChanges: listProjectChanges(resources),
	summariseChanges: summariseChanges(resources),
	getQueueIntegrity: getQueueIntegrity(resources),
	listIntegrityFindings: listIntegrityFindings(resources),
	validate: validate(resources),
	resolve: resolve(resources.sql),
	resolveMany: resolveMany(resources.sql),
	getSourceContracts: getSourceContracts(resources),
	getReconciliation: getReconciliation(resources.sql),
	listPipelines: listPipelines(resources),
	listSources: listSources(resources.sql),
	describeCoverage: describeCoverage(resources.sql),
	describeDatabases: describeDatabases(resources.sql),
});
