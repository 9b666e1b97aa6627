/** The way to Redis by TLS: whom the gateway trusts with its counters. Whom it does not trust is away, and limits are kept in memory. */
import { copyFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startRedis as startRedisIn } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { openRedisStore } from "../../services/gateway/limiter/redis-store.ts";
import { type MortalServer, mortal } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { password, startRedis } from "../support/servers.ts";
import { makeCertificates } from "./support/certificates.ts";

const certificates = makeCertificates();
const authority = certificates.authority();
const stranger = certificates.authority();
const first = authority.sign("DNS:localhost");
const served = { cert: certificates.copy(first.cert, "served.pem"), key: certificates.copy(first.key, "served.key") };
let server: MortalServer;
beforeAll(async () => {
	const options = { port: await freePort(), password, tls: served };
	server = await mortal((children, directory) =>
		startRedisIn(children, directory, findServers()["redis-server"], options),
	);
});
afterAll(async () => {
	await server?.[Symbol.asyncDispose]();
	certificates[Symbol.dispose]();
});

const named = () => server.url.replace("127.0.0.1", "localhost");

/** The counters at that address; what is said of them. */
function open(redisUrl: string, redisCa?: string, timeoutMs = 10_000) {
	const warnings: unknown[] = [];
	const log = { warn: (fields: unknown) => void warnings.push(fields), info: () => {} };
	const shared = openRedisStore({ redisUrl, redisCa, timeoutMs, now: Date.now, log });
	const answers = async () => (await shared.add("account:1", "2026-11", 1)) === true;
	return { warnings, answers, [Symbol.dispose]: () => shared[Symbol.dispose]() };
}

test("a server with a certificate of the named authority for the named host is used", async () => {
	using counters = open(named(), authority.ca);
	await eventually(counters.answers);
	expect(counters.warnings).toEqual([]);
});

test.each([
	["a certificate of another authority", named, () => stranger.ca, /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/],
	["a certificate of an unknown issuer", named, () => undefined, /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/],
	["a certificate for another host", () => server.url, () => authority.ca, /^ERR_TLS_CERT_ALTNAME_INVALID$/],
])("%s is refused, and the reason is logged", async (_what, address, ca, reason) => {
	using counters = open(address(), ca());
	expect(await counters.answers()).toBe(false);
	expect(counters.warnings).toEqual([{ reason: expect.stringMatching(reason) }]);
});

test("a server without TLS is refused if the address or a named authority requires TLS", async () => {
	await using plain = await startRedis();
	for (const address of [plain.url.replace("redis://", "rediss://"), plain.url]) {
		// Redis waits for the rest of what it takes for a command: nothing ever answers.
		using counters = open(address, authority.ca, 500);
		expect(await counters.answers()).toBe(false);
	}
	using inTheClear = open(plain.url);
	await eventually(inTheClear.answers);
});

test("a replaced authority is trusted at the next connection", async () => {
	const ca = certificates.copy(authority.ca, "trusted.pem");
	using counters = open(named(), ca);
	await eventually(counters.answers);
	const second = stranger.sign("DNS:localhost");
	copyFileSync(second.cert, served.cert);
	copyFileSync(second.key, served.key);
	await server.kill();
	await server.start();
	copyFileSync(stranger.ca, ca);
	await eventually(counters.answers);
});
