/** The gateway's user at Redis may count under its own keys. No other user may do anything. */
import { Redis, type RedisOptions } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitRequest } from "../../services/gateway/limiter/limits.ts";
import { openRedisStore } from "../../services/gateway/limiter/redis-store.ts";
import { startRedis, type TestRedis } from "../support/servers.ts";

let redis: TestRedis;
let gateway: Redis;
beforeAll(async () => {
	redis = await startRedis();
	gateway = new Redis(redis.url, { disableClientInfo: true });
});
afterAll(async () => {
	gateway.disconnect();
	await redis.stop();
});

test("the limiter counts, reads and refunds with these privileges", async () => {
	const log = { warn: (fields: unknown) => expect(fields).toBeUndefined(), info() {} };
	using shared = openRedisStore({ redisUrl: redis.url, timeoutMs: 10_000, now: Date.now, log });
	const limits = { perMinute: 2, periodQueries: 50 };
	const askFor = (subject: string) => limitRequest(subject, limits, true, new Date("2026-11-21T12:00:00Z"));
	const ask = askFor("account:1");
	expect(await shared.take(ask, { used: 7 })).toMatchObject({ outcome: "taken", taken: 1, used: 8 });
	expect(await shared.add("account:1", "2026-11", -1)).toBe(true);
	expect(await shared.read("account:1", "2026-11")).toBe(7);
	// A window that was cut short, an account of which nothing is known: every branch of the script.
	expect(await shared.take(ask, { used: 9, replaces: true })).toMatchObject({ outcome: "taken", used: 10 });
	expect(await shared.take(ask)).toMatchObject({ outcome: "minute" });
	expect(await shared.take(askFor("account:2"))).toMatchObject({ outcome: "uncounted" });
});

const counter = "limit:{account:1}:2026-11";
test.each([
	["FLUSHALL"],
	["FLUSHDB"],
	["CONFIG", "GET", "*"],
	["CONFIG", "SET", "maxmemory", "1"],
	["KEYS", "*"],
	["SCAN", "0"],
	["DBSIZE"],
	["ACL", "LIST"],
	["CLIENT", "LIST"],
	["CLIENT", "KILL", "ID", "1"],
	["SAVE"],
	["SHUTDOWN", "NOSAVE"],
	["REPLICAOF", "127.0.0.1", "1"],
	["MONITOR"],
	["MODULE", "LIST"],
	["SCRIPT", "FLUSH"],
	["FUNCTION", "LIST"],
	["PUBLISH", "x", "y"],
	["SUBSCRIBE", "x"],
	["GET", counter],
	["SET", counter, "1"],
	["PERSIST", counter],
	["RENAME", counter, "limit:x"],
	["DUMP", counter],
	["MIGRATE", "127.0.0.1", "1", counter, "0", "1"],
	["HGET", "session:1", "used"],
	["HSET", "limits:1", "used", "1"],
	["DEL", "another"],
	["EVAL", "return redis.call('HGET', KEYS[1], 'used')", "1", "another"],
	["EVAL", "return redis.call('FLUSHALL')", "0"],
	["EVAL", "return redis.call('KEYS', '*')", "0"],
])("%s %s is refused", async (command, ...words) => {
	await expect(gateway.call(command, ...words)).rejects.toThrow(/NOPERM|can't (run this command|access at least one)/);
});

test("no client logs in without a password, as the default user, or with a wrong one", async () => {
	const { hostname, port } = new URL(redis.url);
	const logins: Pick<RedisOptions, "username" | "password">[] = [
		{},
		{ password: "test" },
		{ username: "default", password: "" },
		{ username: "gateway", password: "wrong" },
	];
	for (const login of logins) {
		const client = new Redis({
			host: hostname,
			port: Number(port),
			...login,
			lazyConnect: true,
			retryStrategy: () => null,
		});
		client.on("error", () => {});
		await client.connect().catch(() => {});
		await expect(client.call("PING"), JSON.stringify(login)).rejects.toThrow();
		client.disconnect();
	}
});
