/** Keys at two replicas: where they are read, why they are refused, and how soon what becomes of one is known everywhere. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { commands } from "../../services/billing/admin/keys.ts";
import { eventually } from "../support/eventually.ts";
import { agree, limitsIn, newHolder, postJson, refusal, statusesOf, withKey } from "./support/callers.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { countingOwner } from "./support/owner.ts";

let gateways: TestGateways;
beforeAll(async () => {
	gateways = await startGateways({
		owner: countingOwner().handlers,
		replicas: 2,
		settings: { KEYLESS: "closed", REGISTRATIONS_PER_HOUR: "1000000", REDIS_TIMEOUT_MS: "5000" },
		// Cached keys are never renewed: what becomes known of one came by an event.
		ticks: () => 0,
	});
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

/** Room for as many requests as a test makes. */
const roomy = { perMinute: 10_000 };
const newKey = async () => (await newHolder(gateways, roomy)).key;
const statusAt = async (url: string, key: string) => (await fetch(`${url}/projects`, withKey(key))).status;
const everywhere = (key: string) => Promise.all(gateways.urls.map((url) => statusAt(url, key)));

async function refusedEverywhere(key: string, why: string): Promise<true> {
	for (const url of gateways.urls)
		expect(await refusal(fetch(`${url}/projects`, withKey(key)))).toEqual({
			status: 403,
			detail: expect.stringContaining(why),
		});
	return true;
}

describe("a key is read", () => {
	it("from X-API-Key, api_key and Authorization: Bearer", async () => {
		const key = await newKey();
		const headers = { "x-api-key": key, authorization: `bearer  ${key}` };
		const usage = (query: string, init?: RequestInit) => fetch(`${gateways.url}/usage${query}`, init);
		for (const answered of [usage(`?api%5Fkey=${key}`), usage("", withKey(key)), usage(`?api_key=${key}`, { headers })])
			expect((await answered).status).toBe(200);
	});

	it("a second key in the same request is refused, in any place", async () => {
		const [one, other] = [await newKey(), await newKey()];
		for (const [query, headers] of [
			[`?api_key=${other}`, { "x-api-key": one }],
			[`?api_key=${one}&api_key=${other}`, {}],
			["", { "x-api-key": one, authorization: `Bearer ${other}` }],
		] as [string, Record<string, string>][]) {
			const refused = await refusal(fetch(`${gateways.url}/projects${query}`, { headers }));
			expect(refused).toEqual({ status: 403, detail: "the request carries more than one API key" });
		}
	});

	it("but not from another scheme of Authorization or from the body", async () => {
		const key = await newKey();
		const basic = { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
		expect((await refusal(fetch(`${gateways.url}/usage`, { headers: basic }))).status).toBe(403);
		expect((await refusal(postJson(`${gateways.url}/keys/revoke`, { api_key: key }))).status).toBe(403);
		expect(await everywhere(key)).toEqual([200, 200]);
	});
});

describe("an invalid key is refused on every endpoint, even those that need none", () => {
	const wrong = (key: string) => (key.endsWith("0") ? `${key.slice(0, -1)}1` : `${key.slice(0, -1)}0`);
	it.each([
		["of another form", async () => "pk_short", "its form or its checksum"],
		["empty", async () => "", "its form or its checksum"],
		["with a typing error", async () => wrong(await newKey()), "its form or its checksum"],
		["that was never issued", async () => makeSecret("pk_"), "it was never issued"],
		[
			"that was revoked",
			async () => {
				const key = await newKey();
				await gateways.sql`update keys set revoked_at = now() where sha256 = ${digestOf(key)}`;
				return key;
			},
			"revoked",
		],
		[
			"that has expired",
			async () => {
				const key = await newKey();
				await gateways.sql`update keys set expires_at = ${gateways.clock.now} where sha256 = ${digestOf(key)}`;
				return key;
			},
			"expired",
		],
	])("%s", async (_what, make, why) => {
		const key = await make();
		for (const [method, path] of [
			["GET", "/projects"],
			["GET", "/plans"],
			["GET", "/"],
			["POST", "/register"],
			["POST", "/keys/revoke"],
		]) {
			const response = await fetch(`${gateways.url}${path}`, { method: method as string, ...withKey(key) });
			const refused = await refusal(response);
			expect([path, refused]).toEqual([path, { status: 403, detail: expect.stringContaining(why) }]);
			if (key !== "") expect(refused.detail).not.toContain(key);
		}
		expect((await refusal(fetch(`${gateways.url}/projects?api_key=${key}`))).status).toBe(403);
		expect((await fetch(`${gateways.url}/projects`, { method: "HEAD", ...withKey(key) })).status).toBe(403);
	});
});

describe("a revocation reaches every replica", () => {
	it("that has cached the key, when its holder revokes it", async () => {
		const key = await newKey();
		expect(await everywhere(key)).toEqual([200, 200]);
		expect((await fetch(`${gateways.url}/keys/revoke`, { method: "POST", ...withKey(key) })).status).toBe(200);
		await eventually(() => refusedEverywhere(key, "revoked"));
	});

	it("that has cached the key, when the operator revokes it on the command line", async () => {
		const key = await newKey();
		expect(await everywhere(key)).toEqual([200, 200]);
		expect(await commands.revoke?.read([hintOf(key)])(gateways.sql, gateways.clock.now)).toContain("revoked");
		await eventually(() => refusedEverywhere(key, "revoked"));
	});

	it("and remains in force while billing is down", async () => {
		const key = await newKey();
		await everywhere(key);
		await fetch(`${gateways.url}/keys/revoke`, { method: "POST", ...withKey(key) });
		await eventually(() => refusedEverywhere(key, "revoked"));
		await using billing = new AsyncDisposableStack();
		billing.defer(() => gateways.startBilling());
		await gateways.stopBilling();
		await refusedEverywhere(key, "revoked");
	});

	it("that was made while billing was down, once it is back; cached keys work meanwhile", async () => {
		const [revoked, good] = [await newKey(), await newKey()];
		expect([await everywhere(revoked), await everywhere(good)]).toEqual([
			[200, 200],
			[200, 200],
		]);
		await gateways.stopBilling();
		await commands.revoke?.read([revoked])(gateways.sql, gateways.clock.now);
		expect(await everywhere(good)).toEqual([200, 200]);
		await gateways.startBilling();
		await eventually(() => refusedEverywhere(revoked, "revoked"));
		expect(await everywhere(good)).toEqual([200, 200]);
	});

	it("of one key does not revoke the account's other keys", async () => {
		const { key } = await newHolder(gateways, roomy);
		const printed = await commands.issue?.read(["--key", hintOf(key)])(gateways.sql, gateways.clock.now);
		const other = /pk_\w{38}/.exec(printed ?? "")?.[0] ?? "";
		expect(await everywhere(other)).toEqual([200, 200]);
		await fetch(`${gateways.url}/keys/revoke`, { method: "POST", ...withKey(key) });
		await eventually(() => refusedEverywhere(key, "revoked"));
		expect(await everywhere(other)).toEqual([200, 200]);
	});
});

describe("a key that is replaced", () => {
	const rotate = async (key: string, grace_seconds: number) => {
		const response = await postJson(`${gateways.url}/keys/rotate`, { grace_seconds }, { "x-api-key": key });
		return ((await response.json()) as { key: string }).key;
	};

	it("works beside the new one until its grace ends", async () => {
		const old = await newKey();
		await everywhere(old);
		const fresh = await rotate(old, 3_600);
		expect([await everywhere(old), await everywhere(fresh)]).toEqual([
			[200, 200],
			[200, 200],
		]);
		const before = gateways.clock.now;
		try {
			gateways.clock.now = new Date(before.getTime() + 3_590_000);
			expect(await everywhere(old)).toEqual([200, 200]);
			gateways.clock.now = new Date(before.getTime() + 3_601_000);
			// The end of its grace came with the event; a replica that has not received it yet still has the key without an end.
			await eventually(() => refusedEverywhere(old, "expired"));
			expect(await everywhere(fresh)).toEqual([200, 200]);
		} finally {
			gateways.clock.now = before;
		}
	});

	it("is refused everywhere at once without grace", async () => {
		const old = await newKey();
		await everywhere(old);
		const fresh = await rotate(old, 0);
		expect(await everywhere(fresh)).toEqual([200, 200]);
		await eventually(() => refusedEverywhere(old, "expired"));
	});
});

describe("a plan", () => {
	it("that is changed applies at once at every replica, including earlier usage", async () => {
		const { key, email } = await newHolder(gateways);
		const ask = (place: number) => fetch(`${gateways.urls[place % 2]}/projects`, withKey(key));
		expect(await statusesOf(11, ask)).toEqual([...Array<number>(10).fill(200), 429]);
		await agree(gateways, email, { plan: "Growth" });
		for (const url of gateways.urls) {
			const limits = await eventually(async () => {
				const response = await fetch(`${url}/projects`, withKey(key));
				const { policy, left } = limitsIn(response);
				return response.status === 200 && policy.minute?.q === 60 && left;
			});
			expect(limits.minute?.r).toBeLessThanOrEqual(49);
		}
	});

	it("is overridden by limits agreed for the account", async () => {
		const { key } = await newHolder(gateways, { plan: "Enterprise", perMinute: 3, monthlyQueries: 2 });
		const ask = () => fetch(`${gateways.url}/projects`, withKey(key));
		expect(limitsIn(await ask()).policy).toMatchObject({ minute: { q: 3 }, month: { q: 2 } });
		expect(await statusesOf(2, ask)).toEqual([200, 429]);
	});

	it("without limits sends no limit headers", async () => {
		const { key } = await newHolder(gateways, { plan: "Enterprise" });
		const response = await fetch(`${gateways.url}/projects`, withKey(key));
		expect([response.status, response.headers.get("ratelimit"), response.headers.get("ratelimit-policy")]).toEqual([
			200,
			null,
			null,
		]);
	});
});

it("an unknown key is 503 while billing is down, and accepted when it is back", async () => {
	const key = await newKey();
	await gateways.stopBilling();
	const response = await fetch(`${gateways.url}/projects`, withKey(key));
	expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true]);
	await gateways.startBilling();
	expect(await everywhere(key)).toEqual([200, 200]);
});
