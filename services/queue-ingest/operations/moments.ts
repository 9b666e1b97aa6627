/**
 * Moments of the data that are held for a while, so that pages read one after the other are of one state. PostgreSQL keeps them: a
 * transaction that stays open exports its snapshot, and any session of the same server, of any replica of this service, reads by it.
 */
import { codeOf } from "#libs/contract/errors.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { openSession } from "#libs/postgres/session.ts";

export interface Moment {
	/** PostgreSQL's name of the snapshot. */
	snapshot: string;
	dataVersion: number;
}

export interface MomentsOptions {
	/** From when a moment begins until it is let go of (ms, ten minutes when absent). Nothing that dies meanwhile is vacuumed. */
	holdMs?: number;
	/** A moment of the current data is shared by walks that begin within so long (ms, one minute when absent). */
	shareMs?: number;
	/** Moments at once (6 when absent), each a connection; the oldest goes when one more is asked for. */
	most?: number;
}

interface Held extends Moment {
	since: number;
	end(): Promise<void>;
}

const snapshotName = /^[0-9A-F]{8}-[0-9A-F]{8}-\d{1,6}$/;
/** A name that no open transaction has: of PostgreSQL up to 16, and later. */
const isUnknown = (error: unknown): boolean => ["22023", "42704"].includes(codeOf(error));

export class Moments implements AsyncDisposable {
	readonly #sql: Sql;
	readonly #options: Required<MomentsOptions>;
	/** Oldest first. */
	readonly #held: Held[] = [];
	#beginning: Promise<void> | undefined;

	constructor(sql: Sql, { holdMs = 600_000, shareMs = 60_000, most = 6 }: MomentsOptions = {}) {
		this.#sql = sql;
		this.#options = { holdMs, shareMs, most };
	}

	/** The present, held from now on. */
	async begin(): Promise<Moment> {
		const present = await readDataVersion(this.#sql);
		const shared = this.#held.at(-1);
		const fresh = shared !== undefined && performance.now() - shared.since < this.#options.shareMs;
		if (fresh && shared.dataVersion >= present) return shared;
		for (;;) {
			this.#beginning ??= this.#hold().finally(() => {
				this.#beginning = undefined;
			});
			await this.#beginning;
			// One that had begun already may be a little too old, the next is not.
			const newest = this.#held.at(-1);
			if (newest !== undefined && newest.dataVersion >= present) return newest;
		}
	}

	/** What `read` finds as of a moment; undefined when it is held no longer. */
	async at<T>({ snapshot }: Moment, read: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
		if (!snapshotName.test(snapshot)) return undefined;
		let found = false;
		try {
			const result = await this.#sql.begin("isolation level repeatable read read only", async (tx) => {
				await tx.unsafe(`set transaction snapshot '${snapshot}'`);
				found = true;
				return read(tx);
			});
			return result as T;
		} catch (error) {
			if (!found && isUnknown(error)) return undefined;
			throw error;
		}
	}

	async #hold(): Promise<void> {
		const { holdMs, most } = this.#options;
		// The server lets go of it, too, should this process hang.
		const session = openSession(this.#sql, { statementTimeoutMs: 0, onLost: () => void end() });
		const end = () => {
			clearTimeout(timer);
			this.#held.splice(0, this.#held.length, ...this.#held.filter((one) => one !== held));
			// At once: nothing is under way, and its transaction has nothing to lose.
			return session.end({ timeout: 0 });
		};
		const timer = setTimeout(() => void end(), holdMs);
		timer.unref();
		const held: Held = { snapshot: "", dataVersion: 0, since: performance.now(), end };
		try {
			const connection = await session.reserve();
			await connection.unsafe(`set idle_in_transaction_session_timeout = ${holdMs + 10_000}`);
			await connection`begin isolation level repeatable read read only`;
			const [row] = await connection<{ snapshot: string; version: number }[]>`
				select pg_export_snapshot() as snapshot, version from data_version`;
			if (row === undefined) throw new Error("the schema has no data version");
			Object.assign(held, { snapshot: row.snapshot, dataVersion: row.version });
		} catch (error) {
			void end();
			throw error;
		}
		this.#held.push(held);
		if (this.#held.length > most) void this.#held[0]?.end();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#beginning?.catch(() => {});
		await Promise.all(this.#held.map((held) => held.end()));
	}
}
