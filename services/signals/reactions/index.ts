/** Every event that this service consumes. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reacting, react } from "#libs/bus/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { confirmDeals } from "./confirm-deals.ts";
import { copyDevelopers } from "./copy-developers.ts";
import { copyProjects } from "./copy-projects.ts";
import { forgetSample } from "./forget-sample.ts";
import { recordOwnership } from "./record-ownership.ts";
import { judgeTransfers, recordTransfers } from "./record-transfers.ts";

/** Starts every reaction; each is to be closed. */
export const startReactions = (bus: Bus, sql: Sql): Promise<Reacting[]> =>
	Promise.all([
		react(bus, sql, copyDevelopers),
		react(bus, sql, copyProjects),
		react(bus, sql, recordOwnership),
		react(bus, sql, recordTransfers),
		react(bus, sql, judgeTransfers),
		react(bus, sql, confirmDeals),
		react(bus, sql, forgetSample),
	]);
