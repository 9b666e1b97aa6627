/** Archives each day when it has ended, in one replica. A run that failed, and days in which the service was not there, are made up for. */
import type { Bus } from "#libs/bus/connect.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { archiveDays } from "./archive-days.ts";
import { openArchive } from "./bucket.ts";

const dayMs = 86_400_000;
/** So often it is looked for days that are missing (ms). */
const everyMs = 10 * 60_000;

export interface ArchiveJobOptions {
	bus: Bus;
	sql: Sql;
	log: Logger;
	now: () => Date;
	dir: string;
}

export function archiveJob({ bus, sql, log, now, dir }: ArchiveJobOptions): AsyncDisposable {
	let begun = false;
	return schedule({
		name: "archive-days",
		// At once, then now and then, and when a day ends.
		nextAt(after) {
			if (!begun) {
				begun = true;
				return after;
			}
			const midnight = (Math.floor(after.getTime() / dayMs) + 1) * dayMs;
			return new Date(Math.min(midnight, after.getTime() + everyMs));
		},
		sql,
		log,
		now,
		async run(signal) {
			const days = await archiveDays(sql, await openArchive(bus), { now, dir, signal });
			if (days.length > 0) log.info({ days }, "days were archived");
		},
	});
}
