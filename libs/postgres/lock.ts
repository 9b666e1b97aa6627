/** Locks that a process holds as long as its session lives, so that one replica of several does a thing. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "./connect.ts";
import { openSession } from "./session.ts";

export interface Lock extends AsyncDisposable {
	/** The session that holds the lock: what runs on it fails when the lock is gone. */
	readonly sql: Sql;
	/** Fires when the session is lost; another replica may have the lock from then on. */
	readonly lost: AbortSignal;
}

/**
 * Who holds a lock says so. When the server does not hear it for so long, it ends the session; when the holder does not hear the server, it
 * lets go of the lock (`lost`), and that is sooner. So a holder that vanished without a word (its machine, the way to it) does not keep the
 * others from working, and one that is only cut off has stopped by then.
 */
export interface Lease {
	aliveEveryMs: number;
	/** A server that owes an answer for five seconds more than this is not there. */
	statementTimeoutMs: number;
	idleTimeoutMs: number;
}

const usual: Lease = { aliveEveryMs: 5_000, statementTimeoutMs: 10_000, idleTimeoutMs: 30_000 };

/** The lock named `key` if nobody holds it, else undefined. One connection of its own while it is held. */
export async function tryLock(sql: Sql, key: string, lease = usual): Promise<Lock | undefined> {
	const session = lockSession(sql, lease);
	try {
		if (await take(session.sql, key)) return session;
	} catch (error) {
		await session[Symbol.asyncDispose]();
		throw error;
	}
	await session[Symbol.asyncDispose]();
	return undefined;
}

/**
 * Waits for the lock named `key`, asking every `pollMs`: a session that waits inside PostgreSQL would hold back the vacuum.
 * @throws when the signal fires or the database is away.
 */
export async function waitForLock(sql: Sql, key: string, signal: AbortSignal, pollMs = 1_000): Promise<Lock> {
	const session = lockSession(sql, usual);
	try {
		while (!(await take(session.sql, key))) await pause(pollMs, undefined, { signal });
		signal.throwIfAborted();
		return session;
	} catch (error) {
		await session[Symbol.asyncDispose]();
		throw error;
	}
}

async function take(session: Sql, key: string): Promise<boolean> {
	const [row] = await session<{ taken: boolean }[]>`
		select pg_try_advisory_lock(hashtextextended(${key}, 0)) as taken`;
	return row?.taken === true;
}

function lockSession(sql: Sql, { aliveEveryMs, ...limits }: Lease): Lock {
	const lost = new AbortController();
	const session = openSession(sql, {
		...limits,
		onLost() {
			clearInterval(alive);
			lost.abort(new Error("the session that held a lock was lost"));
		},
	});
	const alive = setInterval(() => void session`select 1`.catch(() => {}), aliveEveryMs);
	return {
		sql: session,
		lost: lost.signal,
		[Symbol.asyncDispose]() {
			clearInterval(alive);
			return session.end({ timeout: 2 });
		},
	};
}
