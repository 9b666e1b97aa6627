/** All events that this service consumes. */
import type { Bus } from "#libs/bus/connect.ts";
import { type RunningReaction, react } from "#libs/bus/events/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { copyDevelopers, copyProjects } from "./companies/copies.ts";
import { confirmDeals, judgeLists, recordTransfers } from "./deals/reactions.ts";
import { recordOwnership } from "./deals/record-ownership.ts";
import { removeSampleData } from "./ingest/sample.ts";

/** Starts every reaction. The caller closes them. */
export const startReactions = (bus: Bus, sql: Sql): Promise<RunningReaction[]> =>
	Promise.all([
		react(bus, sql, copyDevelopers),
		react(bus, sql, copyProjects),
		react(bus, sql, recordOwnership),
		react(bus, sql, recordTransfers),
		react(bus, sql, judgeLists),
		react(bus, sql, confirmDeals),
		react(bus, sql, removeSampleData),
	]);
