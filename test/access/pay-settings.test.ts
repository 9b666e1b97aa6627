/** Payments where nothing is sold, where a payment method is unavailable, and where a caller requests the price too often. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RailName, railNames } from "#libs/contract/vocabulary.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { eventually } from "../support/eventually.ts";
import { startFacilitator } from "../support/payments/facilitator.ts";
import { problem } from "../support/problem.ts";
import { bought } from "./support/account.ts";
import { type Distinct, payTo } from "./support/gateways.ts";
import { askRaw, openTill, type Sent, type Till } from "./support/pay.ts";
import { network } from "./support/x402.ts";

/** Gateways by what distinguishes each from one with every rail, the first. */
const names = [
	...["every rail", "no rail", "closed", "open", ...railNames],
	...["x402 late", "x402 late alone", "five prices", "five refusals"],
];
const at = (name: string) => names.indexOf(name);
let till: Till;
let port: number;
beforeAll(async () => {
	port = await freePort();
	const late = (url: string) => ({
		...{ KEYLESS: "pay", X402_PAY_TO: payTo, X402_NETWORK: network },
		...{ X402_FACILITATOR_URL: url, X402_RPC_URL: `${url}/rpc` },
	});
	const each: Record<string, Distinct> = {
		"no rail": { pay: [], settings: { KEYLESS: "pay" } },
		closed: { settings: { KEYLESS: "closed" } },
		open: { settings: { KEYLESS: "open" } },
		...Object.fromEntries(railNames.map((rail) => [rail, { pay: [rail] }])),
		"x402 late": { pay: ["mpp", "card"], settings: late(`http://127.0.0.1:${await freePort()}`) },
		"x402 late alone": { pay: [], settings: late(`http://127.0.0.1:${port}`) },
		"five prices": { settings: { CHALLENGES_PER_MINUTE: "5" } },
		"five refusals": { settings: { CHALLENGES_PER_MINUTE: "5" } },
	};
	till = await openTill({ each: names.map((name) => each[name] ?? {}) });
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

const url = (gateway: string) => till.gateways.urls[at(gateway)] ?? "";
const get = (gateway: string, path: string, sent: Sent = {}) => till.get(path, sent, at(gateway));
/** Payments that every other gateway may be sent: they are what the first one requests. */
const goodPayments = async (): Promise<Record<RailName, Sent>> => ({
	x402: await till.x402("/projects"),
	mpp: await till.mpp("/projects"),
	card: await till.credits(100),
});

const paymentHeaders = ["payment-required", "payment-response", "www-authenticate", "payment-receipt"];
const paymentHeadersIn = ({ headers }: Response) => paymentHeaders.filter((name) => headers.has(name));

test("without a way to pay a priced operation is a 403, with or without a payment, and payments are not mentioned", async () => {
	for (const sent of [{}, ...Object.values(await goodPayments())]) {
		const answered = await get("no rail", "/projects", sent);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([403, []]);
		expect(await answered.json()).toEqual(
			problem({ detail: expect.stringContaining("this endpoint requires an API key"), code: "key_needed" }),
		);
	}
	expect((await askRaw(url("no rail"), "/projects", {}, "HEAD")).status).toBe(403);
	await till.comesTo({});
	const pricing = await get("no rail", "/pricing-info");
	expect(await pricing.json()).toMatchObject({ rails_enabled: { x402: false, mpp: false, card: false } });
});

test("KEYLESS=closed is a 403 for a valid payment, which is not charged", async () => {
	for (const sent of Object.values(await goodPayments())) {
		const answered = await get("closed", "/projects", sent);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([403, []]);
	}
	await till.comesTo({});
});

test("KEYLESS=open answers a request with a payment, and does not charge it", async () => {
	const sent = Object.values(await goodPayments());
	for (const one of sent) {
		const answered = await get("open", "/projects", one);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([200, []]);
	}
	await till.comesTo({ runs: sent.length, usage: { "200 unpaid": sent.length } });
});

test("free operations do not charge a payment that is sent with them", async () => {
	const sent = Object.values(await goodPayments());
	for (const one of sent) expect((await till.get("/plans", one)).status).toBe(200);
	await till.comesTo({});
	for (const one of sent) expect((await till.get("/projects", one)).status).toBe(200);
});

test.each(railNames)("with only %s enabled the others are neither offered nor accepted", async (rail) => {
	const unpaid = await get(rail, "/projects");
	expect(unpaid.status).toBe(402);
	const offers = { x402: ["payment-required"], mpp: ["www-authenticate"], card: [] };
	expect(paymentHeadersIn(unpaid)).toEqual(offers[rail]);
	expect(Object.keys(((await unpaid.json()) as { rails: object }).rails)).toEqual([rail]);
	const good = await goodPayments();
	for (const other of railNames.filter((one) => one !== rail))
		expect([400, 402]).toContain((await get(rail, "/projects", good[other])).status);
	expect((await till.account()).charged).toEqual({});
	expect((await get(rail, "/projects", good[rail])).status).toBe(200);
	expect((await till.account()).charged).toEqual({ [rail]: 10_000 });
});

test("if the facilitator is unavailable at the start, the other ways to pay work, and x402 is refused", async () => {
	const unpaid = await get("x402 late", "/projects");
	expect([unpaid.status, paymentHeadersIn(unpaid)]).toEqual([402, ["www-authenticate"]]);
	expect(Object.keys(((await unpaid.json()) as { rails: object }).rails)).toEqual(["mpp", "card"]);
	const { x402, mpp } = await goodPayments();
	expect((await get("x402 late", "/projects", x402)).status).toBe(503);
	expect((await get("x402 late", "/projects", mpp)).status).toBe(200);
	await till.comesTo({ ...bought("mpp"), usage: { "503 unpaid": 1, "200 mpp 10000": 1 } });
});

test("if the only facilitator is unavailable at the start, the response is 503 until it is available, then 402", async () => {
	const ask = (path: string, sent: Sent = {}) => get("x402 late alone", path, sent);
	const unpaid = await ask("/projects");
	expect([unpaid.status, unpaid.headers.get("retry-after"), paymentHeadersIn(unpaid)]).toEqual([503, "5", []]);
	// Nor are there terms to list; a later request gets no earlier answer of a cache.
	const list = await ask("/.well-known/x402");
	expect([list.status, list.headers.get("retry-after"), list.headers.get("cache-control")]).toEqual([
		503,
		"5",
		"no-store",
	]);
	expect(await list.json()).toEqual(
		problem({ detail: "no facilitator has answered yet: x402 is not offered", code: "unavailable" }),
	);
	expect((await ask("/projects", { "x-api-key": await till.gateways.register() })).status).toBe(200);
	await using _ = await startFacilitator({ token: till.gateways.payments.token, port });
	await eventually(async () => (await ask("/projects")).status === 402);
	const listed = (await (await ask("/.well-known/x402")).json()) as { resources: string[] };
	expect(listed.resources).toContain(`${url("x402 late alone")}/projects`);
	expect((await ask("/projects", await till.x402("/projects"))).status).toBe(200);
});

describe("a new caller", () => {
	beforeEach(async () => {
		const counters = new Redis(till.gateways.redis.operatorUrl);
		await counters.flushall();
		counters.disconnect();
	});

	test("that requests the price too often waits, and may still pay, or use a key", async () => {
		const sent = await till.x402("/projects");
		for (let count = 0; count < 4; count++) expect((await get("five prices", "/projects")).status).toBe(402);
		const late = await get("five prices", "/projects");
		expect([late.status, paymentHeadersIn(late)]).toEqual([429, []]);
		expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
		expect((await askRaw(url("five prices"), "/projects", {}, "HEAD")).status).toBe(429);
		await till.comesTo({});
		expect((await get("five prices", "/projects", { "x-api-key": await till.gateways.register() })).status).toBe(200);
		expect((await get("five prices", "/plans")).status).toBe(200);
		expect((await get("five prices", "/projects", sent)).status).toBe(200);
		await till.comesTo({ ...bought("x402"), runs: 2, usage: { "200 x402 10000": 1, "200 unpaid": 1 } });
	});

	test("that sends invalid payments too often waits, even with a valid one, which is not charged", async () => {
		const [used, good] = [await till.x402("/projects"), await till.x402("/projects")];
		expect((await get("five refusals", "/projects", used)).status).toBe(200);
		await till.comesTo(bought("x402"));
		for (let count = 0; count < 5; count++) expect((await get("five refusals", "/projects", used)).status).toBe(402);
		for (const sent of [used, used, good]) {
			const late = await get("five refusals", "/projects", sent);
			expect([late.status, paymentHeadersIn(late)]).toEqual([429, []]);
			expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
		}
		expect((await get("five refusals", "/projects")).status).toBe(402);
		// Only the first of the late ones was read, so only that one is recorded.
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 5, "429 unpaid": 1 } });
	});
});
