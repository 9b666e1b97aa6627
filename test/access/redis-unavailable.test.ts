import { setImmediate as turn } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startRedis, type TestRedis } from "../support/servers.ts";
import {
	countAllowed,
	forward,
	quota,
	type Replica,
	startReplica,
	surroundings,
	takeMany,
} from "./support/limiters.ts";

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

const used = async (subject: string) => Number(await raw.hget(`limit:{${subject}}:2026-11`, "used"));

/** Long enough for a machine that is busy, short enough to be waited for. */
const hung = { timeoutMs: 300 };

describe("while Redis hangs", () => {
	it("waiting requests are answered, and count as one failure", async () => {
		await using gateway = await startReplica(redis.url, hung);
		await gateway.take(1);
		gateway.proxy.hang();
		const decisions = await gateway.take(20);
		expect(countAllowed(decisions)).toBe(20);
		expect(gateway.limiter.degraded).toBe(true);
		expect(gateway.logged).toHaveLength(1);
		gateway.proxy.resume();
		forward(gateway.clock, 1_000);
		await eventually(async () => (await gateway.take(1))[0]?.degraded === false);
		expect(gateway.limiter.degraded).toBe(false);
		expect(gateway.logged).toHaveLength(2);
	});

	it("each request is counted once, whether it reaches Redis late or from memory", async () => {
		await using gateway = await startReplica(redis.url, hung);
		expect(countAllowed(await gateway.take(3))).toBe(3);
		gateway.proxy.hang();
		// Five that Redis will carry out when it goes on, four that it is not asked for.
		expect(countAllowed(await gateway.take(5))).toBe(5);
		expect(countAllowed(await gateway.take(4))).toBe(4);
		expect(gateway.proxy.commands).toBeGreaterThan(0);
		gateway.proxy.resume();
		await back(gateway, { perMinute: null, periodQueries: 12 });
		expect(await used(gateway.account)).toBe(12);
	});

	it("requests that memory refused and Redis counts late are refunded", async () => {
		await using gateway = await startReplica(redis.url, { ...hung, instances: 5 });
		const limits = { perMinute: 10, periodQueries: 50 };
		await gateway.take(1, limits);
		gateway.proxy.hang();
		// This process's share is two, one of which it has accepted.
		expect(countAllowed(await gateway.take(4, limits))).toBe(1);
		gateway.proxy.resume();
		await back(gateway, { perMinute: null, periodQueries: 2 });
		expect(await used(gateway.account)).toBe(2);
	});

	it("requests that memory accepted and Redis refuses late are counted", async () => {
		await using gateway = await startReplica(redis.url, hung);
		await gateway.take(1);
		await raw.hset(`limit:{${gateway.account}}:2026-11`, "used", 50);
		gateway.proxy.hang();
		expect(countAllowed(await gateway.take(2))).toBe(2);
		gateway.ledger.used = 52;
		gateway.proxy.resume();
		await back(gateway);
		expect(await used(gateway.account)).toBe(52);
	});

	it("a query is refunded when Redis responds again", async () => {
		await using gateway = await startReplica(redis.url, hung);
		await gateway.take(3);
		gateway.proxy.hang();
		await gateway.take(1);
		gateway.limiter.add(gateway.account, -1);
		gateway.limiter.add(gateway.account, -1);
		expect(await gateway.limiter.used(gateway.account)).toBe(2);
		gateway.proxy.resume();
		await back(gateway, { perMinute: null, periodQueries: 2 });
		expect(await used(gateway.account)).toBe(2);
	});

	it.each([
		["before it was given up", 10_000],
		["after it was given up", 300],
	])("requests lost with a connection %s are counted once", async (_when, timeoutMs) => {
		await using gateway = await startReplica(redis.url, { timeoutMs });
		await gateway.take(1);
		gateway.proxy.lose();
		const lost = gateway.take(2);
		await (timeoutMs < 1_000 ? lost : eventually(() => gateway.proxy.commands === 2));
		gateway.proxy.cut();
		expect(countAllowed(await lost)).toBe(2);
		gateway.proxy.restore();
		let since = 0;
		await eventually(async () => {
			since++;
			return (await gateway.take(1))[0]?.degraded === false;
		});
		expect(await used(gateway.account)).toBe(3 + since);
	});
});

/** Redis answers again, and has refused a request: all of a month that allows this many is used. */
async function back(gateway: Replica, limits = quota): Promise<void> {
	forward(gateway.clock, 10_000);
	await eventually(async () => {
		const [decision] = await gateway.take(1, limits);
		return decision?.degraded === false && decision.violated === "month";
	});
}

describe("while Redis is down", () => {
	it("limits hold at this replica's share, and requests it accepted before count", async () => {
		await using gateway = await startReplica(redis.url, { instances: 2 });
		const limits = { perMinute: 10, periodQueries: null };
		expect(countAllowed(await gateway.take(3, limits))).toBe(3);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		expect(countAllowed(await gateway.take(30, limits))).toBe(2);
		forward(gateway.clock, 60_000);
		expect(countAllowed(await gateway.take(30, limits))).toBe(5);
	});

	it("the quota holds by Redis' last count, without reading the ledger", async () => {
		await using gateway = await startReplica(redis.url);
		gateway.ledger.used = 40;
		await gateway.take(2);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		const decisions = await gateway.take(100);
		expect(countAllowed(decisions)).toBe(8);
		expect(decisions.at(-1)).toMatchObject({ violated: "month", degraded: true, month: { remaining: 0 } });
		expect(gateway.ledger.asked).toHaveLength(1);
	});

	it("since the start, months come from the ledger, and counting begins when Redis is available", async () => {
		await using gateway = await startReplica(redis.url, { timeoutMs: 100 });
		gateway.proxy.cut();
		using late = lateReplica(gateway.proxy.url);
		late.ledger.used = 45;
		expect(countAllowed(await takeMany([late.limiter], 20, gateway.account, quota, true))).toBe(5);
		gateway.proxy.restore();
		late.ledger.used = 50;
		const decision = await eventually(async () => {
			const [one] = await takeMany([late.limiter], 1, gateway.account, quota, true);
			return one?.degraded === false && one;
		});
		expect(decision).toMatchObject({ allowed: false, violated: "month" });
		expect(await used(gateway.account)).toBe(50);
	});

	it.skipIf(process.env.TEST_REDIS_URL)("every request is answered when its process ends under load", async () => {
		const doomed = await startRedis();
		const around = surroundings();
		using limiter = around.open(doomed.url);
		const limits = { perMinute: null, periodQueries: 1_000_000 };
		await limiter.take("account:1", limits, true);
		const decisions: boolean[] = [];
		const ask = async () => {
			decisions.push((await limiter.take("account:1", limits, true)).allowed);
			// Decisions in memory never wait, so other work gets its turn here.
			await turn();
		};
		let stopped = false;
		const askers = Array.from({ length: 20 }, async () => {
			while (!stopped) await ask();
			await ask();
		});
		const load = Promise.all(askers);
		await doomed.stop();
		stopped = true;
		await load;
		expect(decisions).not.toContain(false);
		expect(await limiter.used("account:1")).toBe(decisions.length + 1);
	});

	it("no secret is logged", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(1);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		await gateway.take(1);
		expect(gateway.logged).toHaveLength(1);
		const { password } = new URL(redis.url);
		expect(gateway.logged.join()).not.toContain(`:${password}@`);
		expect(gateway.logged.join()).not.toContain(gateway.account);
	});
});

describe("when Redis is back", () => {
	it("requests accepted from memory are counted, and those at other replicas by the ledger", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(3);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		expect(countAllowed(await gateway.take(4))).toBe(4);
		gateway.proxy.restore();
		await eventually(() => !gateway.limiter.degraded);
		expect(await gateway.limiter.used(gateway.account)).toBe(7);
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false, month: { remaining: 42 } });
		expect(await used(gateway.account)).toBe(8);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		await gateway.take(1);
		gateway.ledger.used = 30;
		gateway.proxy.restore();
		await eventually(() => !gateway.limiter.degraded);
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false, month: { remaining: 19 } });
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false, month: { remaining: 18 } });
		expect(await used(gateway.account)).toBe(32);
	});

	it("if it is empty, counters come from the ledger, and requests accepted from memory are counted once", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(3);
		gateway.proxy.cut();
		await eventually(() => gateway.limiter.degraded);
		expect(countAllowed(await gateway.take(4))).toBe(4);
		await raw.flushall();
		gateway.ledger.used = 7;
		// Another replica is there first.
		using other = gateway.open(redis.url);
		expect(await other.take(gateway.account, quota, true)).toMatchObject({ month: { remaining: 42 } });
		gateway.ledger.used = 8;
		gateway.proxy.restore();
		await eventually(() => !gateway.limiter.degraded);
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false });
		// Seven that the ledger knows, the other replica's, and the one that Redis was asked for here.
		expect(await used(gateway.account)).toBe(9);
	});

	it("if it is empty, a lagging ledger does not lose the requests that this process has counted", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(20);
		await raw.flushall();
		gateway.ledger.used = 15;
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false, month: { remaining: 29 } });
		expect(await used(gateway.account)).toBe(21);
	});

	it("if it is empty, the same process does not allow a minute's requests twice", async () => {
		await using gateway = await startReplica(redis.url);
		const limits = { perMinute: 10, periodQueries: null };
		expect(countAllowed(await gateway.take(10, limits))).toBe(10);
		await raw.flushall();
		expect(countAllowed(await gateway.take(10, limits))).toBe(0);
	});
});

describe("when Redis refuses to count", () => {
	it("memory decides, and the requests it accepted are counted afterwards", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(2);
		await raw.config("SET", "maxmemory", "1");
		try {
			const decisions = await gateway.take(5);
			expect(decisions.every(({ allowed, degraded }) => allowed && degraded)).toBe(true);
			expect(gateway.logged.join()).toContain("OOM");
		} finally {
			await raw.config("SET", "maxmemory", "0");
		}
		forward(gateway.clock, 1_000);
		await gateway.take(1);
		await eventually(async () => (await used(gateway.account)) === 8);
	});
});

/** A replica that starts now. */
function lateReplica(redisUrl: string) {
	const around = surroundings();
	const limiter = around.open(redisUrl, { timeoutMs: 100 });
	return { ...around, limiter, [Symbol.dispose]: () => limiter[Symbol.dispose]() };
}
