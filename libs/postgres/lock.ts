/** Advisory locks that a process holds as long as its session lives, so that one replica of several does the work. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "./connect.ts";
import { openSession } from "./session.ts";

export interface Lock extends AsyncDisposable {
	/** The session that holds the lock: statements on it fail once the lock is lost. */
	readonly sql: Sql;
	/** Fires when the session is lost; another replica may have the lock from then on. */
	readonly lost: AbortSignal;
}

/**
 * Timeouts of a lock's heartbeat. The server ends the session when it receives no heartbeat for `idleTimeoutMs`; the holder gives the lock
 * up (`lost`) when the server does not answer one, which is earlier. So a crashed or unreachable holder does not block the other replicas,
 * and a holder that is only partitioned has stopped working by then.
 */
export interface Lease {
	aliveEveryMs: number;
	/** A server that has not answered five seconds after this is considered lost. */
	statementTimeoutMs: number;
	idleTimeoutMs: number;
}

const defaultLease: Lease = { aliveEveryMs: 5_000, statementTimeoutMs: 10_000, idleTimeoutMs: 30_000 };

/** Takes the lock named `key` if it is free, else returns undefined. Uses its own connection while it is held. */
export async function tryLock(sql: Sql, key: string, lease = defaultLease): Promise<Lock | undefined> {
	await using stack = new AsyncDisposableStack();
	const session = stack.use(lockSession(sql, lease));
	if (!(await takeLock(session.sql, key))) return undefined;
	stack.move();
	return session;
}

/**
 * Waits for the lock named `key`, trying every `pollMs`: a session that waits inside PostgreSQL would hold back the vacuum.
 * @throws when the signal fires or the database is unavailable.
 */
export async function waitForLock(sql: Sql, key: string, signal: AbortSignal, pollMs = 1_000): Promise<Lock> {
	await using stack = new AsyncDisposableStack();
	const session = stack.use(lockSession(sql, defaultLease));
	while (!(await takeLock(session.sql, key))) await pause(pollMs, undefined, { signal });
	signal.throwIfAborted();
	stack.move();
	return session;
}

async function takeLock(session: Sql, key: string): Promise<boolean> {
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
