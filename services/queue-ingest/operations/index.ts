/** Every operation this service answers. The type demands exactly the contract's: one more or one less does not compile. */
import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { describeDatabases } from "./describe-databases.ts";
import { exportProjects } from "./export-projects.ts";
import { getProject } from "./get-project.ts";
import { getQueueIntegrity } from "./get-queue-integrity.ts";
import { getStats } from "./get-stats.ts";
import { listChanges } from "./list-changes.ts";
import { listPipelines } from "./list-pipelines.ts";
import { listProjects } from "./list-projects.ts";
import { listSources } from "./list-sources.ts";
import { search } from "./search.ts";
import { summariseChanges } from "./summarise-changes.ts";
import { summariseMilestones } from "./summarise-milestones.ts";
import { validate } from "./validate.ts";

export const operations = (resources: Resources): Handlers<"queue-ingest"> => ({
	listProjects: listProjects(resources.sql),
	summariseMilestones: summariseMilestones(resources.sql),
	getProject: getProject(resources.sql),
	exportProjects: exportProjects(resources.sql),
	getStats: getStats(resources.sql),
	search: search(resources.sql),
	listChanges: listChanges(resources),
	summariseChanges: summariseChanges(resources),
	getQueueIntegrity: getQueueIntegrity(resources),
	validate: validate(resources.sql),
	listPipelines: listPipelines(resources),
	listSources: listSources(resources.sql),
	describeDatabases: describeDatabases(resources.sql),
});
