import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LimiterOptions } from "../../services/gateway/limiter/limiter.ts";
import { eventually } from "../support/eventually.ts";
import { startRedis, type TestRedis } from "../support/servers.ts";
import { countAllowed, surroundings, takeMany } from "./support/limiters.ts";

let redis: TestRedis;
let raw: Redis;

beforeAll(async () => {
	redis = await startRedis();
	raw = new Redis(redis.operatorUrl);
});
afterAll(async () => {
	raw.disconnect();
	await redis.stop();
});

let accounts = 0;
const newAccount = () => `account:${++accounts}`;
const used = async (subject: string) => Number(await raw.hget(`limit:{${subject}}:2026-11`, "used"));
const inMinute = (subject: string) => raw.zcard(`limit:{${subject}}:60s`);

const free = { perMinute: 10, periodQueries: 50 };

/** Replicas of a gateway on one Redis. */
function replicas(count: number, options: Partial<LimiterOptions> = {}) {
	const around = surroundings();
	const stack = new AsyncDisposableStack();
	const limiters = Array.from({ length: count }, () => stack.use(around.open(redis.url, options)));
	return { ...around, limiters, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe("limits in Redis", () => {
	it("allow exactly 10 of 1,000 parallel calls on the last 10 of a quota, across four replicas", async () => {
		await using gateway = replicas(4);
		const account = newAccount();
		gateway.ledger.used = 2_490;
		const limits = { perMinute: null, periodQueries: 2_500 };
		const decisions = await takeMany(gateway.limiters, 1_000, account, limits, true);
		expect(countAllowed(decisions)).toBe(10);
		expect(decisions.every(({ degraded }) => !degraded)).toBe(true);
		expect(await used(account)).toBe(2_500);
	});

	it("allow exactly the limit per minute across four replicas", async () => {
		await using gateway = replicas(4);
		const account = newAccount();
		const decisions = await takeMany(gateway.limiters, 1_000, account, { perMinute: 60, periodQueries: null }, false);
		expect(countAllowed(decisions)).toBe(60);
		expect(new Set(decisions.flatMap(({ minute }) => (minute ? [minute.remaining] : []))).size).toBe(60);
	});

	it("accept no more than the limit in any window, burst after burst", async () => {
		await using gateway = replicas(4, { now: () => new Date() });
		const account = newAccount();
		const limits = { perMinute: 8, periodQueries: null, windowSeconds: 1 };
		const accepted: { sentAt: number; answered: number }[] = [];
		const until = performance.now() + 2_200;
		while (performance.now() < until) {
			const sentAt = performance.now();
			const decisions = await takeMany(gateway.limiters, 4, account, limits, false);
			const answered = performance.now();
			for (const { allowed } of decisions) if (allowed) accepted.push({ sentAt, answered });
		}
		expect(accepted.length).toBeGreaterThan(16);
		// Each was accepted between its request and its response, so the true distance is at most this one.
		const tooNear = accepted.filter(({ sentAt }, index) => {
			const ninth = accepted[index + 8];
			return ninth !== undefined && ninth.answered - sentAt < 999;
		});
		expect(tooNear).toEqual([]);
	});

	it("count a request that is refused by either limit against neither", async () => {
		await using gateway = replicas(2);
		const account = newAccount();
		gateway.ledger.used = 38;
		expect(countAllowed(await takeMany(gateway.limiters, 30, account, free, true))).toBe(10);
		expect(await used(account)).toBe(48);
		expect(await inMinute(account)).toBe(10);
		await raw.del(`limit:{${account}}:60s`);
		await using other = replicas(2);
		const decisions = await takeMany(other.limiters, 30, account, free, true);
		expect(countAllowed(decisions)).toBe(2);
		expect(decisions.filter(({ violated }) => violated === "month")).toHaveLength(28);
		expect(await used(account)).toBe(50);
		expect(await inMinute(account)).toBe(2);
	});

	it("report what remains and when it resets", async () => {
		await using gateway = replicas(1);
		const account = newAccount();
		gateway.ledger.used = 7;
		const [decision] = await takeMany(gateway.limiters, 1, account, free, true);
		expect(decision).toEqual({
			allowed: true,
			minute: { limit: 10, remaining: 9, resetSeconds: 60, windowSeconds: 60 },
			month: {
				limit: 50,
				remaining: 42,
				resetSeconds: 820_800,
				windowSeconds: 2_592_000,
				resetsAt: "2026-12-01T00:00:00Z",
			},
			degraded: false,
		});
	});

	it("leave no key in Redis without an expiry", async () => {
		await using gateway = replicas(1);
		const account = newAccount();
		await takeMany(gateway.limiters, 20, account, free, true);
		const keys = await raw.keys(`limit:{${account}}:*`);
		expect(keys.sort()).toEqual([`limit:{${account}}:2026-11`, `limit:{${account}}:60s`]);
		expect(await raw.pttl(`limit:{${account}}:60s`)).toSatisfy((ms: number) => ms > 0 && ms <= 60_001);
		expect(await raw.ttl(`limit:{${account}}:2026-11`)).toSatisfy((s: number) => s > 820_800 && s <= 820_800 + 86_400);
	});

	it("are retained when a process is replaced, without reading the ledger again", async () => {
		const account = newAccount();
		{
			await using before = replicas(1);
			expect(countAllowed(await takeMany(before.limiters, 10, account, free, true))).toBe(10);
		}
		await using after = replicas(1);
		const [decision] = await takeMany(after.limiters, 1, account, free, true);
		expect(decision).toMatchObject({ allowed: false, violated: "minute", month: { remaining: 40 } });
		expect(after.ledger.asked).toEqual([]);
	});

	it("start a new month with the ledger's count", async () => {
		await using gateway = replicas(2);
		const account = newAccount();
		const limits = { perMinute: null, periodQueries: 50 };
		gateway.clock.now = new Date("2026-11-30T23:59:59.999Z");
		gateway.ledger.used = 49;
		expect(countAllowed(await takeMany(gateway.limiters, 10, account, limits, true))).toBe(1);
		gateway.clock.now = new Date("2026-12-01T00:00:00Z");
		gateway.ledger.used = 0;
		expect(countAllowed(await takeMany(gateway.limiters, 60, account, limits, true))).toBe(50);
		expect(new Set(gateway.ledger.asked)).toEqual(new Set([`${account} 2026-11`, `${account} 2026-12`]));
	});

	it("enforce only the minute while the ledger is unavailable, and the month once it is back", async () => {
		await using gateway = replicas(1);
		const account = newAccount();
		gateway.ledger.failing = true;
		const decisions = await takeMany(gateway.limiters, 12, account, { perMinute: 10, periodQueries: 5 }, true);
		expect(countAllowed(decisions)).toBe(10);
		expect(decisions.every(({ degraded, month }) => !degraded && month === undefined)).toBe(true);
		expect(await raw.exists(`limit:{${account}}:2026-11`)).toBe(0);
		gateway.ledger.failing = false;
		gateway.ledger.used = 10;
		gateway.clock.now = new Date(gateway.clock.now.getTime() + 60_000);
		await raw.del(`limit:{${account}}:60s`);
		const [decision] = await takeMany(gateway.limiters, 1, account, { perMinute: 10, periodQueries: 5 }, true);
		expect(decision).toMatchObject({ allowed: false, violated: "month" });
	});

	it("refund a monthly query once, and only if it was counted", async () => {
		await using gateway = replicas(1);
		const [limiter] = gateway.limiters;
		const account = newAccount();
		await takeMany(gateway.limiters, 2, account, free, true);
		limiter?.add(account, -1);
		await eventually(async () => (await used(account)) === 1);
		expect(await limiter?.used(account)).toBe(1);
		limiter?.add(account, -1);
		limiter?.add(account, -1);
		await eventually(async () => (await used(account)) === 0);
		expect(await inMinute(account)).toBe(2);
		limiter?.add("account:unknown", -1);
		expect(await limiter?.used("account:unknown")).toBeUndefined();
	});

	it("count the month of an account whose plan has no quota, in case it gets one again", async () => {
		await using gateway = replicas(1);
		const account = newAccount();
		await takeMany(gateway.limiters, 3, account, { perMinute: null, periodQueries: 50 }, true);
		await takeMany(gateway.limiters, 60, account, { perMinute: null, periodQueries: null }, true);
		const [decision] = await takeMany(gateway.limiters, 1, account, { perMinute: null, periodQueries: 50 }, true);
		expect(decision).toMatchObject({ allowed: false, violated: "month" });
		expect(await used(account)).toBe(63);
	});

	it("support windows of an hour and a minute together", async () => {
		await using gateway = replicas(2);
		const address = `register:192.0.2.${++accounts}`;
		const limits = { perMinute: 5, periodQueries: null };
		expect(
			countAllowed(await takeMany(gateway.limiters, 20, address, { ...limits, windowSeconds: 3_600 }, false)),
		).toBe(5);
		expect(await raw.pttl(`limit:{${address}}:3600s`)).toBeGreaterThan(3_500_000);
		expect(countAllowed(await takeMany(gateway.limiters, 20, address, limits, false))).toBe(5);
	});

	it("hold if Redis' clock is set back a little, and restart if it is set back far", async () => {
		await using gateway = replicas(1);
		const limits = { perMinute: 5, periodQueries: null };
		for (const [seconds, room] of [
			[30, 4],
			[90, 5],
		] as const) {
			const account = newAccount();
			const [now = ""] = await raw.time();
			// Accepted at a time that has not come yet.
			const moment = `${Number(now) + seconds}000000`;
			await raw.zadd(`limit:{${account}}:60s`, moment, moment);
			expect(countAllowed(await takeMany(gateway.limiters, 20, account, limits, false))).toBe(room);
		}
	});

	it("survive when Redis loses its scripts", async () => {
		await using gateway = replicas(1);
		const account = newAccount();
		await takeMany(gateway.limiters, 2, account, free, true);
		await raw.script("FLUSH");
		const decisions = await takeMany(gateway.limiters, 2, account, free, true);
		expect(decisions.every(({ degraded, allowed }) => allowed && !degraded)).toBe(true);
		expect(await used(account)).toBe(4);
	});
});
