/** Payments where nothing is sold, where a payment method is unavailable, and where a caller requests the price too often. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RailName, railNames } from "#libs/contract/vocabulary.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { eventually } from "../support/eventually.ts";
import { startFacilitator } from "../support/payments/facilitator.ts";
import { problem } from "../support/problem.ts";
import { bought } from "./support/account.ts";
import { payTo } from "./support/gateways.ts";
import { openTill, type Sent, type Till } from "./support/pay.ts";
import { network } from "./support/x402.ts";

/** Payments that would be valid if they were requested. */
let seller: Till;
beforeAll(async () => {
	seller = await openTill();
});
afterAll(() => seller?.[Symbol.asyncDispose]());

async function goodPayments(till: Till): Promise<Record<RailName, Sent>> {
	till.gateways.payments.token.mint(seller.wallet.account.address, 1_000_000n);
	return {
		x402: await seller.x402("/projects"),
		mpp: await seller.mpp("/projects"),
		card: await till.credits(100),
	};
}

const paymentHeaders = ["payment-required", "payment-response", "www-authenticate", "payment-receipt"];
const paymentHeadersIn = ({ headers }: Response) => paymentHeaders.filter((name) => headers.has(name));

test("with every rail off a price is 403, with and without a payment, and nothing speaks of paying", async () => {
	await using till = await openTill({ pay: [], settings: { KEYLESS: "pay" } });
	for (const sent of [{}, ...Object.values(await goodPayments(till))]) {
		const answered = await till.get("/projects", sent);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([403, []]);
		expect(await answered.json()).toEqual(
			problem({ detail: expect.stringContaining("this needs an API key"), code: "key_needed" }),
		);
	}
	expect((await till.raw("/projects", {}, "HEAD")).status).toBe(403);
	await till.comesTo({});
	const pricing = await till.get("/pricing-info");
	expect(await pricing.json()).toMatchObject({ rails_enabled: { x402: false, mpp: false, card: false } });
});

test("KEYLESS=closed is 403 for a good payment, which is not charged", async () => {
	await using till = await openTill({ settings: { KEYLESS: "closed" } });
	for (const sent of Object.values(await goodPayments(till))) {
		const answered = await till.get("/projects", sent);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([403, []]);
	}
	await till.comesTo({});
});

test("KEYLESS=open answers a request with a payment, and does not charge it", async () => {
	await using till = await openTill({ settings: { KEYLESS: "open" } });
	const sent = Object.values(await goodPayments(till));
	for (const one of sent) {
		const answered = await till.get("/projects", one);
		expect([answered.status, paymentHeadersIn(answered)]).toEqual([200, []]);
	}
	await till.comesTo({ runs: sent.length, usage: { "200 unpaid": sent.length } });
});

test("free operations do not charge a payment that is sent with them", async () => {
	await using till = await openTill();
	const sent = [await till.x402("/projects"), await till.mpp("/projects"), await till.credits(100)];
	for (const one of sent) expect((await till.get("/plans", one)).status).toBe(200);
	await till.comesTo({});
	for (const one of sent) expect((await till.get("/projects", one)).status).toBe(200);
});

test.each(railNames)("with %s alone enabled the others are neither offered nor taken", async (rail) => {
	await using till = await openTill({ pay: [rail] });
	const unpaid = await till.get("/projects");
	expect(unpaid.status).toBe(402);
	const offers = { x402: ["payment-required"], mpp: ["www-authenticate"], card: [] };
	expect(paymentHeadersIn(unpaid)).toEqual(offers[rail]);
	expect(Object.keys(((await unpaid.json()) as { rails: object }).rails)).toEqual([rail]);
	const payments = Object.entries(await goodPayments(till));
	for (const [other, sent] of payments)
		if (other !== rail) expect([400, 402]).toContain((await till.get("/projects", sent)).status);
	expect((await till.account()).charged).toEqual({});
	expect((await till.get("/projects", await till.pay(rail, "/projects"))).status).toBe(200);
	expect((await till.account()).charged).toEqual({ [rail]: 10_000 });
});

/** A gateway that offers x402 as soon as there is a facilitator at that port. */
const openAwaiting = (port: number, pay: readonly ("mpp" | "card")[]) => {
	const url = `http://127.0.0.1:${port}`;
	const x402 = { X402_PAY_TO: payTo, X402_NETWORK: network, X402_FACILITATOR_URL: url, X402_RPC_URL: `${url}/rpc` };
	return openTill({ pay, settings: { KEYLESS: "pay", ...x402 } });
};

test("a facilitator that is away at the start: the other rails are offered and take payments, and x402 is refused", async () => {
	await using till = await openAwaiting(await freePort(), ["mpp", "card"]);
	const unpaid = await till.get("/projects");
	expect([unpaid.status, paymentHeadersIn(unpaid)]).toEqual([402, ["www-authenticate"]]);
	expect(Object.keys(((await unpaid.json()) as { rails: object }).rails)).toEqual(["mpp", "card"]);
	const { x402 } = await goodPayments(till);
	expect((await till.get("/projects", x402)).status).toBe(503);
	expect((await till.get("/projects", await till.mpp("/projects"))).status).toBe(200);
	await till.comesTo({ ...bought("mpp"), usage: { "503 unpaid": 1, "200 mpp 10000": 1 } });
});

test("a facilitator that is away at the start, alone: 503 until it is there, and then 402", async () => {
	const port = await freePort();
	await using till = await openAwaiting(port, []);
	const unpaid = await till.get("/projects");
	expect([unpaid.status, unpaid.headers.get("retry-after"), paymentHeadersIn(unpaid)]).toEqual([503, "5", []]);
	// Nor are there terms to list; a later request gets no earlier answer of a cache.
	const list = await till.get("/.well-known/x402");
	expect([list.status, list.headers.get("retry-after"), list.headers.get("cache-control")]).toEqual([
		503,
		"5",
		"no-store",
	]);
	expect(await list.json()).toEqual(
		problem({ detail: "no facilitator has answered yet: x402 is not offered", code: "unavailable" }),
	);
	const key = await till.gateways.register();
	expect((await till.get("/projects", { "x-api-key": key })).status).toBe(200);
	await using _ = await startFacilitator({ token: till.gateways.payments.token, port });
	await eventually(async () => (await till.get("/projects")).status === 402);
	const listed = (await (await till.get("/.well-known/x402")).json()) as { resources: string[] };
	expect(listed.resources).toContain(`${till.gateways.url}/projects`);
	expect((await till.get("/projects", await till.x402("/projects"))).status).toBe(200);
});

test("a caller that requests the price too often waits, and may still pay, or use a key", async () => {
	await using till = await openTill({ settings: { CHALLENGES_PER_MINUTE: "5" } });
	const sent = await till.x402("/projects");
	for (let count = 0; count < 4; count++) expect((await till.get("/projects")).status).toBe(402);
	const late = await till.get("/projects");
	expect([late.status, paymentHeadersIn(late)]).toEqual([429, []]);
	expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
	expect((await till.raw("/projects", {}, "HEAD")).status).toBe(429);
	await till.comesTo({});
	expect((await till.get("/projects", { "x-api-key": await till.gateways.register() })).status).toBe(200);
	expect((await till.get("/plans")).status).toBe(200);
	expect((await till.get("/projects", sent)).status).toBe(200);
	await till.comesTo({ ...bought("x402"), runs: 2, usage: { "200 x402 10000": 1, "200 unpaid": 1 } });
});

test("a caller that sends invalid payments too often waits, also with a valid one, which is not charged", async () => {
	await using till = await openTill({ settings: { CHALLENGES_PER_MINUTE: "5" } });
	const [used, good] = [await till.x402("/projects"), await till.x402("/projects")];
	expect((await till.get("/projects", used)).status).toBe(200);
	await till.comesTo(bought("x402"));
	for (let count = 0; count < 5; count++) expect((await till.get("/projects", used)).status).toBe(402);
	for (const sent of [used, used, good]) {
		const late = await till.get("/projects", sent);
		expect([late.status, paymentHeadersIn(late)]).toEqual([429, []]);
		expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
	}
	expect((await till.get("/projects")).status).toBe(402);
	// The first of the late ones was looked at.
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": 5, "429 unpaid": 1 } });
});
