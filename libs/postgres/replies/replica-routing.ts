/**
 * Routes reads to a standby to reduce the primary's load. If the standby is unavailable, or its data is older than the version known to the
 * caller, the primary serves the read.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Counter } from "prom-client";
import { AppError } from "#libs/contract/errors.ts";
import {
	type Handlers,
	type OperationShape,
	type OwnedBy,
	type Owner,
	operations,
	type PlainHandler,
	type RequestContext,
	type StreamedHandler,
} from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import { type ConnectOptions, connect, type Sql } from "../connect.ts";
import { isDatabaseSlow, isDatabaseUnavailable } from "../connection-errors.ts";
import { readDataVersion } from "../data-version.ts";

const reads = new Counter({
	name: "postgres_standby_reads_total",
	help: "Reads sent to the standby, by outcome: answered, behind, refused, failed. The primary repeats all but `answered`, except after a timeout.",
	labelNames: ["outcome"],
});

/** Maximum wait for the standby before the read is sent to the primary (ms). */
const standbyTimeoutMs = 3_000;
/** How often the version of a standby that is behind or unavailable is polled (ms). */
const pollMs = 100;

export interface Standby extends AsyncDisposable {
	readonly sql: Sql;
	/** Whether reads that need at least this data version may be sent to the standby. */
	serves(version: number): boolean;
	/** Call this if the standby is unavailable or has not reached this version: it gets no reads until it has. */
	avoid(version: number): void;
}

/** Opens a standby, to which it connects at the first read. `url` may name one standby or several behind one address. */
export function openStandby(url: string, options: ConnectOptions): Standby {
	// Accidental writes must fail, even if the address is the primary's.
	const sql = connect(url, { ...options, readOnly: true });
	const closing = new AbortController();
	let wantedVersion = 0;
	let isWatching = false;
	const watch = async () => {
		isWatching = true;
		while (!closing.signal.aborted) {
			await pause(pollMs, undefined, { signal: closing.signal }).catch(() => {});
			// The poll has no timeout, so that a hanging standby receives only one.
			if ((await readDataVersion(sql).catch(() => -1)) >= wantedVersion) break;
		}
		isWatching = false;
	};
	return {
		sql,
		serves(version) {
			// The version wantedVersion is the last one requested, not the highest: a restored database begins at a lower version.
			wantedVersion = version;
			return !isWatching;
		},
		avoid(version) {
			wantedVersion = version;
			if (!isWatching) void watch();
		},
		async [Symbol.asyncDispose]() {
			closing.abort();
			await sql[Symbol.asyncDispose]();
		},
	};
}

/**
 * Returns the handlers of an owner whose operations only read. Calls with a known version are routed to the standby, other calls to the primary.
 */
export function routeReads<O extends Owner>(
	standby: Standby | undefined,
	primary: Sql,
	handlers: (sql: Sql) => Handlers<O>,
): Handlers<O> {
	const primaryHandlers = handlers(primary);
	if (standby === undefined) return primaryHandlers;
	const replicaHandlers = handlers(standby.sql);
	const names = Object.keys(primaryHandlers) as OwnedBy<O>[];
	const routed = names.map((name) => {
		const shape: OperationShape = operations[name];
		const [primary, replica] = [primaryHandlers[name], replicaHandlers[name]] as unknown as [
			PlainHandler & StreamedHandler,
			PlainHandler & StreamedHandler,
		];
		const route = shape.streamed === true ? routeStream : routeCall;
		return [name, route(standby, primary, replica)];
	});
	return { ...primaryHandlers, ...Object.fromEntries(routed) };
}

function routeCall(standby: Standby, primary: PlainHandler, replica: PlainHandler): PlainHandler {
	return async (params, context) => {
		const { knownVersion } = context;
		if (knownVersion === undefined || !standby.serves(knownVersion)) return primary(params, context);
		try {
			const reply = await withTimeout(replica(params, context));
			if (reply.dataVersion >= knownVersion) return countAnswered(reply);
			avoidStandby(standby, knownVersion);
		} catch (error) {
			handleFailure(standby, knownVersion, error);
		}
		return primary(params, context);
	};
}

/** Routes a stream. Until its first chunk is sent, it can be restarted on the primary. */
function routeStream(standby: Standby, primary: StreamedHandler, replica: StreamedHandler): StreamedHandler {
	return async function* (params, context) {
		const { knownVersion } = context;
		if (knownVersion !== undefined && standby.serves(knownVersion)) {
			const chunks = await beginAtStandby(standby, replica, params, { ...context, knownVersion });
			if (chunks !== undefined) {
				yield* chunks;
				return;
			}
		}
		yield* primary(params, context);
	};
}

async function beginAtStandby(
	standby: Standby,
	replica: StreamedHandler,
	params: object,
	context: RequestContext & { knownVersion: number },
): Promise<AsyncIterable<string | Uint8Array> | undefined> {
	const { knownVersion } = context;
	let head: Record<string, string> = {};
	let hasBegun = false;
	const holdHead = (newHead: Record<string, string>) => {
		head = newHead;
		if (hasBegun) context.head?.(newHead);
	};
	// The first chunk may take long, so the standby's version is checked first, with a timeout.
	try {
		if ((await withTimeout(readDataVersion(standby.sql))) < knownVersion) return avoidStandby(standby, knownVersion);
	} catch (error) {
		return handleFailure(standby, knownVersion, error);
	}
	const chunks = replica(params, { ...context, head: holdHead })[Symbol.asyncIterator]();
	try {
		const first = await chunks.next();
		if (Number(head["x-data-version"]) >= knownVersion) {
			hasBegun = true;
			context.head?.(head);
			return countAnswered(resume(first, chunks));
		}
		avoidStandby(standby, knownVersion);
	} catch (error) {
		if (context.signal.aborted) throw error;
		handleFailure(standby, knownVersion, error);
	}
	await chunks.return?.();
	return undefined;
}

async function* resume<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncIterable<T> {
	try {
		for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
	} finally {
		await rest.return?.();
	}
}

function countAnswered<T>(reply: T): T {
	reads.inc({ outcome: "answered" });
	return reply;
}

function avoidStandby(standby: Standby, knownVersion: number): undefined {
	reads.inc({ outcome: "behind" });
	standby.avoid(knownVersion);
}

/**
 * Records the failure and returns, so that the primary repeats the read: the row may exist only there, and a statement that the standby's replay
 * canceled (40001) is valid. Throws for a statement that took too long, because it would take too long again.
 */
function handleFailure(standby: Standby, knownVersion: number, error: unknown): undefined {
	// A refusal does not count against the standby: usually the primary refuses too, because the row exists on neither server.
	reads.inc({ outcome: error instanceof AppError ? "refused" : "failed" });
	if (isDatabaseSlow(error)) throw error;
	if (isDatabaseUnavailable(error) || error instanceof StandbyTimeout) standby.avoid(knownVersion);
}

class StandbyTimeout extends Error {}

/** Returns the result of `work`. @throws StandbyTimeout after `standbyTimeoutMs`, because the standby may hang */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
	const done = await within(work, standbyTimeoutMs);
	if (done === undefined) throw new StandbyTimeout("the standby takes too long");
	return done.value;
}
