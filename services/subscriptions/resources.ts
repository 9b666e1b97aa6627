import type { Sql } from "#libs/postgres/connect.ts";
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Sender } from "./dispatch/send.ts";
import type { Ask, ChangeLog } from "./log/change-log.ts";

export interface Limits {
	webhooksPerAccount: number;
	watchlistsPerAccount: number;
	watchlistRequests: number;
	freeWatchlistRequests: number;
	freeWatchlistDays: number;
	filtersBytes: number;
	savedQueriesPerAccount: number;
}

/** Dependencies of every operation. */
export interface Resources {
	sql: Sql;
	now(): Date;
	ask: Ask;
	log: ChangeLog;
	sender: Sender;
	/** Slots of requests that wait for a customer's server or its names: other requests need places, too. */
	outgoing: FairQueue;
	limits: Limits;
}
