/** Wakes the computing worker when a day begins: ages, dates that pass and windows of events depend on it. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { schema } from "../migrate.ts";
import { recomputeChannel } from "./recompute-queue.ts";

const dayMs = 86_400_000;

export const noticeNewDay = (sql: Sql, log: Logger, now: () => Date): AsyncDisposable =>
	schedule({
		name: "notice-new-day",
		// Days are UTC's, as everywhere.
		nextAt: (after) => new Date((Math.floor(after.getTime() / dayMs) + 1) * dayMs),
		sql,
		log,
		now,
		run: async () => {
			await sql.notify(recomputeChannel(schema), "");
		},
	});
