/**
 * How many requests a subject may make: in any window of 60 seconds, exactly, and in a calendar month. Counted in Redis for all
 * replicas; while Redis is away, in memory at this process's share, so that its absence costs customers little and authorizes no caller
 * without limit. The ledger (billing) is the authority on months: counters come from it and can be lost.
 */
import { Counter } from "prom-client";
import type { Logger } from "#libs/service/logger.ts";
import { type Ask, askOf, type Limits, type Outcome } from "./ask.ts";
import { openLedger } from "./ledger.ts";
import { Memory } from "./memory.ts";
import { type Period, periodOf } from "./month.ts";
import { PendingIncrements } from "./pending-increments.ts";
import { openRedisStore, type RedisStore, type Reply, type Taken } from "./redis-store.ts";

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

export interface Limiter extends AsyncDisposable {
	/**
	 * Takes one from the window, and from the month when `month` is true; a denied one takes nothing of either. subject: `account:12`
	 * or `address:192.0.2.1`; what is limited differently needs a subject of its own.
	 */
	take(subject: string, limits: Limits, month: boolean): Promise<Decision>;
	/**
	 * Adds to what is counted of the month, of which a request was taken before; a negative number gives back, as for an answer that failed
	 * on our side. Best effort, never throws.
	 */
	add(subject: string, requests: number, period?: Period): void;
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
	const shared =
		redisUrl === undefined
			? undefined
			: openRedisStore({ redisUrl, redisCa, timeoutMs, now: nowMs, log, onBack: () => flushPending() });
	const pending = shared && new PendingIncrements(shared);

	function flushPending(): void {
		if (pending !== undefined && pending.size > 0) void pending.flush();
	}

	async function takeShared(redis: RedisStore, ask: Ask): Promise<Reply<Taken>> {
		const reply = await redis.take(ask);
		if (reply.away || reply.value.outcome !== "uncounted" || ask.month === undefined) return reply;
		const seed = await askLedger(ask.subject, ask.month.name);
		// Without the ledger the month's count is unknown: the window alone decides, and a later request asks again.
		if (seed === undefined) return redis.take({ ...ask, monthly: null });
		// The ledger follows by some seconds; what was counted here before Redis lost it is not forgotten.
		return redis.take(ask, Math.max(seed, memory.used(ask) ?? 0));
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

	/** What Redis does not know of a decision in memory, and what it has counted without its answer being read. */
	function settle(ask: Ask, { outcome, generation }: Outcome, reply: Reply<Taken>): void {
		const { subject, month } = ask;
		if (month === undefined || pending === undefined || !reply.away) return;
		const admitted = outcome === "taken";
		if (reply.lateResult === undefined) {
			// Which counter it would have been is not known: in the customer's favour it is not counted there.
			if (admitted && generation !== undefined)
				pending.enqueue({ subject, month: month.name, requests: 1, generation });
			return;
		}
		void reply.lateResult.then((late) => {
			// Whether it was counted stays unknown, and in the customer's favour it was. Or there was nothing to count it in.
			if (late === undefined || late.outcome === "uncounted" || late.generation === undefined) return;
			const requests = Number(admitted) - Number(late.outcome === "taken");
			if (requests !== 0) pending.enqueue({ subject, month: month.name, requests, generation: late.generation });
			flushPending();
		});
	}

	async function decide(ask: Ask): Promise<Decision> {
		if (shared === undefined) return decisionOf(ask, await takeInMemory(ask), "memory", false);
		// Whatever becomes of Redis and its counters, one process allows no request beyond the limit.
		const own = memory.look(ask, ask.limit);
		if (ask.limit !== null && own.taken >= ask.limit) return decisionOf(ask, own, "memory", shared.away);
		const reply = await takeShared(shared, ask);
		if (!reply.away && reply.value.outcome !== "uncounted") {
			memory.learn(ask, reply.value);
			flushPending();
			return decisionOf(ask, reply.value, "redis", false);
		}
		const outcome = await takeInMemory(ask);
		settle(ask, outcome, reply);
		return decisionOf(ask, outcome, "memory", true);
	}

	return {
		async take(subject, limits, month) {
			if (limits.perMinute === null && !month) return { allowed: true, degraded: false };
			return decide(askOf(subject, limits, month, now()));
		},
		add(subject, requests, period = "month") {
			// Of the month that it is now: a request that began in the one before is given back in this one, to the customer's advantage.
			const month = periodOf(period, now()).name;
			const generation = memory.add(subject, month, requests);
			if (generation !== undefined) pending?.enqueue({ subject, month, requests, generation });
			flushPending();
		},
		async used(subject, period = "month") {
			const month = periodOf(period, now());
			const reply = await shared?.read(subject, month.name);
			return reply !== undefined && !reply.away && reply.value !== undefined
				? reply.value
				: memory.used({ subject, month });
		},
		get degraded() {
			return shared?.away ?? false;
		},
		async [Symbol.asyncDispose]() {
			// Pending increments; `flush` ends where Redis is away.
			await pending?.flush();
			shared?.[Symbol.dispose]();
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
