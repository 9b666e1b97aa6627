/** Many copies of one payment at once, at two gateways: one is used, once. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bought } from "./support/account.ts";
import { named, openTill, type Sent, type Till } from "./support/pay.ts";

let till: Till;
beforeAll(async () => {
	// One process does all the signing and checking here: the facilitator is not slow, it has to wait its turn.
	till = await openTill({ replicas: 2, settings: { X402_TIMEOUT_MS: "20000" } });
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

/** Asked at once, half at each gateway: how often each status came, and the bodies of those that were answered. */
async function askAll(asked: { path: string; sent: Sent }[]) {
	const statuses: Record<number, number> = {};
	const bodies = new Set<string>();
	await Promise.all(
		asked.map(async ({ path, sent }, number) => {
			const answered = await till.get(path, sent, number % 2);
			statuses[answered.status] = (statuses[answered.status] ?? 0) + 1;
			const body = await answered.text();
			if (answered.status === 200) bodies.add(body);
		}),
	);
	return { statuses, bodies };
}
const copies = (count: number, path: string, sent: Sent) => Array.from({ length: count }, () => ({ path, sent }));

/** Expects that every call was answered and only one was paid for. */
async function onlyOneOf(rail: "x402" | "mpp", count: number, statuses: Record<number, number>): Promise<void> {
	const { 200: answered, 402: refused = 0, 409: busy = 0, ...others } = statuses;
	expect({ answered, others, all: 1 + refused + busy }).toEqual({ answered: 1, others: {}, all: count });
	const usage = Object.entries({ [`200 ${rail} 10000`]: 1, "402 unpaid": refused, "409 unpaid": busy });
	await till.comesTo({ ...bought(rail), usage: Object.fromEntries(usage.filter(([, requests]) => requests > 0)) });
}

test("40 copies of one payment by x402: the handler runs once, and there is one settlement", async () => {
	const sent = await till.x402("/projects");
	const { statuses } = await askAll(copies(40, "/projects", sent));
	await onlyOneOf("x402", 40, statuses);
	expect(till.gateways.payments.facilitator.asked.settle).toBe(1);
});

test("20 copies of one payment by MPP: the handler runs once, and there is one transaction", async () => {
	const sent = await till.mpp("/projects");
	const before = till.gateways.payments.tempo.asked("eth_sendRawTransactionSync");
	const { statuses } = await askAll(copies(20, "/projects", sent));
	await onlyOneOf("mpp", 20, statuses);
	expect(till.gateways.payments.tempo.asked("eth_sendRawTransactionSync") - before).toBe(1);
});

test("one payment sent concurrently for many pages buys one of them", async () => {
	const sent = await till.x402("/projects");
	const calls = Array.from({ length: 20 }, (_, page) => ({ path: `/projects?page=${page + 1}`, sent }));
	const { statuses } = await askAll(calls);
	await onlyOneOf("x402", 20, statuses);
});

test("one payment in 20 concurrent spellings buys one response", async () => {
	const { "payment-signature": credential = "" } = await till.x402("/projects");
	const payload = JSON.parse(Buffer.from(credential, "base64").toString());
	const calls = Array.from({ length: 20 }, (_, number) => {
		const { nonce, ...authorization } = payload.payload.authorization;
		const spelt = number % 2 === 0 ? nonce : `0x${nonce.slice(2).toUpperCase()}`;
		const changed = {
			...payload,
			number,
			payload: { ...payload.payload, authorization: { ...authorization, nonce: spelt } },
		};
		return {
			path: "/projects",
			sent: { "payment-signature": Buffer.from(JSON.stringify(changed)).toString("base64") },
		};
	});
	const { statuses } = await askAll(calls);
	await onlyOneOf("x402", 20, statuses);
});

test("of 20 payments with one payment-identifier and different signatures one is charged, and all successful responses have its bytes", async () => {
	const sent = await Promise.all(Array.from({ length: 20 }, () => till.x402("/projects", named("order-000000000001"))));
	const { statuses, bodies } = await askAll(sent.map((one) => ({ path: "/projects", sent: one })));
	const { 200: answered = 0, 409: busy = 0, ...others } = statuses;
	expect({ others, all: answered + busy }).toEqual({ others: {}, all: 20 });
	expect(bodies.size).toBe(1);
	const again = answered > 1 && { "200 x402": answered - 1 };
	await till.comesTo({
		...bought("x402"),
		usage: { "200 x402 10000": 1, ...again, ...(busy > 0 && { "409 unpaid": busy }) },
	});
	const [late] = sent;
	expect(new Set([await (await till.get("/projects", late)).text()])).toEqual(bodies);
});

test("of 20 payments with one payment-identifier for 20 pages one is charged, and the others are conflicts", async () => {
	const paths = Array.from({ length: 20 }, (_, page) => `/projects?page=${page + 1}`);
	const calls = paths.map(async (path) => ({ path, sent: await till.x402(path, named("order-000000000001")) }));
	const { statuses } = await askAll(await Promise.all(calls));
	expect(statuses).toEqual({ 200: 1, 409: 19 });
	await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "409 unpaid": 19 } });
});

test("the outstanding response of a payment is delivered to one of 20 concurrent requests", async () => {
	const { facilitator } = till.gateways.payments;
	facilitator.faults.settle.push("lost");
	const sent = await till.x402("/projects");
	expect((await till.get("/projects", sent)).status).toBe(503);
	till.pass(301);
	await till.reconcile();
	const { statuses } = await askAll(copies(20, "/projects", sent));
	expect(statuses[200]).toBe(1);
	expect((statuses[402] ?? 0) + (statuses[409] ?? 0)).toBe(19);
	expect(till.owner.runs).toBe(2);
	expect((await till.account()).charged).toEqual({ x402: 10_000 });
});

test("of 50 concurrent calls on credits for ten exactly ten succeed, and the balance is zero", async () => {
	const sent = await till.credits(10);
	const { statuses } = await askAll(copies(50, "/projects", sent));
	expect(statuses).toEqual({ 200: 10, 402: 40 });
	await till.comesTo({
		runs: 10,
		charged: { card: 100_000 },
		payments: { "card settled, delivered": 10 },
		usage: { "200 card 10000": 10, "402 unpaid": 40 },
	});
	expect(await till.balance(sent)).toBe(0);
});

test("every failed call is refunded to the credits", async () => {
	const sent = await till.credits(10);
	till.owner.next(
		...Array.from({ length: 20 }, (_, number) => () => (number % 2 ? Promise.reject(new Error("no")) : 0)),
	);
	const { statuses } = await askAll(copies(20, "/projects", sent));
	const { 200: answered = 0, 402: refused = 0, 500: failed = 0, ...others } = statuses;
	expect({ others, all: answered + refused + failed }).toEqual({ others: {}, all: 20 });
	await till.comesTo({
		runs: answered + failed,
		charged: { card: answered * 10_000 },
		payments: { "card settled, delivered": answered, "card released": failed },
		usage: { "200 card 10000": answered, "500 unpaid": failed, ...(refused > 0 && { "402 unpaid": refused }) },
	});
	expect(await till.balance(sent)).toBeCloseTo(0.1 - answered / 100);
});
