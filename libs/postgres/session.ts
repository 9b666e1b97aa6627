/** A dedicated connection outside the pool, for work that needs its own session or must be able to end it. */
import type postgresJs from "postgres";
import type { Sql } from "./connect.ts";
import { postgres } from "./driver.ts";

export interface SessionOptions {
	onLost?(): void;
	/** Overrides the pool's (ms); 0 for none. */
	statementTimeoutMs?: number;
	/** Idle time after which the server ends the session (ms). Never, when absent. */
	idleTimeoutMs?: number;
}

/** A pool of one, like `sql`, that is never closed for idleness or age: its only connection is the session. */
export function openSession(
	sql: Sql,
	{ onLost = () => {}, statementTimeoutMs, idleTimeoutMs }: SessionOptions = {},
): Sql {
	const { options } = sql;
	return postgres({
		...options,
		max: 1,
		idle_timeout: null,
		max_lifetime: null,
		onclose: onLost,
		connection: {
			...options.connection,
			...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
			...(idleTimeoutMs !== undefined && { idle_session_timeout: idleTimeoutMs }),
		},
	} as unknown as postgresJs.Options<Record<never, never>>) as unknown as Sql;
}

export interface DisposableSession extends AsyncDisposable {
	sql: Sql;
	/** Terminates the session in the server, whatever it is running: a COPY whose output is not read any more reacts to nothing else. */
	cut(): Promise<void>;
}

export async function disposableSession(sql: Sql): Promise<DisposableSession> {
	// A COPY takes as long as its reader.
	const session = openSession(sql, { statementTimeoutMs: 0 });
	const [row] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
	return {
		sql: session,
		async cut() {
			await sql`select pg_terminate_backend(${row?.pid ?? 0})`;
		},
		[Symbol.asyncDispose]: () => session.end({ timeout: 1 }),
	};
}
