/**
 * Limits of a subject: requests in a sliding window of 60 seconds by default, and queries in a calendar month or day. Redis counts for all
 * replicas. While it is unavailable, each process counts in memory and allows its share of a window's limit. The ledger (billing) is the
 * authority on periods: it seeds the counters, and corrects them after Redis was unavailable.
 */
import { Counter } from "prom-client";
import { within } from "#libs/contract/within.ts";
import type { Logger } from "#libs/service/logger.ts";
import { Breaker } from "./breaker.ts";
import { type LimitRequest, type Limits, limitRequest, type Outcome, type Period, periodOf } from "./limits.ts";
import { Memory } from "./memory.ts";
import { openRedisStore, type RedisStore, type Seed } from "./redis-store.ts";

export interface Quota {
	limit: number;
	remaining: number;
	/** Time until there is room for one more request (window) or until the period ends (s). At least 1. */
	resetSeconds: number;
	windowSeconds: number;
}

export interface Decision {
	allowed: boolean;
	/** The violated limit. If both limits are violated, it is the period's, which resets later. */
	violated?: "minute" | "month";
	minute?: Quota;
	/** The period's quota. Absent if it is unlimited, not counted, or unknown. */
	month?: Quota & { resetsAt: string };
	/** Redis was unavailable, so the decision was made in memory. */
	degraded: boolean;
}

export interface Limiter extends Disposable {
	/**
	 * Counts a request in the window, and its queries in the period if `countsPeriod`. A denied request is not counted. `subject` is
	 * `account:12` or `address:192.0.2.1`, for example; each limit needs a separate subject.
	 */
	take(subject: string, limits: Limits, countsPeriod: boolean): Promise<Decision>;
	/** Adds to the period's count; a negative number gives queries back, for instance after a failed call. Best effort, never throws. */
	add(subject: string, queries: number, period?: Period): void;
	/** The period's count, for /usage; undefined if neither Redis nor this process has one. */
	used(subject: string, period?: Period): Promise<number | undefined>;
	readonly degraded: boolean;
}

export interface LimiterOptions {
	redisUrl: string | undefined;
	redisCa?: string | undefined;
	timeoutMs: number;
	/** Replicas, which share a window's limit while Redis is unavailable. */
	instances: number;
	/** Reads the ledger's count of a subject in a month (YYYY-MM) or day (YYYY-MM-DD). */
	countUsedRequests(subject: string, period: string): Promise<number>;
	log: Pick<Logger, "warn" | "info">;
	now?(): Date;
	maxSubjects?: number;
}

/** A count in memory is read from the ledger again at this age, because other replicas count, too. */
const ledgerAgeMs = 10_000;

const decisions = new Counter({
	name: "gateway_limit_decisions_total",
	help: "Requests by where their limit was decided (redis, memory) and how (taken, minute, month).",
	labelNames: ["by", "outcome"],
});

export function openLimiter(options: LimiterOptions): Limiter {
	const { redisUrl, redisCa, timeoutMs, instances, countUsedRequests, log, now = () => new Date() } = options;
	const { maxSubjects = 50_000 } = options;
	const nowMs = () => now().getTime();
	const memory = new Memory({ maxSubjects });
	const readLedger = openLedger({ countUsedRequests, now: nowMs, log });
	const redis = redisUrl === undefined ? undefined : openRedisStore({ redisUrl, redisCa, timeoutMs, now: nowMs, log });

	/** The higher of the counts of the ledger and of this process, because the ledger lags by some seconds. Undefined if the ledger cannot be read. */
	async function countOf(request: LimitRequest): Promise<number | undefined> {
		if (request.period === undefined) return undefined;
		const own = memory.used(request) ?? 0;
		const ledger = await readLedger(request.subject, request.period.name);
		return ledger === undefined ? undefined : Math.max(ledger, own);
	}

	/** The ledger's count for a counter in Redis that may lack requests, to correct it once; undefined if the counter is certain. */
	async function correctionOf(request: LimitRequest): Promise<Seed | undefined> {
		if (!memory.isUncertain(request)) return undefined;
		const used = await countOf(request);
		if (used === undefined || !memory.isUncertain(request)) return undefined;
		memory.setUncertain(request, false);
		return { used, replaces: true };
	}

	async function takeInRedis(store: RedisStore, request: LimitRequest): Promise<Outcome | undefined> {
		const taken = await store.take(request, store.acceptsCalls ? await correctionOf(request) : undefined);
		if (taken?.outcome !== "uncounted") return taken;
		const used = await countOf(request);
		// If the ledger cannot be read, only the window decides, and a later request reads the count again.
		const seeded = await (used === undefined
			? store.take({ ...request, periodLimit: null })
			: store.take(request, { used }));
		return seeded?.outcome === "uncounted" ? undefined : seeded;
	}

	async function takeInMemory(request: LimitRequest): Promise<Outcome> {
		if (request.period !== undefined && request.periodLimit !== null) {
			const ageMs = memory.age(request);
			if (ageMs === undefined || ageMs >= ledgerAgeMs) {
				const reading = readLedger(request.subject, request.period.name).then((used) => {
					if (used !== undefined) memory.raise(request, used);
				});
				// If there is an old count, the request does not wait for the new one.
				if (ageMs === undefined) await reading;
			}
		}
		// Nothing is awaited from here on, so concurrent requests cannot exceed the limit.
		return memory.take(request, shareOf(request.limit, instances));
	}

	async function decide(request: LimitRequest): Promise<Decision> {
		if (redis === undefined) return decisionOf(request, await takeInMemory(request), "memory", false);
		// The check in memory comes first, so that one process never exceeds the window's limit, even if Redis loses its counters.
		const own = memory.check(request, request.limit);
		if (request.limit !== null && own.taken >= request.limit) return decisionOf(request, own, "memory", redis.away);
		const taken = await takeInRedis(redis, request);
		if (taken !== undefined) {
			memory.recordDecision(request, taken);
			return decisionOf(request, taken, "redis", false);
		}
		const outcome = await takeInMemory(request);
		memory.setUncertain(request, true);
		return decisionOf(request, outcome, "memory", true);
	}

	return {
		async take(subject, limits, countsPeriod) {
			if (limits.perMinute === null && !countsPeriod) return { allowed: true, degraded: false };
			return decide(limitRequest(subject, limits, countsPeriod, now()));
		},
		add(subject, queries, name = "month") {
			// A query of the previous period is given back in the current one, in the customer's favor.
			const period = periodOf(name, now());
			memory.add({ subject, period }, queries);
			void redis?.add(subject, period.name, queries).then((added) => {
				if (added === undefined) memory.setUncertain({ subject, period }, true);
			});
		},
		async used(subject, name = "month") {
			const period = periodOf(name, now());
			const own = memory.used({ subject, period });
			if (memory.isUncertain({ subject, period })) return own;
			return (await redis?.read(subject, period.name)) ?? own;
		},
		get degraded() {
			return redis?.away ?? false;
		},
		[Symbol.dispose]() {
			redis?.[Symbol.dispose]();
		},
	};
}

/** A replica's share of a limit. It is at least 1, because every replica would otherwise refuse a subject whose limit is lower than their number. */
const shareOf = (limit: number | null, instances: number): number | null =>
	limit === null || limit === 0 ? limit : Math.max(1, Math.floor(limit / instances));

function decisionOf(request: LimitRequest, outcome: Outcome, by: "redis" | "memory", degraded: boolean): Decision {
	decisions.inc({ by, outcome: outcome.outcome });
	const decision: Decision = { allowed: outcome.outcome === "taken", degraded };
	if (outcome.outcome !== "taken") decision.violated = outcome.outcome;
	if (request.limit !== null) {
		decision.minute = {
			limit: request.limit,
			remaining: Math.max(0, outcome.limit - outcome.taken),
			resetSeconds: Math.max(1, Math.ceil(outcome.resetMs / 1000)),
			windowSeconds: request.windowSeconds,
		};
	}
	const { period, periodLimit } = request;
	if (period !== undefined && periodLimit !== null && outcome.used !== undefined) {
		decision.month = {
			limit: periodLimit,
			remaining: Math.max(0, periodLimit - outcome.used),
			resetSeconds: period.leftSeconds,
			windowSeconds: period.seconds,
			resetsAt: period.resetsAt,
		};
	}
	return decision;
}

interface LedgerOptions {
	countUsedRequests(subject: string, period: string): Promise<number>;
	now: () => number;
	log: Pick<Logger, "warn">;
	timeoutMs?: number;
}

/** Reads the ledger's count; undefined if that is not possible now. Never throws. */
type ReadLedger = (subject: string, period: string) => Promise<number | undefined>;

export function openLedger({ countUsedRequests, now, log, timeoutMs = 1_000 }: LedgerOptions): ReadLedger {
	const breaker = new Breaker({ now });
	const pending = new Map<string, Promise<number | undefined>>();

	async function readCount(subject: string, period: string): Promise<number | undefined> {
		const pass = breaker.enter();
		if (pass === undefined) return undefined;
		try {
			const counted = await within(countUsedRequests(subject, period), timeoutMs);
			if (counted === undefined) throw new Error(`no reply within ${timeoutMs} ms`);
			if (!Number.isSafeInteger(counted.value) || counted.value < 0)
				throw new Error(`the usage count must be a non-negative integer, not ${counted.value}`);
			breaker.succeeded(pass);
			return counted.value;
		} catch (error) {
			if (!breaker.open)
				log.warn({ err: error }, "usage cannot be read from the ledger: quotas are not enforced meanwhile");
			breaker.failed(pass);
			return undefined;
		}
	}

	return (subject, period) => {
		const key = `${period} ${subject}`;
		const pendingRead = pending.get(key);
		if (pendingRead !== undefined) return pendingRead;
		const reading = readCount(subject, period).finally(() => pending.delete(key));
		pending.set(key, reading);
		return reading;
	};
}
