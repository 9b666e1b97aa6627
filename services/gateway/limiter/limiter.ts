/**
 * How many requests a subject may make: in any window of 60 seconds, exactly, and in a calendar month. Counted in Redis for all
 * replicas; while Redis is away, in memory at this process's share, so that its absence costs customers little and authorizes no caller
 * without limit. The ledger (billing) is the authority on months: counters come from it, and are corrected by it after Redis was away.
 */
import { Counter } from "prom-client";
import type { Logger } from "#libs/service/logger.ts";
import { openLedger } from "./ledger.ts";
import { type Ask, askOf, type Limits, type Outcome, type Period, periodOf } from "./limits.ts";
import { Memory } from "./memory.ts";
import { openRedisStore, type RedisStore, type Seed } from "./redis-store.ts";

export interface Quota {
	limit: number;
	remaining: number;
	/** Until there is room for one more (window), or for all again (month). At least 1. */
	resetSeconds: number;
	windowSeconds: number;
}

export interface Decision {
	allowed: boolean;
	/** Both: the month, which lasts longer. */
	violated?: "minute" | "month";
	/** Absent when unlimited. */
	minute?: Quota;
	/** Absent when unlimited, not asked for, or when what was used is unknown. */
	month?: Quota & { resetsAt: string };
	/** Redis was away: decided in memory. */
	degraded: boolean;
}

export interface Limiter extends Disposable {
	/**
	 * Takes one from the window, and from the month when `month` is true; a denied one takes nothing of either. subject: `account:12`
	 * or `address:192.0.2.1`; what is limited differently needs a subject of its own.
	 */
	take(subject: string, limits: Limits, month: boolean): Promise<Decision>;
	/**
	 * Adds to what is counted of the month, of which a request was taken before; a negative number gives back, as for an answer that failed
	 * on our side. Best effort, never throws.
	 */
	add(subject: string, queries: number, period?: Period): void;
	/** What is counted this month, for /usage; undefined when Redis and the memory know nothing. */
	used(subject: string, period?: Period): Promise<number | undefined>;
	readonly degraded: boolean;
}

export interface LimiterOptions {
	redisUrl: string | undefined;
	/** See `RedisStoreOptions`. */
	redisCa?: string | undefined;
	timeoutMs: number;
	/** Replicas: each takes its share of a window's limit while there is no Redis to ask. */
	instances: number;
	/** The ledger's count for a subject in a month (YYYY-MM), asked when Redis does not know it. */
	countUsed(subject: string, month: string): Promise<number>;
	log: Pick<Logger, "warn" | "info">;
	now?(): Date;
	/** Bound of subjects in memory. */
	maxSubjects?: number;
}

/** How long the ledger's count is believed in memory (ms): other replicas count too. */
const ledgerAgeMs = 10_000;

const decisions = new Counter({
	name: "gateway_limit_decisions_total",
	help: "Requests by where their limit was decided (redis, memory) and how (taken, minute, month).",
	labelNames: ["by", "outcome"],
});

export function openLimiter(options: LimiterOptions): Limiter {
	const { redisUrl, redisCa, timeoutMs, instances, countUsed, log, now = () => new Date() } = options;
	const { maxSubjects = 50_000 } = options;
	const nowMs = () => now().getTime();
	const memory = new Memory({ maxSubjects });
	const askLedger = openLedger({ countUsed, now: nowMs, log });
	const redis = redisUrl === undefined ? undefined : openRedisStore({ redisUrl, redisCa, timeoutMs, now: nowMs, log });

	/** The ledger's count, or this process's where it is ahead: the ledger follows by some seconds. Undefined without the ledger. */
	async function countOf(ask: Ask): Promise<number | undefined> {
		if (ask.month === undefined) return undefined;
		const own = memory.used(ask) ?? 0;
		const ledger = await askLedger(ask.subject, ask.month.name);
		return ledger === undefined ? undefined : Math.max(ledger, own);
	}

	/** Replaces a counter that is uncertain, once. */
	async function correctionOf(ask: Ask): Promise<Seed | undefined> {
		if (!memory.isUncertain(ask)) return undefined;
		const used = await countOf(ask);
		if (used === undefined || !memory.isUncertain(ask)) return undefined;
		memory.setUncertain(ask, false);
		return { used, replaces: true };
	}

	/** Undefined if Redis does not answer. */
	async function takeInRedis(store: RedisStore, ask: Ask): Promise<Outcome | undefined> {
		const taken = await store.take(ask, store.isTried ? await correctionOf(ask) : undefined);
		if (taken?.outcome !== "uncounted") return taken;
		const used = await countOf(ask);
		// Without the ledger the month's count is unknown: the window alone decides, and a later request asks again.
		const seeded = await (used === undefined ? store.take({ ...ask, monthly: null }) : store.take(ask, { used }));
		return seeded?.outcome === "uncounted" ? undefined : seeded;
	}

	async function takeInMemory(ask: Ask): Promise<Outcome> {
		if (ask.month !== undefined && ask.monthly !== null) {
			const ageMs = memory.age(ask);
			if (ageMs === undefined || ageMs >= ledgerAgeMs) {
				const asked = askLedger(ask.subject, ask.month.name).then((used) => {
					if (used !== undefined) memory.raise(ask, used);
				});
				// An old number is better than waiting for a new one.
				if (ageMs === undefined) await asked;
			}
		}
		// From here to the end without a pause: that makes it exact.
		return memory.take(ask, shareOf(ask.limit, instances));
	}

	async function decide(ask: Ask): Promise<Decision> {
		if (redis === undefined) return decisionOf(ask, await takeInMemory(ask), "memory", false);
		// Whatever becomes of Redis and its counters, one process allows no request beyond the limit.
		const own = memory.look(ask, ask.limit);
		if (ask.limit !== null && own.taken >= ask.limit) return decisionOf(ask, own, "memory", redis.away);
		const taken = await takeInRedis(redis, ask);
		if (taken !== undefined) {
			memory.learn(ask, taken);
			return decisionOf(ask, taken, "redis", false);
		}
		const outcome = await takeInMemory(ask);
		memory.setUncertain(ask, true);
		return decisionOf(ask, outcome, "memory", true);
	}

	return {
		async take(subject, limits, month) {
			if (limits.perMinute === null && !month) return { allowed: true, degraded: false };
			return decide(askOf(subject, limits, month, now()));
		},
		add(subject, queries, period = "month") {
			// Of the month that it is now: a request that began in the one before is given back in this one, to the customer's advantage.
			const month = periodOf(period, now());
			memory.add({ subject, month }, queries);
			void redis?.add(subject, month.name, queries).then((added) => {
				if (added === undefined) memory.setUncertain({ subject, month }, true);
			});
		},
		async used(subject, period = "month") {
			const month = periodOf(period, now());
			const own = memory.used({ subject, month });
			if (memory.isUncertain({ subject, month })) return own;
			return (await redis?.read(subject, month.name)) ?? own;
		},
		get degraded() {
			return redis?.away ?? false;
		},
		[Symbol.dispose]() {
			redis?.[Symbol.dispose]();
		},
	};
}

/** One at least: with more replicas than requests, each subject could otherwise be refused everywhere. */
const shareOf = (limit: number | null, instances: number): number | null =>
	limit === null || limit === 0 ? limit : Math.max(1, Math.floor(limit / instances));

function decisionOf(ask: Ask, outcome: Outcome, by: "redis" | "memory", degraded: boolean): Decision {
	decisions.inc({ by, outcome: outcome.outcome });
	const decision: Decision = { allowed: outcome.outcome === "taken", degraded };
	if (outcome.outcome !== "taken") decision.violated = outcome.outcome;
	if (ask.limit !== null) {
		decision.minute = {
			limit: ask.limit,
			remaining: Math.max(0, outcome.limit - outcome.taken),
			resetSeconds: Math.max(1, Math.ceil(outcome.resetMs / 1000)),
			windowSeconds: ask.windowSeconds,
		};
	}
	const { month, monthly } = ask;
	if (month !== undefined && monthly !== null && outcome.used !== undefined) {
		decision.month = {
			limit: monthly,
			remaining: Math.max(0, monthly - outcome.used),
			resetSeconds: month.leftSeconds,
			windowSeconds: month.seconds,
			resetsAt: month.resetsAt,
		};
	}
	return decision;
}
