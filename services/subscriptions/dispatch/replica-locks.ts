/**
 * Advisory locks, so that one replica at a time sends to a webhook. One session holds all locks of this process: if the process dies,
 * PostgreSQL releases them.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Lock, tryLock } from "#libs/postgres/lock.ts";

export class ReplicaLocks implements AsyncDisposable {
	readonly #sql: Sql;
	#session: Promise<Lock> | undefined;

	constructor(sql: Sql) {
		this.#sql = sql;
	}

	/** Locks a webhook; returns undefined while another replica has the lock. `lost` fires when the session, and so the lock, is lost. */
	async take(webhookId: number): Promise<({ lost: AbortSignal } & AsyncDisposable) | undefined> {
		const { sql, lost } = await this.#open();
		const key = `webhook:${webhookId}`;
		const [row] = await sql<{ taken: boolean }[]>`
			select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`;
		if (row?.taken !== true) return undefined;
		return {
			lost,
			[Symbol.asyncDispose]: async () => {
				if (!lost.aborted) await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.catch(() => {});
			},
		};
	}

	/** Opens the session by taking a lock with a random name; the lock's signal fires when the session is lost. */
	async #open(): Promise<Lock> {
		this.#session ??= tryLock(this.#sql, `webhooks:${randomUUID()}`).then((lock) => {
			if (lock === undefined) throw new Error("a lock with a random name is already held");
			return lock;
		});
		try {
			const lock = await this.#session;
			if (!lock.lost.aborted) return lock;
			this.#session = undefined;
			await close(lock);
			return await this.#open();
		} catch (error) {
			this.#session = undefined;
			throw error;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const lock = await this.#session?.catch(() => undefined);
		if (lock !== undefined) await close(lock);
	}
}

async function close(lock: Lock): Promise<void> {
	try {
		await lock[Symbol.asyncDispose]();
	} catch {}
}
