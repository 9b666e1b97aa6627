/** How far the log is, asked when it may have grown and not each time that it is looked at; nothing is asked while no webhook or watchlist follows it. */
import type { ChangeLog } from "#libs/bus/change-log.ts";
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
