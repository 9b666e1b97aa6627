/** One job a list: each is looked at when it is due, by one replica at a time, and none waits for another. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { sources } from "../sources/index.ts";
import { describe } from "./load-folder.ts";
import { isDue, refreshSource } from "./refresh-source.ts";

/** How often it is asked whether a list is due (ms); the answer is in the database. */
const everyMs = 5 * 60_000;

export function refreshJobs(sql: Sql, log: Logger, now: () => Date): AsyncDisposable[] {
	return sources
		.filter((source) => source.region !== null && !source.utility)
		.map((source) =>
			schedule({
				name: `refresh-${source.feed}`,
				everyMs,
				jitterMs: 30_000,
				sql,
				log,
				async run(signal) {
					if (!(await isDue(sql, source, now()))) return;
					const result = await refreshSource(sql, source, { now, signal });
					const level = result.outcome === "failed" || result.outcome === "quarantined" ? "warn" : "info";
					log[level]({ feed: source.feed, ...result }, describe(result));
				},
			}),
		);
}
