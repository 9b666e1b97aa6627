/** Forgets received messages once they cannot arrive again: the inbox must not grow for ever. */
import { streamAgeHours } from "#libs/bus/topology.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { pruneInbox } from "#libs/postgres/inbox.ts";
import type { Logger } from "./logger.ts";
import { schedule } from "./schedule.ts";

/** The stream keeps an event for half of it; the rest is for clocks that differ and deliveries under way. */
const inboxHours = 2 * streamAgeHours;
const hourMs = 3_600_000;

export interface ForgetDeliveriesOptions {
	log: Pick<Logger, "debug" | "info" | "error">;
	/** Between two runs (ms, an hour when absent). */
	everyMs?: number;
}

/** Forgets old deliveries of the schema that `sql` works in, until closed. */
export const forgetDeliveries = (sql: Sql, { log, everyMs = hourMs }: ForgetDeliveriesOptions): AsyncDisposable =>
	schedule({
		name: "forget-deliveries",
		everyMs,
		jitterMs: everyMs / 60,
		sql,
		log,
		run: async (signal) => {
			const deliveries = await pruneInbox(sql, inboxHours, signal);
			if (deliveries > 0) log.info({ deliveries }, "old deliveries are forgotten");
		},
	});
