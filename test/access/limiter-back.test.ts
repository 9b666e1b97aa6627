import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startRedis, type TestRedis } from "../support/servers.ts";
import { countAllowed, forward, quota, startReplica } from "./support/limiters.ts";

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

	it("and empty, counters come from the ledger, and requests accepted from memory are counted once", async () => {
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

	it("and empty, a ledger that lags behind does not give away what this process has counted", async () => {
		await using gateway = await startReplica(redis.url);
		await gateway.take(20);
		await raw.flushall();
		gateway.ledger.used = 15;
		expect((await gateway.take(1))[0]).toMatchObject({ degraded: false, month: { remaining: 29 } });
		expect(await used(gateway.account)).toBe(21);
	});

	it("and empty, the same process does not allow a minute's requests twice", async () => {
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
