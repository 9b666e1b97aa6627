/** Limiters for tests: a clock that is set by hand, a ledger that says what the test sets. */

import {
	type Decision,
	type Limiter,
	type LimiterOptions,
	openLimiter,
} from "../../../services/gateway/limiter/limiter.ts";
import type { Limits } from "../../../services/gateway/limiter/limits.ts";
import { type RedisProxy, startRedisProxy } from "./redis-proxy.ts";

export interface Surroundings {
	clock: { now: Date };
	ledger: { used: number; failing: boolean; asked: string[] };
	/** Log lines, as JSON. */
	logged: string[];
	open(redisUrl: string | undefined, options?: Partial<LimiterOptions>): Limiter;
}

/** Shared by the limiters that are opened in it, as by the replicas of one gateway. */
export function surroundings(at = "2026-11-21T12:00:00Z"): Surroundings {
	const clock = { now: new Date(at) };
	const ledger: Surroundings["ledger"] = { used: 0, failing: false, asked: [] };
	const logged: string[] = [];
	const write = (...words: unknown[]) => void logged.push(JSON.stringify(words));
	return {
		clock,
		ledger,
		logged,
		open: (redisUrl, options = {}) =>
			openLimiter({
				redisUrl,
				// A slow machine must not look like a Redis that hangs.
				timeoutMs: 10_000,
				instances: 1,
				log: { warn: write, info: write },
				now: () => clock.now,
				async countUsedRequests(subject, month) {
					ledger.asked.push(`${subject} ${month}`);
					if (ledger.failing) throw new Error("billing is away");
					return ledger.used;
				},
				...options,
			}),
	};
}

/** Goes on by so many milliseconds. */
export function forward(clock: { now: Date }, ms: number): void {
	clock.now = new Date(clock.now.getTime() + ms);
}

/** Asks so many times at once; answers the decisions. */
export const takeMany = (
	limiters: Limiter[],
	count: number,
	...[subject, limits, month]: Parameters<Limiter["take"]>
): Promise<Decision[]> =>
	Promise.all(
		Array.from({ length: count }, (_, index) => {
			const limiter = limiters[index % limiters.length];
			if (limiter === undefined) throw new Error("no limiter");
			return limiter.take(subject, limits, month);
		}),
	);

export const countAllowed = (decisions: { allowed: boolean }[]): number =>
	decisions.filter(({ allowed }) => allowed).length;

export const quota = { perMinute: null, periodQueries: 50 };

let accounts = 0;

export interface Replica extends Surroundings, AsyncDisposable {
	proxy: RedisProxy;
	limiter: Limiter;
	/** An account with nothing counted yet. */
	account: string;
	/** Asks so many times at once, by the month too. */
	take(count: number, limits?: Limits): Promise<Decision[]>;
}

/** A limiter with a proxy before its Redis. */
export async function startReplica(redisUrl: string, options: Partial<LimiterOptions> = {}): Promise<Replica> {
	await using stack = new AsyncDisposableStack();
	const around = surroundings();
	const proxy = stack.use(await startRedisProxy(redisUrl));
	const limiter = stack.use(around.open(proxy.url, options));
	const account = `account:${++accounts}`;
	const owned = stack.move();
	return {
		...around,
		proxy,
		limiter,
		account,
		take: (count, limits = quota) => takeMany([limiter], count, account, limits, true),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
