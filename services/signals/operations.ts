/** All operations of this service. A missing or unknown one is a compile error. */
import type { Handlers } from "#libs/contract/index.ts";
import { listMaEvents, listMaReviews, summariseMaEvents } from "./deals/operations.ts";
import { listMaterialEvents } from "./filings/operations.ts";
import {
	describeSignalCoverage,
	describeSignalDatabases,
	listSignalPipelines,
	listSignalSources,
} from "./ingest/operations.ts";
import { listDeveloperEvents, listEvents, summariseEvents } from "./news/operations.ts";
import { listCapitalRaises } from "./raises/operations.ts";
import type { Resources } from "./records/storing.ts";

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
