/**
 * The counters that all replicas share, in Redis. Redis is never waited for longer than `timeoutMs`, and while it is away only one
 * request in a while waits at all.
 *
 * A command without an answer in time may still be carried out: Redis takes it from its socket when it goes on. Its answer is then
 * read late and says what was counted (`lateResult`), so that nothing is counted twice or missed. Where the connection broke first, no process
 * can know: that is left in the customer's favour.
 */
import { Redis } from "ioredis";
import { within } from "#libs/contract/within.ts";
import { hostsOf, trust } from "#libs/postgres/tls.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Ask, Outcome } from "./ask.ts";
import { Breaker } from "./breaker.ts";
import { addScript, outcomes, takeScript } from "./scripts.ts";

/** Redis did not answer. Without `lateResult` it has certainly done nothing; else that says what it did, or undefined if that stays unknown. */
export interface Away<T> {
	away: true;
	lateResult?: Promise<T | undefined>;
}

export interface Answered<T> {
	away: false;
	value: T;
}

export type Reply<T> = Answered<T> | Away<T>;

/** `uncounted`: Redis has no count of this month, and nothing was taken. */
export type Taken = Outcome | { outcome: "uncounted" };

export interface RedisStore extends Disposable {
	/** `seed` becomes the month's count where there is none. */
	take(ask: Ask, seed?: number): Promise<Reply<Taken>>;
	/** Adds to a month's counter, answers the count; undefined for a counter that is gone. */
	add(subject: string, month: string, requests: number, generation: number): Promise<Reply<number | undefined>>;
	read(subject: string, month: string): Promise<Reply<number | undefined>>;
	readonly away: boolean;
}

export interface RedisStoreOptions {
	/** `rediss://` demands TLS. */
	redisUrl: string;
	/** File of who signs Redis' certificate; it demands TLS, too. */
	redisCa?: string | undefined;
	timeoutMs: number;
	/** Wall clock (ms). */
	now: () => number;
	log: Pick<Logger, "warn" | "info">;
	/** Redis shows a sign of life after it was away. */
	onBack(): void;
}

/** A counter outlives its month, for clocks that differ (s). */
const afterMonth = 86_400;
/** A connection on which Redis owes an answer for so long is given up (ms): it may lead nowhere. */
const deadAfterMs = 10_000;

const logKey = ({ subject, windowSeconds }: Ask) => `limit:{${subject}}:${windowSeconds}s`;
const counterKey = (subject: string, month: string) => `limit:{${subject}}:${month}`;

export function openRedisStore({ redisUrl, redisCa, timeoutMs, now, log, onBack }: RedisStoreOptions): RedisStore {
	const breaker = new Breaker({ now });
	const redis = connect(redisUrl, redisCa);
	let reason = "no connection";
	let wasAway = false;
	let closed = false;
	redis.on("error", (error) => {
		reason = reasonOf(error);
	});
	redis.on("ready", () => {
		breaker.retry();
		if (wasAway) onBack();
	});
	// Only the first requests of a process wait for its connection.
	let connecting: Promise<unknown> | undefined = within(redis.connect(), timeoutMs)
		.catch(() => {})
		.then(() => {
			connecting = undefined;
		});

	function isAway<T>(lateResult?: Promise<T | undefined>): Away<T> {
		if (!wasAway && !closed) log.warn({ reason }, "limits are kept in memory: Redis does not answer");
		wasAway = true;
		return lateResult === undefined ? { away: true } : { away: true, lateResult };
	}

	async function call<T>(send: () => Promise<T>): Promise<Reply<T>> {
		if (connecting !== undefined) await connecting;
		const pass = redis.status === "ready" ? breaker.enter() : undefined;
		if (pass === undefined) return isAway();
		const sent = send();
		try {
			const reply = await within(sent, timeoutMs);
			if (reply !== undefined) {
				breaker.succeeded(pass);
				if (wasAway) log.info("limits are kept in Redis again");
				wasAway = false;
				return { away: false, value: reply.value };
			}
			reason = `no answer in ${timeoutMs} ms`;
			breaker.failed(pass);
			return isAway(sent.then(lateAnswer, () => undefined));
		} catch (error) {
			reason = reasonOf(error);
			breaker.failed(pass);
			// An error that Redis says is an answer: it has done nothing.
			return isReply(error) ? isAway() : isAway(Promise.resolve(undefined));
		}
	}

	function lateAnswer<T>(value: T): T {
		breaker.retry();
		return value;
	}

	return {
		take: (ask, seed) =>
			call(() => redis.limitTake(...takeArguments(ask, seed)).then((reply) => readTaken(ask, reply))),
		add: (subject, month, requests, generation) =>
			call(async () => {
				const used = await redis.limitAdd(counterKey(subject, month), requests, generation);
				return used < 0 ? undefined : used;
			}),
		read: (subject, month) =>
			call(async () => {
				const used = await redis.hget(counterKey(subject, month), "used");
				return used === null ? undefined : Number(used);
			}),
		get away() {
			return redis.status !== "ready" || breaker.open;
		},
		[Symbol.dispose]() {
			closed = true;
			redis.disconnect();
		},
	};
}

type Argument = string | number;

interface Commands {
	limitTake(...keysAndArguments: Argument[]): Promise<number[]>;
	limitAdd(key: string, requests: number, generation: number): Promise<number>;
}

function connect(redisUrl: string, redisCa?: string): Redis & Commands {
	const { protocol, hostname } = new URL(redisUrl);
	const secure = protocol === "rediss:" || redisCa !== undefined;
	const redis = new Redis(redisUrl, {
		...(secure && { tls: trust({ ca: redisCa }, hostsOf(hostname)) }),
		lazyConnect: true,
		// It needs a command more of the few that this user has.
		disableClientInfo: true,
		// A command is sent now or not at all, and never sent again: it could count twice.
		enableOfflineQueue: false,
		autoResendUnfulfilledCommands: false,
		maxRetriesPerRequest: 0,
		// Not `commandTimeout`: after it a late answer would not be read.
		socketTimeout: deadAfterMs,
		connectTimeout: 5_000,
		retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
	});
	redis.defineCommand("limitTake", { numberOfKeys: 2, lua: takeScript });
	redis.defineCommand("limitAdd", { numberOfKeys: 1, lua: addScript });
	return redis as Redis & Commands;
}

function takeArguments(ask: Ask, seed: number | undefined): Argument[] {
	const { subject, month } = ask;
	return [
		logKey(ask),
		counterKey(subject, month?.name ?? ""),
		ask.limit ?? -1,
		ask.windowSeconds * 1_000_000,
		month === undefined ? "skip" : (ask.monthly ?? -1),
		seed ?? "",
		(month?.leftSeconds ?? 0) + afterMonth,
	];
}

function readTaken({ limit }: Ask, reply: number[]): Taken {
	const [code = -1, before = 0, resetMicros = 0, used = -1, generation = -1] = reply;
	const outcome = outcomes[code];
	if (outcome === undefined) throw new Error(`Redis answered ${code}`);
	if (outcome === "uncounted") return { outcome };
	return {
		outcome,
		taken: outcome === "taken" ? before + 1 : before,
		limit: limit ?? 0,
		resetMs: resetMicros / 1000,
		used: used < 0 ? undefined : used,
		generation: generation < 0 ? undefined : generation,
	};
}

const isReply = (error: unknown): boolean => error instanceof Error && error.name === "ReplyError";

/** A code alone, or the first word that Redis says: what follows can repeat arguments. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return "unknown";
	if ("code" in error && typeof error.code === "string") return error.code;
	return isReply(error) ? (error.message.split(" ", 1)[0] ?? error.name) : error.name;
}
