/** The limiter alone: one call is the minute's log and the month's counter in Redis, against the shortest question that Redis knows. */
import { Redis } from "ioredis";
import { type Limiter, openLimiter } from "../../services/gateway/limiter/limiter.ts";
import { silent } from "../../test/support/silent.ts";
import { quantile, takeTurns } from "./measure.ts";
import { type Row, spread } from "./report.ts";
import type { Bench } from "./system.ts";

const atOnce = 64;
const limits = { perMinute: 200, periodQueries: 1_000_000_000 };
/** The slowest of a hundred calls (ms). */
const aimMs = 0.3;

export async function measureLimiter(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const { REDIS_URL: redisUrl = "" } = bench.envOf("gateway");
	using limiter = openLimiter({
		redisUrl,
		// A decision in memory must not pass for a fast call.
		timeoutMs: 10_000,
		instances: 1,
		countUsedRequests: async () => 0,
		log: silent,
	});
	using stack = new DisposableStack();
	const redis = stack.adopt(new Redis(redisUrl), (it) => it.disconnect());
	const turns = bench.size.turns(6);
	// So many that none comes near its limit: memory refuses a caller beyond it without a request to Redis.
	const accounts = bench.size.count(20_000);
	const [calls, single] = [bench.size.count(20_000), bench.size.count(3_000)];
	const take = taker(limiter, accounts);
	const ping = () => redis.ping();
	// Opens every account's counter.
	await inParallel(take, accounts);
	const many = await takeTurns(turns, { ours: () => rate(take, calls), baseline: () => rate(ping, calls) });
	const one = await takeTurns(turns, { ours: () => latencies(take, single), baseline: () => latencies(ping, single) });
	say("the limiter: done");
	return [
		{
			measure: `limiter calls, ${atOnce} at once, against PING`,
			unit: "calls/s",
			...many,
			note: `${spread(many.ours)}; ${accounts.toLocaleString("en")} accounts of 200 a minute, all in this process`,
		},
		...[0.5, 0.99].map((share): Row => {
			const ours = one.ours.map((turn) => quantile(turn, share));
			const baseline = one.baseline.map((turn) => quantile(turn, share));
			return { measure: `  one at a time, p${share * 100}`, unit: "ms", ours, baseline, note: spread(ours) };
		}),
		aimed(one.ours.map((turn) => quantile(turn, 0.99))),
	];
}

const aimed = (ours: number[]): Row => ({
	measure: "  one at a time, p99, against the aim",
	unit: "ms",
	ours,
	baseline: ours.map(() => aimMs),
	aim: { atMost: 1 },
	note: "the baseline is the aim",
});

/** Takes for one account after the other. @throws when it was refused, or decided without Redis: that would measure something else. */
function taker(limiter: Limiter, accounts: number): () => Promise<void> {
	let calls = 0;
	return async () => {
		const { allowed, degraded } = await limiter.take(`account:bench-${calls++ % accounts}`, limits, true);
		if (!allowed || degraded)
			throw new Error(`the limiter was to be measured, and was ${JSON.stringify({ allowed, degraded })}`);
	};
}

async function rate(call: () => Promise<unknown>, calls: number): Promise<number> {
	const started = performance.now();
	await inParallel(call, calls);
	return (1_000 * calls) / (performance.now() - started);
}

async function latencies(call: () => Promise<unknown>, calls: number): Promise<number[]> {
	const taken: number[] = [];
	while (taken.length < calls) {
		const started = performance.now();
		await call();
		taken.push(performance.now() - started);
	}
	return taken;
}

async function inParallel(call: () => Promise<unknown>, times: number): Promise<void> {
	let left = times;
	const worker = async () => {
		while (left-- > 0) await call();
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}
