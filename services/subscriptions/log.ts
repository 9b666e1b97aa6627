/** The head of queue-ingest's change log, and short outages of queue-ingest. */
import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Caches the newest `seq` until a change is announced. Requests it only while a webhook or watchlist follows the log. */
export class LogHead {
	readonly #sql: Sql;
	readonly #log: ChangeLog;
	#cached: Promise<number> | undefined;

	constructor(sql: Sql, log: ChangeLog) {
		this.#sql = sql;
		this.#log = log;
	}

	invalidate(): void {
		this.#cached = undefined;
	}

	/** The newest `seq`; undefined if nothing follows the log. @throws AppError 503 while queue-ingest does not answer */
	async seq(): Promise<number | undefined> {
		const [any] = await this.#sql<{ exists: boolean }[]>`
			select exists (select from watchlists) or exists (select from webhooks where enabled) as exists`;
		if (any?.exists !== true) return undefined;
		this.#cached ??= this.#log.head();
		const requested = this.#cached;
		try {
			return await requested;
		} catch (error) {
			if (this.#cached === requested) this.#cached = undefined;
			throw error;
		}
	}
}

/** A longer outage is an incident (ms). */
const longestMs = 60_000;

/** Distinguishes the short outage while queue-ingest is being replaced from an incident. Failures are retried within seconds. */
export class Outage {
	#since: number | undefined;
	readonly #now: () => number;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Records a failure. @returns whether it is no more than a short outage */
	isBrief(error: unknown): boolean {
		if (!(error instanceof AppError) || error.status !== 503) return false;
		this.#since ??= this.#now();
		return this.#now() - this.#since < longestMs;
	}

	end(): void {
		this.#since = undefined;
	}
}
