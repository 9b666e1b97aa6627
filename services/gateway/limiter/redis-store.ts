/**
 * Counters in Redis, shared by all replicas. A call waits at most `timeoutMs`; while Redis is unavailable, only an occasional trial waits.
 */
import { Redis } from "ioredis";
import { within } from "#libs/contract/within.ts";
import { hostsOf, trust } from "#libs/postgres/tls.ts";
import type { Logger } from "#libs/service/logger.ts";
import { Breaker } from "./breaker.ts";
import type { LimitRequest, Outcome } from "./limits.ts";
import { addScript, outcomes, takeScript } from "./scripts.ts";

/** `uncounted`: Redis has no count of the period, and nothing was taken. */
export type TakeOutcome = Outcome | { outcome: "uncounted" };

/** The count with which a missing counter is created. With `replaces`, an existing counter is set to it, too. */
export interface Seed {
	used: number;
	replaces?: boolean;
}

/**
 * Each method resolves to undefined if Redis does not respond in time. Redis may execute the command later, so the counter is then
 * uncertain.
 */
export interface RedisStore extends Disposable {
	take(request: LimitRequest, seed?: Seed): Promise<TakeOutcome | undefined>;
	add(subject: string, period: string, queries: number): Promise<true | undefined>;
	read(subject: string, period: string): Promise<number | undefined>;
	readonly away: boolean;
	/** Whether a call would be sent to Redis now. While Redis is unavailable, most calls are not sent. */
	readonly acceptsCalls: boolean;
}

export interface RedisStoreOptions {
	/** `rediss://` requires TLS. */
	redisUrl: string;
	/** File with the authority that signed Redis' certificate; it requires TLS, too. */
	redisCa?: string | undefined;
	timeoutMs: number;
	now: () => number;
	log: Pick<Logger, "warn" | "info">;
}

/** A counter outlives its period by this time, because clocks differ. */
const afterPeriodSeconds = 86_400;
/** A connection is closed after this time without a reply, because it may be dead. */
const deadAfterMs = 10_000;

const logKey = ({ subject, windowSeconds }: LimitRequest) => `limit:{${subject}}:${windowSeconds}s`;
const counterKey = (subject: string, period: string) => `limit:{${subject}}:${period}`;

export function openRedisStore({ redisUrl, redisCa, timeoutMs, now, log }: RedisStoreOptions): RedisStore {
	const breaker = new Breaker({ now });
	const redis = connect(redisUrl, redisCa);
	let reason = "no connection";
	let wasAway = false;
	let closed = false;
	redis.on("error", (error) => {
		reason = reasonOf(error);
	});
	redis.on("ready", () => breaker.retry());
	// Only the first requests of a process wait for the connection.
	let connecting: Promise<unknown> | undefined = within(redis.connect(), timeoutMs)
		.catch(() => {})
		.then(() => {
			connecting = undefined;
		});

	async function call<T>(send: () => Promise<T>): Promise<T | undefined> {
		if (connecting !== undefined) await connecting;
		const pass = redis.status === "ready" ? breaker.enter() : undefined;
		if (pass !== undefined) {
			try {
				const reply = await within(send(), timeoutMs);
				if (reply !== undefined) {
					breaker.succeeded(pass);
					if (wasAway) log.info("limits are kept in Redis again");
					wasAway = false;
					return reply.value;
				}
				reason = `no reply within ${timeoutMs} ms`;
			} catch (error) {
				reason = reasonOf(error);
			}
			breaker.failed(pass);
		}
		if (!wasAway && !closed) log.warn({ reason }, "limits are kept in memory: Redis is unavailable");
		wasAway = true;
		return undefined;
	}

	return {
		take: (request, seed) =>
			call(() => redis.limitTake(...limitArguments(request, seed)).then((reply) => readOutcome(request, reply))),
		add: (subject, period, queries) =>
			call(() => redis.limitAdd(counterKey(subject, period), queries).then(() => true as const)),
		async read(subject, period) {
			const used = await call(() => redis.hget(counterKey(subject, period), "used"));
			return typeof used === "string" ? Number(used) : undefined;
		},
		get away() {
			return redis.status !== "ready" || breaker.open;
		},
		get acceptsCalls() {
			return redis.status === "ready" && breaker.allows;
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
	limitAdd(key: string, queries: number): Promise<unknown>;
}

function connect(redisUrl: string, redisCa?: string): Redis & Commands {
	const { protocol, hostname } = new URL(redisUrl);
	const secure = protocol === "rediss:" || redisCa !== undefined;
	const redis = new Redis(redisUrl, {
		...(secure && { tls: trust({ ca: redisCa }, hostsOf(hostname)) }),
		lazyConnect: true,
		// Omits CLIENT SETINFO, which the Redis user may not run.
		disableClientInfo: true,
		// A command that is queued or sent again could count twice.
		enableOfflineQueue: false,
		autoResendUnfulfilledCommands: false,
		maxRetriesPerRequest: 0,
		socketTimeout: deadAfterMs,
		connectTimeout: 5_000,
		retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
	});
	redis.defineCommand("limitTake", { numberOfKeys: 2, lua: takeScript });
	redis.defineCommand("limitAdd", { numberOfKeys: 1, lua: addScript });
	return redis as Redis & Commands;
}

function limitArguments(request: LimitRequest, seed: Seed | undefined): Argument[] {
	const { subject, period } = request;
	return [
		logKey(request),
		counterKey(subject, period?.name ?? ""),
		request.limit ?? -1,
		request.windowSeconds * 1_000_000,
		period === undefined ? "skip" : (request.periodLimit ?? -1),
		request.queries,
		seed?.used ?? "",
		seed?.replaces === true ? "replace" : "",
		(period?.leftSeconds ?? 0) + afterPeriodSeconds,
	];
}

function readOutcome({ limit }: LimitRequest, reply: number[]): TakeOutcome {
	const [code = -1, before = 0, resetMicros = 0, used = -1] = reply;
	const outcome = outcomes[code];
	if (outcome === undefined) throw new Error(`the script in Redis returned the unknown outcome ${code}`);
	if (outcome === "uncounted") return { outcome };
	return {
		outcome,
		taken: outcome === "taken" ? before + 1 : before,
		limit: limit ?? 0,
		resetMs: resetMicros / 1000,
		used: used < 0 ? undefined : used,
	};
}

/** The code of an error, or the first word of Redis' message. The rest of the message is omitted, because it can contain arguments. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return "unknown";
	if ("code" in error && typeof error.code === "string") return error.code;
	return error.name === "ReplyError" ? (error.message.split(" ", 1)[0] ?? error.name) : error.name;
}
