/** All events that this service consumes. Each reaction stores a copy and queues the rows that `jobs/scoring-worker.ts` has to recompute. */
import type { Bus } from "#libs/bus/connect.ts";
import { type RunningReaction, react } from "#libs/bus/events/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { copyDevelopers, copyProjects, removeSampleData } from "./queue-ingest.ts";
import { recordFilings, recordNews, recordRaises, recordTransfers } from "./signals.ts";

/** Starts every reaction; the caller closes each. */
export const startReactions = (bus: Bus, sql: Sql): Promise<RunningReaction[]> =>
	Promise.all([
		react(bus, sql, copyProjects),
		react(bus, sql, copyDevelopers),
		react(bus, sql, recordNews),
		react(bus, sql, recordRaises),
		react(bus, sql, recordFilings),
		react(bus, sql, recordTransfers),
		react(bus, sql, removeSampleData),
	]);
