/** How far the log is, asked when it may have grown and not each time that it is looked at; nothing is asked while no webhook or watchlist follows it. */
import type { ChangeLog } from "#libs/bus/change-log.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Sql } from "#libs/postgres/connect.ts";

export class Newest {
	readonly #sql: Sql;
	readonly #log: ChangeLog;
	/** What was asked since it may have grown. */
	#asked: Promise<number> | undefined;

	constructor(sql: Sql, log: ChangeLog) {
		this.#sql = sql;
		this.#log = log;
	}

	/** There may be more. */
	mayHaveGrown(): void {
		this.#asked = undefined;
	}

	/** The newest `seq`; undefined where nothing follows the log. @throws AppError 503 while queue-ingest does not answer */
	async seq(): Promise<number | undefined> {
		const [any] = await this.#sql<{ exists: boolean }[]>`
			select exists (select from watchlists) or exists (select from webhooks where enabled) as exists`;
		if (any?.exists !== true) return undefined;
		this.#asked ??= this.#log.head();
		const asked = this.#asked;
		try {
			return await asked;
		} catch (error) {
			if (this.#asked === asked) this.#asked = undefined;
			throw error;
		}
	}
}

// MERGED services/subscriptions/log.ts: Whether queue-ingest is away as it is while it is replaced: that is no incident, and the next look comes within seconds.
/** Longer away is an incident (ms). */
const longestMs = 60_000;

export class Away {
	#since: number | undefined;
	readonly #now: () => number;

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Of a failure: whether it is only that. */
	isBrief(error: unknown): boolean {
		if (!(error instanceof AppError) || error.status !== 503) return false;
		this.#since ??= this.#now();
		return this.#now() - this.#since < longestMs;
	}

	isBack(): void {
		this.#since = undefined;
	}
}
