/**
 * Answers that a standby may give. It lags behind, and it may be away: whatever it cannot answer at least as new as the caller knows the
 * data to be, the primary is asked. So a standby takes load off the primary, and its absence costs no answer.
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
	type RequestContext,
	type Versioned,
} from "#libs/contract/index.ts";
import { within } from "#libs/contract/within.ts";
import { isDatabaseAway, isDatabaseSlow } from "./away.ts";
import { type ConnectOptions, connect, type Sql } from "./connect.ts";
import { readDataVersion } from "./data-version.ts";

const reads = new Counter({
	name: "postgres_standby_reads_total",
	help: "Answers asked of the standby by what became of them: answered, behind, refused, failed (the primary answers then).",
	labelNames: ["outcome"],
});

/** Longest wait for an answer of the standby before the primary is asked as well (ms). */
const patienceMs = 3_000;
/** How often a standby that is behind or away is looked at (ms). */
const lookMs = 100;

export interface Standby extends AsyncDisposable {
	readonly sql: Sql;
	/** Whether it is worth asking for an answer at least this new. */
	serves(version: number): boolean;
	/** It was found behind this version, or away: it is not asked again until it has been seen at it. */
	avoid(version: number): void;
}

/** Opens no connection until it is asked. `url` may name one standby or several behind one address. */
export function openStandby(url: string, options: ConnectOptions): Standby {
	// What writes by mistake must fail here, also where the address turns out to be the primary's.
	const sql = connect(url, { ...options, readOnly: true });
	const closing = new AbortController();
	let wanted = 0;
	let watching = false;
	const watch = async () => {
		watching = true;
		while (!closing.signal.aborted) {
			await pause(lookMs, undefined, { signal: closing.signal }).catch(() => {});
			// Without a limit: of a standby that hangs one look is under way, and not one more every now and then.
			if ((await readDataVersion(sql).catch(() => -1)) >= wanted) break;
		}
		watching = false;
	};
	return {
		sql,
		serves(version) {
			// The newest that anybody wants, and not the highest: a database that was restored begins lower again.
			wanted = version;
			return !watching;
		},
		avoid(version) {
			wanted = version;
			if (!watching) void watch();
		},
		async [Symbol.asyncDispose]() {
			closing.abort();
			await sql[Symbol.asyncDispose]();
		},
	};
}

type Plain = (params: object, context: RequestContext) => Promise<Versioned<unknown>>;
type Streamed = (params: object, context: RequestContext) => AsyncIterable<string | Uint8Array>;

/**
 * The handlers of an owner whose operations only read, each asked of the standby where the caller says what it knows, else of the
 * primary.
 */
export function answersFrom<O extends Owner>(
	standby: Standby | undefined,
	primary: Sql,
	handlers: (sql: Sql) => Handlers<O>,
): Handlers<O> {
	const own = handlers(primary);
	if (standby === undefined) return own;
	const there = handlers(standby.sql);
	const names = Object.keys(own) as OwnedBy<O>[];
	const both = names.map((name) => {
		const shape: OperationShape = operations[name];
		const [here, away] = [own[name], there[name]] as unknown as [Plain & Streamed, Plain & Streamed];
		return [name, shape.streamed === true ? streamed(standby, here, away) : plain(standby, here, away)];
	});
	return { ...own, ...Object.fromEntries(both) };
}

function plain(standby: Standby, here: Plain, away: Plain): Plain {
	return async (params, context) => {
		const { knownVersion } = context;
		// A walk is of a moment that the primary holds, and older than what is known by now.
		const walks = "cursor" in params && params.cursor !== undefined;
		if (knownVersion === undefined || walks || !standby.serves(knownVersion)) return here(params, context);
		try {
			const answer = await inTime(away(params, context));
			if (answer.dataVersion >= knownVersion) return counted("answered", answer);
			behind(standby, knownVersion);
		} catch (error) {
			failed(standby, knownVersion, error);
		}
		return here(params, context);
	};
}

/** Until its first chunk a stream can begin again elsewhere. */
function streamed(standby: Standby, here: Streamed, away: Streamed): Streamed {
	return async function* (params, context) {
		const { knownVersion } = context;
		if (knownVersion !== undefined && standby.serves(knownVersion)) {
			const begun = await begin(standby, away, params, { ...context, knownVersion });
			if (begun !== undefined) {
				yield* begun;
				return;
			}
		}
		yield* here(params, context);
	};
}

async function begin(
	standby: Standby,
	away: Streamed,
	params: object,
	context: RequestContext & { knownVersion: number },
): Promise<AsyncIterable<string | Uint8Array> | undefined> {
	const { knownVersion } = context;
	let head: Record<string, string> = {};
	let begun = false;
	const hold = (given: Record<string, string>) => {
		head = given;
		if (begun) context.head?.(given);
	};
	// Its first chunk may take long; whether it is there at all is asked first.
	try {
		if ((await inTime(readDataVersion(standby.sql))) < knownVersion) return behind(standby, knownVersion);
	} catch (error) {
		return failed(standby, knownVersion, error);
	}
	const chunks = away(params, { ...context, head: hold })[Symbol.asyncIterator]();
	try {
		const first = await chunks.next();
		if (Number(head["x-data-version"]) >= knownVersion) {
			begun = true;
			context.head?.(head);
			return counted("answered", resumed(first, chunks));
		}
		behind(standby, knownVersion);
	} catch (error) {
		if (context.signal.aborted) throw error;
		failed(standby, knownVersion, error);
	}
	await chunks.return?.();
	return undefined;
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncIterable<T> {
	try {
		for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
	} finally {
		await rest.return?.();
	}
}

function counted<T>(outcome: string, answer: T): T {
	reads.inc({ outcome });
	return answer;
}

function behind(standby: Standby, knownVersion: number): undefined {
	reads.inc({ outcome: "behind" });
	standby.avoid(knownVersion);
}

/**
 * What fails there is asked of the primary: a row that is not there yet is no 404, and a statement that was in the way of replay
 * (40001) is not at fault. Only what took too long would take too long again.
 */
function failed(standby: Standby, knownVersion: number, error: unknown): undefined {
	// As it should be, mostly: what nobody has is not there either.
	reads.inc({ outcome: error instanceof AppError ? "refused" : "failed" });
	if (isDatabaseSlow(error)) throw error;
	if (isDatabaseAway(error) || error instanceof Late) standby.avoid(knownVersion);
}

class Late extends Error {}

/** As the work settles, or fails when it takes longer than anybody should wait for a standby that may hang. */
async function inTime<T>(work: Promise<T>): Promise<T> {
	const done = await within(work, patienceMs);
	if (done === undefined) throw new Late("the standby takes too long");
	return done.value;
}
