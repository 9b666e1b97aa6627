/** Advisory locks, which let only one of several replicas do some work. A lock is held as long as its database session lasts. */
import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "./connect.ts";
import { openSession } from "./session.ts";

export interface Lock extends AsyncDisposable {
	/** The session that holds the lock: statements on it fail once the lock is lost. */
	readonly sql: Sql;
	/** Fires when the session is lost; from then on another replica may hold the lock. */
	readonly lost: AbortSignal;
}

/**
 * Timeouts of a lock's heartbeat. The server ends the session if it receives no heartbeat for `idleTimeoutMs`, so a crashed or unreachable
 * holder does not block the other replicas for long. The holder gives up the lock (`lost`) earlier, when the server does not respond to a
 * heartbeat, so a holder that is only cut off from the server stops working before another replica starts.
 */
export interface Lease {
	aliveEveryMs: number;
	/** The holder considers the session lost if the server has not responded five seconds after this timeout. */
	statementTimeoutMs: number;
	idleTimeoutMs: number;
}

const defaultLease: Lease = { aliveEveryMs: 5_000, statementTimeoutMs: 10_000, idleTimeoutMs: 30_000 };

/** Takes the lock named `key`, or returns undefined if another session holds it. A held lock occupies a separate connection. */
export async function tryLock(sql: Sql, key: string, lease = defaultLease): Promise<Lock | undefined> {
	await using stack = new AsyncDisposableStack();
	const session = stack.use(lockSession(sql, lease));
	if (!(await takeLock(session.sql, key))) return undefined;
	stack.move();
	return session;
}

/**
 * Waits for the lock named `key` by trying every `pollMs`: a session that waits inside PostgreSQL would hold back the vacuum.
 * @throws if the signal fires or the database is unavailable
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
			clearInterval(heartbeat);
			lost.abort(new Error("the session that held a lock was lost"));
		},
	});
	const heartbeat = setInterval(() => void session`select 1`.catch(() => {}), aliveEveryMs);
	return {
		sql: session,
		lost: lost.signal,
		[Symbol.asyncDispose]() {
			clearInterval(heartbeat);
			return session.end({ timeout: 2 });
		},
	};
}
