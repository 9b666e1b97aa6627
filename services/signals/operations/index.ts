/** Every operation this service answers. The type demands exactly the contract's: one more or one less does not compile. */
import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { describeSignalCoverage } from "./describe-signal-coverage.ts";
import { describeSignalDatabases } from "./describe-signal-databases.ts";
import { listCapitalRaises } from "./list-capital-raises.ts";
import { listDeveloperEvents } from "./list-developer-events.ts";
import { listEvents } from "./list-events.ts";
import { listMaEvents } from "./list-ma-events.ts";
import { listMaReviews } from "./list-ma-reviews.ts";
import { listMaterialEvents } from "./list-material-events.ts";
import { listSignalPipelines } from "./list-signal-pipelines.ts";
import { listSignalSources } from "./list-signal-sources.ts";
import { summariseEvents } from "./summarise-events.ts";
import { summariseMaEvents } from "./summarise-ma-events.ts";

export const operations = (resources: Resources): Handlers<"signals"> => ({
	listEvents: listEvents(resources),
	summariseEvents: summariseEvents(resources),
	listDeveloperEvents: listDeveloperEvents(resources),
	listCapitalRaises: listCapitalRaises(resources.sql),
	listMaEvents: listMaEvents(resources.sql),
	summariseMaEvents: summariseMaEvents(resources.sql),
	listMaReviews: listMaReviews(resources.sql),
	listMaterialEvents: listMaterialEvents(resources.sql),
	listSignalPipelines: listSignalPipelines(resources),
	listSignalSources: listSignalSources(resources.sql),
	describeSignalCoverage: describeSignalCoverage(resources.sql),
	describeSignalDatabases: describeSignalDatabases(resources.sql),
});
