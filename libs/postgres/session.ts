/** Dedicated connections outside the pool, for work that needs a separate session or must be able to end it. */
import type postgresJs from "postgres";
import type { Sql } from "./connect.ts";
import { postgres } from "./driver.ts";

export interface SessionOptions {
	onLost?(): void;
	/** Overrides the pool's timeout (ms); 0 for none. */
	statementTimeoutMs?: number;
	/** Idle time after which the server ends the session (ms; never when absent). */
	idleTimeoutMs?: number;
}

/** Opens a pool of one connection with the options of `sql`. The connection is the session: it is never closed because of idleness or age. */
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

export interface Snapshot extends AsyncDisposable {
	/** A transaction that reads one snapshot. */
	sql: Sql;
	dataVersion: number;
	/** When the data reached this version. */
	raisedAt: string;
	/** When the snapshot was taken. */
	madeAt: string;
	/** Streams the bytes of a COPY of this select, so that memory does not grow with the table. */
	copy(select: string, options: string): AsyncGenerator<Uint8Array, void>;
}

/**
 * Opens a snapshot of the currently committed data, in a separate session. The session ends when the signal fires or the reader of a COPY stops.
 */
export async function openSnapshot(sql: Sql, signal: AbortSignal): Promise<Snapshot> {
	signal.throwIfAborted();
	await using stack = new AsyncDisposableStack();
	// The statement timeout is off, because a COPY lasts as long as its reader.
	const session = openSession(sql, { statementTimeoutMs: 0 });
	let ended = false;
	stack.defer(async () => {
		await session.end({ timeout: 1 });
		ended = true;
	});
	const connection = await session.reserve();
	stack.defer(() => connection.release());
	const [backend] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
	// Ends a COPY whose output is no longer read; nothing else would.
	const terminate = async () => {
		if (!ended) await sql`select pg_terminate_backend(${backend?.pid ?? 0})`;
	};
	const onStop = () => void terminate().catch(() => {});
	signal.addEventListener("abort", onStop, { once: true });
	stack.defer(() => signal.removeEventListener("abort", onStop));
	signal.throwIfAborted();

	await connection`begin isolation level repeatable read read only`;
	const [row] = await connection<{ version: number; raised_at: string; made_at: string }[]>`
		select version, iso(raised_at) as raised_at, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as made_at
		from data_version`;
	if (row === undefined) throw new Error("the schema has no data version");
	const rest = stack.move();
	return {
		sql: connection,
		dataVersion: row.version,
		raisedAt: row.raised_at,
		madeAt: row.made_at,
		async *copy(select, options) {
			let isComplete = false;
			try {
				const stream = await connection.unsafe(`copy (${select}) to stdout with (${options})`).readable();
				for await (const chunk of stream) yield chunk as Uint8Array;
				signal.throwIfAborted();
				isComplete = true;
			} finally {
				if (!isComplete) await terminate();
			}
		},
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
}
