/** Charges that fail, whose outcome gets lost, and callers that leave: no caller loses money, and none gets an answer for nothing. */
import { decodePaymentResponseHeader } from "@x402/fetch";
import { beforeEach, describe, expect } from "vitest";
import { problem } from "../support/problem.ts";
import { bought } from "./support/account.ts";
import { begin, held, leave } from "./support/leaving.ts";
import { type Till, test } from "./support/pay.ts";

let till: Till;
test.beforeAll(({ sharedTill }) => {
	till = sharedTill;
});
beforeEach(() => till.reset());

/** More than the job asks for before anybody looks. */
const unreachable = () => till.gateways.payments.facilitator.faults.rpc.push(...Array<"drop">(100).fill("drop"));

describe("a charge that fails", () => {
	test("withholds the response: 402 with the error and the ways to pay", async () => {
		till.gateways.payments.facilitator.faults.settle.push("refuse");
		const sent = await till.x402("/projects");
		const answered = await till.get("/projects", sent);
		expect(answered.status).toBe(402);
		expect(answered.headers.get("cache-control")).toBe("no-store");
		expect(decodePaymentResponseHeader(answered.headers.get("payment-response") ?? "")).toMatchObject({
			success: false,
			errorReason: "invalid_exact_evm_insufficient_balance",
			transaction: "",
		});
		const body = await answered.text();
		expect(JSON.parse(body)).toMatchObject({ detail: expect.stringContaining("balance is too low"), accepts: [{}] });
		expect(body).not.toContain('"run"');
		await till.comesTo({ runs: 1, payments: { "x402 failed": 1 }, usage: { "402 unpaid": 1 } });
		expect((await till.get("/projects", sent)).status).toBe(402);
		await till.comesTo({ runs: 1, payments: { "x402 failed": 1 }, usage: { "402 unpaid": 2 } });
	});
});

describe("a charge whose response is lost", () => {
	test("is 503; once its outcome is known, the same payment gets the response without another charge", async () => {
		const { facilitator } = till.gateways.payments;
		facilitator.faults.settle.push("lost");
		unreachable();
		const sent = await till.x402("/projects");
		const lost = await till.get("/projects", sent);
		expect([lost.status, lost.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(await lost.json()).toEqual(
			problem({ detail: expect.stringContaining("nothing is charged twice"), code: "payment_pending" }),
		);
		await till.comesTo({
			runs: 1,
			charged: { x402: 10_000 },
			payments: { "x402 unknown": 1 },
			usage: { "503 unpaid": 1 },
		});
		expect((await till.get("/projects", sent)).status).toBe(409);
		facilitator.faults.verify.push("drop");
		const unchecked = await till.get("/projects", sent);
		expect([unchecked.status, await unchecked.json()]).toEqual([
			409,
			problem({ detail: expect.stringContaining("nothing is charged twice"), code: "payment_pending" }),
		]);
		facilitator.faults.rpc.length = 0;
		till.pass(301);
		await till.reconcile();
		expect((await till.get("/changes", sent)).status).toBe(402);
		const answered = await till.get("/projects", sent);
		expect([answered.status, answered.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
		expect(decodePaymentResponseHeader(answered.headers.get("payment-response") ?? "").success).toBe(true);
		await till.comesTo({
			runs: 2,
			charged: { x402: 10_000 },
			payments: { "x402 settled, delivered": 1 },
			usage: { "503 unpaid": 1, "409 unpaid": 2, "402 unpaid": 1, "200 x402": 1 },
		});
		expect((await till.get("/projects", sent)).status).toBe(402);
	});

	test("prevents a charge of the payer's next payment, which gets the response once the outcome is known", async () => {
		const { facilitator } = till.gateways.payments;
		facilitator.faults.settle.push("late");
		unreachable();
		expect((await till.get("/projects", await till.x402("/projects"))).status).toBe(503);
		await till.comesTo({
			runs: 1,
			charged: { x402: 10_000 },
			payments: { "x402 unknown": 1 },
			usage: { "503 unpaid": 1 },
		});
		const again = await till.x402("/projects");
		const pending = await till.get("/projects", again);
		expect([pending.status, await pending.json()]).toEqual([
			409,
			problem({ detail: expect.stringContaining("pending"), code: "payment_pending" }),
		]);
		expect((await till.get("/projects", await till.x402("/projects", {}, till.newWallet()))).status).toBe(200);
		facilitator.faults.rpc.length = 0;
		till.pass(31);
		await till.reconcile();
		expect((await till.get("/projects", again)).status).toBe(200);
		expect((await till.get("/projects", again)).status).toBe(200);
		await till.comesTo({
			runs: 4,
			charged: { x402: 30_000 },
			payments: { "x402 settled, delivered": 3 },
			usage: { "503 unpaid": 1, "409 unpaid": 1, "200 x402": 1, "200 x402 10000": 2 },
		});
	});

	test("and that never arrived fails when it expires, without a charge", async () => {
		const { facilitator } = till.gateways.payments;
		facilitator.faults.settle.push("drop");
		unreachable();
		const sent = await till.x402("/projects");
		expect((await till.get("/projects", sent)).status).toBe(503);
		await till.comesTo({ runs: 1, payments: { "x402 unknown": 1 }, usage: { "503 unpaid": 1 } });
		facilitator.faults.rpc.length = 0;
		till.pass(400);
		await till.reconcile();
		expect((await till.get("/projects", sent)).status).toBe(402);
		await till.comesTo({ runs: 1, payments: { "x402 failed": 1 }, usage: { "503 unpaid": 1, "402 unpaid": 1 } });
		expect(facilitator.faults.settle).toEqual([]);
	});
});

describe("a caller that disconnects", () => {
	test.each(["x402", "card"] as const)(
		"before its charge by %s is not charged, and its payment remains valid",
		async (rail) => {
			const sent = await till.pay(rail, "/projects");
			const handler = held();
			till.owner.next(handler.wait);
			const caller = await begin(till.gateways.url, "/projects", sent);
			await handler.reached;
			await leave(caller);
			handler.go();
			await till.comesTo({ runs: 1, payments: { [`${rail} released`]: 1 }, usage: { "499 unpaid": 1 } });
			expect((await till.get("/projects", sent)).status).toBe(200);
		},
	);

	test("during the charge gets the response when it returns, and is charged once", async () => {
		const { client } = till.gateways.payments.facilitator;
		const { settle } = client;
		const charge = held();
		client.settle = async (...asked) => {
			const done = await settle(...asked);
			await charge.wait();
			return done;
		};
		const sent = await till.x402("/projects");
		const caller = await begin(till.gateways.url, "/projects", sent);
		await charge.reached;
		client.settle = settle;
		await leave(caller);
		charge.go();
		await till.comesTo({
			runs: 1,
			charged: { x402: 10_000 },
			payments: { "x402 settled": 1 },
			usage: { "499 x402 10000": 1 },
		});
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo({
			runs: 2,
			charged: { x402: 10_000 },
			payments: { "x402 settled, delivered": 1 },
			usage: { "499 x402 10000": 1, "200 x402": 1 },
		});
		expect((await till.get("/projects", sent)).status).toBe(402);
	});
});

test("an unavailable facilitator is a 503, no service is called, and the payment remains valid", async () => {
	const sent = await till.x402("/projects");
	till.gateways.payments.facilitator.faults.verify.push("error");
	expect((await till.get("/projects", sent)).status).toBe(503);
	await till.comesTo({ usage: { "503 unpaid": 1 } });
	expect((await till.get("/projects", sent)).status).toBe(200);
	await till.comesTo({ ...bought("x402"), usage: { "503 unpaid": 1, "200 x402 10000": 1 } });
});

test("while billing is down a payment is a 503 without a charge, and remains valid when billing is back", async () => {
	const [x402, mpp] = [await till.x402("/projects"), await till.mpp("/projects")];
	await till.gateways.stopBilling();
	for (const sent of [x402, mpp]) expect((await till.get("/projects", sent)).status).toBe(503);
	await till.gateways.startBilling();
	await till.comesTo({ usage: { "503 unpaid": 2 } });
	expect((await till.get("/projects", x402)).status).toBe(200);
	await till.comesTo({ ...bought("x402"), usage: { "503 unpaid": 2, "200 x402 10000": 1 } });
});
