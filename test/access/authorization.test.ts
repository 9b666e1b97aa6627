/** Access without a key, with a valid and with an invalid one; errors of bodies; and what never happens to a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#libs/contract/index.ts";
import { digestOf, makeSecret } from "#libs/contract/key.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { announce, newHolder, postJson, refusal, statusesOf, withKey } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

const settings = { REGISTRATIONS_PER_HOUR: "1000000", REDIS_TIMEOUT_MS: "5000" };
const roomy = { perMinute: 10_000, monthlyQueries: 10_000 };

/** One of each price. */
const tiers = {
	free: "/plans",
	standard: "/projects",
	premium: "/tax-credits/calculate?technology=Solar&capacity_mw=100&state=CA",
	pro: "/export/projects",
};
const anything = { json: "{}" as Json<never>, dataVersion: 1 };
const paths = (isPriced: boolean) =>
	httpOperations()
		.filter(({ http }) => http.method === "GET" && !http.needsKey && (http.price !== "free") === isPriced)
		.map(({ http }) => http.path.replace(/\{\w+\}/g, "PJM-1"));

const owner = countingOwner();
let gateways: TestGateways;
/** One after the other: two replicas open to all, one that sells and has no way to be paid, and one that wants keys. */
beforeAll(async () => {
	gateways = await startGateways({
		owner: owner.handlers,
		scoring: { calculateTaxCredits: async () => anything },
		settings,
		each: ["open", "open", "pay", "closed"].map((mode) => ({ settings: { KEYLESS: mode } })),
	});
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

describe.each([
	["open", 0, 200],
	["pay", 2, 403],
	["closed", 3, 403],
])("KEYLESS=%s without a way to pay", (mode, at, priced) => {
	const ask = (path: string, init?: RequestInit) => fetch(`${gateways.urls[at]}${path}`, init);
	const statuses = async (init?: RequestInit) => {
		const answers = await Promise.all(
			Object.entries(tiers).map(async ([tier, path]) => {
				const response = await ask(path, init);
				await response.text();
				return [tier, response.status] as const;
			}),
		);
		return Object.fromEntries(answers);
	};

	it("sells or refuses priced operations to a caller without a key", async () => {
		const runs = owner.runs;
		expect(await statuses()).toEqual({ free: 200, standard: priced, premium: priced, pro: priced });
		if (mode !== "open") expect(owner.runs).toBe(runs);
	});

	it("answers every operation with a key", async () => {
		const { key } = await newHolder(gateways, roomy);
		expect(await statuses(withKey(key))).toEqual({ free: 200, standard: 200, premium: 200, pro: 200 });
	});

	it("refuses every operation with an invalid key", async () => {
		const refused = { free: 403, standard: 403, premium: 403, pro: 403 };
		expect(await statuses(withKey("pk_nonsense"))).toEqual(refused);
		expect(await statuses(withKey(makeSecret("pk_")))).toEqual(refused);
	});

	it.each([
		["GET", "/usage"],
		["POST", "/keys/rotate"],
		["POST", "/keys/revoke"],
	])("%s %s acts on a key, and is a 403 without one", async (method, path) => {
		const refused = await refusal(ask(path, { method }));
		expect(refused).toEqual({ status: 403, detail: expect.stringContaining("/register") });
	});

	it("a credit token is not a key, and is refused if cards are not accepted", async () => {
		const init = { headers: { authorization: `Bearer ${makeSecret("cr_")}` } };
		expect(await statuses(init)).toEqual({ free: 200, standard: priced, premium: priced, pro: priced });
	});
});

it.each([
	["pay", 2],
	["closed", 3],
])("every priced operation is refused with KEYLESS=%s, also by HEAD, without a payment offer", async (_mode, at) => {
	for (const path of paths(true)) {
		for (const method of ["GET", "HEAD"]) {
			const response = await fetch(`${gateways.urls[at]}${path}`, { method });
			const demands = ["www-authenticate", "payment-required", "payment-receipt"].map((one) =>
				response.headers.get(one),
			);
			expect([path, response.status, ...demands]).toEqual([path, 403, null, null, null]);
			if (method === "GET") expect((await refusal(response)).detail).toContain("/register");
		}
	}
});

it("free operations are open to all callers even if others need a key; a token's balance is shown", async () => {
	for (const path of paths(false)) {
		const response = await fetch(`${gateways.urls[3]}${path}`);
		await response.text();
		expect([path, [402, 403].includes(response.status)]).toEqual([path, path === "/credits"]);
	}
});

describe("with KEYLESS=open", () => {
	it("responses are cached for all callers together, and contain no key", async () => {
		const [one, other] = [await newHolder(gateways, roomy), await newHolder(gateways, roomy)];
		const ask = (query: string, headers: Record<string, string> = {}) =>
			fetch(`${gateways.url}/projects?state=TX${query}`, { headers });
		await announce(gateways, 1);
		const kept = await eventually(async () => {
			const response = await ask(`&api_key=${one.key}`);
			const runs = owner.runs;
			await ask(`&api_key=${one.key}`);
			return owner.runs === runs && response;
		});
		const text = await kept.text();
		const etag = kept.headers.get("etag") ?? "";
		const runs = owner.runs;
		for (const again of [
			await ask(`&api_key=${other.key}`),
			await ask("", { "x-api-key": other.key }),
			await ask("", { authorization: `Bearer ${one.key}` }),
			await ask(""),
		]) {
			expect([await again.text(), again.headers.get("etag"), again.headers.get("cache-control")]).toEqual([
				text,
				etag,
				"private, no-cache",
			]);
			expect(JSON.stringify([...again.headers])).not.toMatch(/pk_\w{38}/);
		}
		expect(text).not.toContain("pk_");
		const has = await ask(`&api_key=${other.key}`, { "if-none-match": etag });
		expect([has.status, await has.text()]).toEqual([304, ""]);
		expect(owner.runs).toBe(runs);
		expect(gateways.logged.join("")).not.toMatch(/pk_\w{38}/);
	});

	it("responses about one caller are not cached", async () => {
		const { key } = await newHolder(gateways, roomy);
		const usage = await fetch(`${gateways.url}/usage`, withKey(key));
		expect([usage.headers.get("cache-control"), usage.headers.get("etag")]).toEqual(["no-store", null]);
		const refused = await fetch(`${gateways.url}/projects`, withKey(makeSecret("pk_")));
		expect(refused.headers.get("cache-control")).toBe("no-store");
	});

	it("20 concurrent registrations of one e-mail address at two replicas create 20 accounts", async () => {
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, place) => {
				const email = place % 2 ? "ann@example.org" : "ANN@Example.org";
				return postJson(`${gateways.urls[place % 2]}/register`, { email });
			}),
		);
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
		const keys = await Promise.all(answers.map((answer) => answer.json() as Promise<{ key: string }>));
		const statuses = keys.map(async ({ key }) => (await fetch(`${gateways.url}/usage`, withKey(key))).status);
		expect(await Promise.all(statuses)).toEqual(Array(20).fill(200));
		const accounts = await gateways.sql`select from accounts where registered_email = 'ann@example.org'`;
		expect(accounts.count).toBe(20);
	});

	const json = "application/json";
	const form = "application/x-www-form-urlencoded";
	it.each([
		["JSON", json, '{"grace_seconds":3600}', 200],
		["a form", form, "grace_seconds=3600", 200],
		["nothing", undefined, "", 200],
		["another type", "text/plain", '{"grace_seconds":3600}', 415],
		["a form that cannot be decoded", form, "grace_seconds=%f", 400],
		["an unknown field", json, '{"plan":"Scale"}', 422],
		["too much", json, `{"grace_seconds":"${"0".repeat(70_000)}"}`, 413],
		["JSON in another encoding", json, '{"grace_seconds":3600}', 415, "gzip"],
	])("a body of %s", async (_what, type, body, status, encoding?: string) => {
		const { key } = await newHolder(gateways, roomy);
		const headers = {
			"x-api-key": key,
			...(type !== undefined && { "content-type": type }),
			...(encoding !== undefined && { "content-encoding": encoding }),
		};
		// Sent as bytes: the client would add a content type to a text.
		const response = await fetch(`${gateways.url}/keys/rotate`, { method: "POST", headers, body: Buffer.from(body) });
		const text = await response.text();
		expect([response.status, text.includes(key)]).toEqual([status, false]);
		if (status === 422)
			expect(JSON.parse(text)).toMatchObject({
				errors: [{ loc: ["body", expect.any(String)], msg: expect.any(String) }],
			});
		// The refused registration replaced nothing.
		const stored =
			await gateways.sql`select replaced_by is not null as replaced from keys where sha256 = ${digestOf(key)}`;
		expect([...stored]).toEqual([{ replaced: status === 200 }]);
	});
});

it("while NATS is down requests are answered until the usage buffer is full, and then refused with 503", {
	tags: ["campaign"],
}, async () => {
	await using nats = await startNats();
	await using gateways = await startGateways({ nats, settings: { ...settings, USAGE_BUFFER: "100" } });
	await nats.stop();
	const ask = (path: string) => fetch(gateways.url + path);
	expect(await statusesOf(100, () => ask("/"))).toEqual(Array<number>(100).fill(200));
	for (const path of ["/", "/docs", "/projects"]) {
		const refused = await eventually(async () => {
			const response = await ask(path);
			return response.status === 503 && response;
		});
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect((await refusal(refused)).detail).toContain("usage");
	}
	// Every answered request is recorded.
	expect(gateways.access[0]?.usage.waiting).toBeGreaterThanOrEqual(100);
});
