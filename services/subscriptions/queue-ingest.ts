/** The newest change in queue-ingest's change log, and the tolerance of short outages of queue-ingest. */
import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Caches the newest `seq` of the change log until `invalidate` is called. Reads it only while a webhook or watchlist follows the log. */
export class LogHead {
	readonly #sql: Sql;
	readonly #changeLog: ChangeLog;
	#cached: Promise<number> | undefined;

	constructor(sql: Sql, changeLog: ChangeLog) {
		this.#sql = sql;
		this.#changeLog = changeLog;
	}

	invalidate(): void {
		this.#cached = undefined;
	}

	/** Returns the newest `seq`; undefined if no webhook or watchlist follows the log. @throws AppError 503 while queue-ingest does not respond */
	async seq(): Promise<number | undefined> {
		const [followers] = await this.#sql<{ exist: boolean }[]>`
			select exists (select from watchlists) or exists (select from webhooks where enabled) as exist`;
		if (followers?.exist !== true) return undefined;
		this.#cached ??= this.#changeLog.head();
		const requested = this.#cached;
		try {
			return await requested;
		} catch (error) {
			if (this.#cached === requested) this.#cached = undefined;
			throw error;
		}
	}
}

/** Duration (ms) after which an outage is reported as an error. */
const maxToleratedMs = 60_000;

/** Tolerates the short outage while queue-ingest is restarted, so that it is not logged as an error. */
export class Outage {
	#since: number | undefined;
	readonly #now: () => number;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Records a failure. @returns true for a 503 in the first minute of an outage */
	tolerate(error: unknown): boolean {
		if (!(error instanceof AppError) || error.status !== 503) return false;
		this.#since ??= this.#now();
		return this.#now() - this.#since < maxToleratedMs;
	}

	end(): void {
		this.#since = undefined;
	}
}
