/** Walks the registry: what every operation says to a bad key, to none where one is needed, beyond the limit, and with a key as without. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { problem, problemType } from "../support/problem.ts";
import { startWorld, type World } from "../support/world.ts";
import { ask, newKey, type Step, walk } from "./support/walk.ts";

let world: World;
/** A Free account and an address that have used up their requests of this minute; the clock does not move. */
let spentKey: string;
const spentAddress = "203.0.113.1";
const [freePerMinute, anonymousPerMinute] = [2, 1];
beforeAll(async () => {
	const gateway = {
		FREE_PER_MINUTE: String(freePerMinute),
		ANONYMOUS_PER_MINUTE: String(anonymousPerMinute),
		REGISTRATIONS_PER_HOUR: "1000",
		TRUSTED_PROXIES: "127.0.0.1",
	};
	world = await startWorld({ data: "none", gateway });
	spentKey = await newKey(world.url);
	const headers = { "x-api-key": spentKey, "x-forwarded-for": spentAddress };
	for (let request = 1; request <= freePerMinute + 10; request++)
		expect((await fetch(`${world.url}/plans`, { headers })).status).toBe(200);
	expect((await fetch(`${world.url}/projects`, { headers })).status).toBe(200);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Changes of keys have a limit of their own: using up a key's requests must not keep its owner from revoking it. */
const isChangeOfKeys = ({ http }: Step): boolean => http.needsKey === true && http.method !== "GET";

const unknownKey = makeSecret("pk_");

test.each(walk)("$name refuses an invalid key, in any place", async (step) => {
	for (const [key, asking] of [
		[unknownKey, { key: unknownKey }],
		["pk_nonsense", { query: { api_key: "pk_nonsense" } }],
	] as const) {
		const response = await ask(world.url, step, asking);
		expect(response.status).toBe(403);
		expect(response.headers.get("content-type")).toBe(problemType);
		const text = await response.text();
		expect(JSON.parse(text)).toEqual(
			problem({ detail: expect.stringContaining("key is not valid"), code: "key_invalid" }),
		);
		expect(text).not.toContain(key);
	}
});

test.each(walk.filter(({ http }) => http.needsKey))("$name is refused without a key", async (step) => {
	const response = await ask(world.url, step);
	expect(response.status).toBe(403);
	expect(await response.json()).toEqual(
		problem({ detail: expect.stringContaining("requires an API key"), code: "key_needed" }),
	);
});

/** Reads of an account's own usage have a limit beside the plan's: a caller who has used up the plan needs them then. */
const isOwnRead = ({ http }: Step): boolean => http.needsKey === true && http.price === "free" && http.method === "GET";

test.each(walk.filter(isOwnRead))("$name still responds when the plan's minute is exhausted", async (step) => {
	const response = await ask(world.url, step, { key: spentKey, from: spentAddress });
	expect([200, 404]).toContain(response.status);
});

test.each(walk.filter((step) => !isChangeOfKeys(step) && !isOwnRead(step)))(
	"$name is refused beyond the limit, saying which and for how long",
	async (step) => {
		const response = await ask(world.url, step, { key: spentKey, from: spentAddress });
		expect(response.status).toBe(429);
		expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
		expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(response.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+$|^"minute";r=0;t=\d+, "month";r=50;t=\d+$/);
		expect(await response.json()).toEqual({
			type: expect.stringContaining("quota-exceeded"),
			title: expect.any(String),
			status: 429,
			detail: expect.stringContaining("the limit is 10"),
			code: "rate_limited",
			"violated-policies": ["minute"],
			request_id: expect.any(String),
		});
	},
);

let addresses = 0;
/** The number of requests of an operation that a new address gets answered before it is refused. */
async function acceptedOf(step: Step, key?: string): Promise<number> {
	addresses++;
	const from = `198.18.${addresses >> 8}.${addresses & 255}`;
	for (let accepted = 0; accepted < 20; accepted++) {
		const response = await ask(world.url, step, { key, from });
		await response.arrayBuffer();
		if (response.status === 429) return accepted;
	}
	throw new Error(`${step.name} is not limited`);
}

describe("with a free key", () => {
	/** Requests a minute of accounts that register from here on: few, so that tests reach it. */
	const planPerMinute = 2;
	beforeAll(() => world.billingSql`update plans set per_minute = ${planPerMinute} where name = 'Free'`);

	// Operations that mail have a limit of their own, an hour and address.
	test.each(walk.filter(({ name, http }) => http.needsKey !== true && !["register", "requestKey"].includes(name)))(
		"$name answers no less than without one, also when its plan is used up",
		async (step) => {
			const without = await acceptedOf(step);
			expect(without).toBe(step.http.price === "free" ? freePerMinute : anonymousPerMinute);
			expect(await acceptedOf(step, spentKey)).toBe(without);
			const { perMinute: ofOperation = Number.POSITIVE_INFINITY } = step.http;
			expect(await acceptedOf(step, await newKey(world.url))).toBe(Math.min(without + planPerMinute, ofOperation));
		},
	);
});
