import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { putCredits } from "../../services/gateway/payments/credits/purchases.ts";
import { storablePart } from "../../services/gateway/payments/credits/token.ts";
import { openPayments, type Payments } from "../../services/gateway/payments/pay.ts";
import type { Charge } from "../../services/gateway/payments/rails/rail.ts";
import type { Answered } from "../../services/gateway/registry/bindings.ts";
import { type CreditSales, sellCredits, statesOf } from "./support/credit-sales.ts";

let sales: CreditSales;
let payments: Payments;
beforeAll(async () => {
	sales = await sellCredits();
	payments = openPayments({ rails: [sales.rail], ask: sales.ask, log: { warn() {} } });
});
beforeEach(() => sales.reset());
afterAll(async () => {
	await payments?.[Symbol.asyncDispose]();
	await sales?.[Symbol.asyncDispose]();
});

const charge: Charge = {
	operation: "listProjects",
	method: "GET",
	route: "/projects",
	url: "http://localhost/projects",
	amountMicroUsd: priceMicroUsd.standard,
	description: "Projects",
};

/** A token with so many dollars on it. */
async function filled(usd: number): Promise<string> {
	const token = makeSecret("cr_");
	const paid = { paymentIntent: `pi_${token.slice(-8)}`, eventId: null, amountCents: usd * 100 };
	await putCredits(sales.ask, storablePart(token), paid);
	return token;
}

const answers = async (): Promise<Answered> => ({ status: 200, headers: {}, body: Buffer.from("{}") });

async function call(token: string, handle: () => Promise<Answered> = answers) {
	const payment = payments.read({ authorization: `Bearer ${token}` });
	if (payment === undefined) throw new Error("the payment was not read");
	return payments.buy({ payment, charge, question: "{}", requestId: "r", isFile: false, handle });
}

describe("prepaid credits", () => {
	test("are offered with how to send and to buy them, in no header", async () => {
		expect(await sales.rail.offer(charge)).toEqual({
			headers: {},
			hint: expect.objectContaining({
				send: "Authorization: Bearer cr_...",
				top_up: expect.objectContaining({ method: "POST", path: "/credits", amounts_usd: [5, 20, 50] }),
			}),
		});
	});

	test("pay for a call with its price", async () => {
		const token = await filled(5);
		const paid = await call(token);
		paid.sent("delivered");
		expect(paid).toMatchObject({ status: 200, rail: "card", paidMicroUsd: 10_000 });
		expect(await sales.balance(token)).toBe(4.99);
	});

	test("are good for one call after another, each paid for by itself", async () => {
		const token = await filled(5);
		for (let time = 0; time < 3; time++) (await call(token)).sent("delivered");
		expect(await sales.balance(token)).toBe(4.97);
		expect(await statesOf(sales.billing)).toEqual(["settled", "settled", "settled"]);
	});

	test("of 60 calls at once on a balance for ten, exactly ten are handled, and nothing is left", async () => {
		const token = await filled(0.1);
		let handled = 0;
		const calls = Array.from({ length: 60 }, () =>
			call(token, async () => {
				handled++;
				return answers();
			}),
		);
		const ends = await Promise.allSettled(calls);
		expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
		expect(handled).toBe(10);
		expect(await sales.balance(token)).toBe(0);
	});

	test("are given back for a call that could not be answered", async () => {
		const token = await filled(5);
		const fails = async () => ({ status: 404, headers: {}, body: Buffer.from("{}") });
		await expect(call(token, fails)).rejects.toMatchObject({ status: 404 });
		expect(await sales.balance(token)).toBe(5);
	});

	test("that are used up are refused with the balance and how to buy more", async () => {
		const token = await filled(0.01);
		await call(token);
		await expect(call(token)).rejects.toMatchObject({
			status: 402,
			message: expect.stringContaining("the credits left are $0.00"),
		});
		await expect(call(makeSecret("cr_"))).rejects.toMatchObject({ status: 402 });
		expect(await statesOf(sales.billing)).toEqual(["settled"]);
	});

	test("of a token with a typing error are refused without asking anybody", async () => {
		const token = await filled(5);
		sales.away.add("claimPayment");
		const mistyped = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
		await expect(call(mistyped)).rejects.toMatchObject({
			status: 402,
			message: expect.stringContaining("not a credit token"),
		});
	});

	test("show up in no row of billing by their token", async () => {
		const token = await filled(5);
		await call(token);
		const [stored] = await sales.billing.sql<{ text: string }[]>`
			select (select json_agg(p) from payments p)::text || (select json_agg(c) from credits c)::text as text`;
		expect(stored?.text).toContain(storablePart(token).sha256);
		expect(stored?.text).not.toContain(token);
	});

	test("that were debited for a call that was not finished are not kept", async () => {
		expect(await sales.rail.reconcile("{}", 3_600)).toMatchObject({ outcome: "failed" });
	});
});

describe("a credit token", () => {
	const token = makeSecret("cr_");
	test("is read from Authorization: Bearer or X-Credit-Token", () => {
		expect(sales.rail.read({ authorization: `Bearer ${token}` })).toBe(token);
		expect(sales.rail.read({ authorization: `bearer  ${token} ` })).toBe(token);
		expect(sales.rail.read({ "x-credit-token": token })).toBe(token);
	});

	test("is neither a key nor a payment of another kind", () => {
		expect(sales.rail.read({ authorization: `Bearer ${makeSecret("pk_")}` })).toBeUndefined();
		expect(sales.rail.read({ authorization: "Payment e30" })).toBeUndefined();
		expect(sales.rail.read({})).toBeUndefined();
	});

	test("that is sent twice is refused", () => {
		const twice = [
			{ authorization: `Bearer ${token}`, "x-credit-token": token },
			{ "x-credit-token": `${token}, ${token}` },
			{ "x-credit-token": [token, token] },
		];
		for (const headers of twice) expect(() => sales.rail.read(headers)).toThrow("more than one credit token");
	});
});
