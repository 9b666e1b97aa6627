/** Every event that this service consumes. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reacting, react } from "#libs/bus/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { copyRatings } from "./developers/copy-ratings.ts";
import { copyScores } from "./queues/copy-scores.ts";

/** Starts every reaction; each is to be closed. */
export const startReactions = (bus: Bus, sql: Sql): Promise<Reacting[]> =>
	Promise.all([react(bus, sql, copyScores), react(bus, sql, copyRatings)]);
