/** Everything this service subscribes to. */
import type { Bus } from "#libs/bus/connect.ts";
import { type Reacting, react } from "#libs/bus/react.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { recordUsage } from "./record-usage.ts";

/** Starts every reaction; the caller closes each. */
export const startReactions = (bus: Bus, sql: Sql): Promise<Reacting[]> => Promise.all([react(bus, sql, recordUsage)]);
