import { Receipt } from "mppx";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
	answerTo,
	type CreditSales,
	challengeOf,
	pay,
	refusalIn,
	sellCredits,
	soldUsd,
	statesOf,
	tokenIn,
} from "./support/credit-sales.ts";

let sales: CreditSales;
beforeAll(async () => {
	sales = await sellCredits();
});
beforeEach(() => sales.reset());
afterAll(() => sales?.[Symbol.asyncDispose]());

describe("if the card processor does not respond", () => {
	test("a broken connection is retried with the same idempotency key, so there is one charge", async () => {
		sales.stripe.next("drop");
		expect(await sales.balance(await tokenIn(await sales.buy(await pay(sales))))).toBe(5);
		expect(sales.stripe.chargeRequests).toBe(2);
		expect(sales.stripe.chargedCents).toBe(500);
	});

	test("a charge whose response is lost becomes credits when the payment is sent again", async () => {
		sales.stripe.next("drop", "drop");
		const credential = await pay(sales);
		const lost = await sales.buy(credential);
		expect(lost.headers.get("retry-after")).toBe("5");
		expect(await refusalIn(lost, 503)).toContain("nothing is charged twice");
		expect(await statesOf(sales.billing)).toEqual(["unknown"]);
		const token = await tokenIn(await sales.buy(credential));
		expect(await sales.balance(token)).toBe(5);
		expect(await sales.reconcile()).toBe(1);
		expect(await tokenIn(await sales.buy(credential))).toBe(token);
		expect(await statesOf(sales.billing)).toEqual(["settled"]);
		expect(sales.stripe.chargedCents).toBe(500);
		expect(await soldUsd(sales.billing)).toBe(5);
	});

	test("while the outcome of a charge is unknown, another token for its challenge is charged at most once instead", async () => {
		const challenge = challengeOf(await sales.buy());
		const [one, other] = [1, 2].map(() => answerTo(challenge, sales.stripe.grant({ amountCents: 500 })));
		sales.stripe.next("stall", "stall");
		await refusalIn(await sales.buy(one), 503);
		await Promise.all([sales.buy(other), sales.buy(one), sales.buy(other)]);
		expect(await sales.reconcile()).toBe(1);
		const answers = await Promise.all([sales.buy(one), sales.buy(other)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
		for (const bought of answers) if (bought.ok) expect(await sales.balance(await tokenIn(bought))).toBe(5);
		expect(sales.stripe.chargedCents).toBe(500);
		expect(await soldUsd(sales.billing)).toBe(5);
	});

	test("the job finds a charge whose response is lost, and adds the credits for the payer", async () => {
		sales.stripe.next("hang", "hang");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		expect(await sales.reconcile()).toBe(1);
		expect(await soldUsd(sales.billing)).toBe(5);
		// The challenge has expired by then.
		sales.pass(7_200);
		const answered = await sales.buy(credential);
		expect(Receipt.fromResponse(answered).reference).toBe(sales.stripe.intents[0]?.id);
		expect(await sales.balance(await tokenIn(answered))).toBe(5);
		expect(sales.stripe.chargeRequests).toBe(2);
	});

	test("the job and the payer together credit a lost charge once", async () => {
		sales.stripe.next("drop", "drop");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		await Promise.all([sales.reconcile(), sales.buy(credential), sales.reconcile(), sales.buy(credential)]);
		expect(await soldUsd(sales.billing)).toBe(5);
		expect(sales.stripe.chargedCents).toBe(500);
		expect(await tokenIn(await sales.buy(credential))).toBeTruthy();
	});

	test("a charge that never reached the processor is made when the payment is sent again", async () => {
		sales.stripe.next("refuse", "refuse");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		expect(sales.stripe.chargedCents).toBe(0);
		expect(await sales.balance(await tokenIn(await sales.buy(credential)))).toBe(5);
	});

	test("the job never charges; a charge that never arrived fails after an hour, and cannot be made later", async () => {
		sales.stripe.next("stall", "stall");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		expect(await sales.reconcile()).toBe(0);
		sales.pass(1_801);
		expect(await sales.reconcile()).toBe(0);
		// Too late to charge again, too early to know.
		await refusalIn(await sales.buy(credential), 503);
		sales.pass(3_600);
		expect(await sales.reconcile()).toBe(1);
		expect(await statesOf(sales.billing)).toEqual(["failed"]);
		expect(await refusalIn(await sales.buy(credential))).toContain("failed before");
		expect(sales.stripe.intents).toEqual([]);
	});

	test("an error of the processor leaves the outcome unknown too", async () => {
		sales.stripe.next("error");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		expect(await statesOf(sales.billing)).toEqual(["unknown"]);
		expect(await sales.balance(await tokenIn(await sales.buy(credential)))).toBe(5);
	});

	test("a charge is found beyond the first page of the account's charges", async () => {
		sales.stripe.next("hang", "hang");
		await refusalIn(await sales.buy(await pay(sales)), 503);
		// Newest first: it stands behind them all.
		for (let other = 0; other < 120; other++)
			await fetch(`${sales.stripe.url}/v1/payment_intents`, {
				method: "POST",
				headers: { authorization: `Bearer ${sales.stripe.secretKey}` },
				body: new URLSearchParams({
					amount: "100",
					currency: "usd",
					shared_payment_granted_token: sales.stripe.grant({ amountCents: 100 }),
				}),
			});
		expect(await sales.reconcile()).toBe(1);
		expect(await soldUsd(sales.billing)).toBe(5);
	});
});

describe("if billing does not respond", () => {
	test("nothing is charged if the claim or the start of the charge cannot be recorded", async () => {
		const credential = await pay(sales);
		for (const operation of ["claimPayment", "beginSettlement"]) {
			sales.away.add(operation);
			await refusalIn(await sales.buy(credential), 503);
			sales.away.clear();
		}
		expect(sales.stripe.chargeRequests).toBe(0);
		expect(await sales.balance(await tokenIn(await sales.buy(credential)))).toBe(5);
	});

	test("paid credits that could not be added are added later, by the job or by a repeated payment", async () => {
		sales.away.add("addCredits");
		const credential = await pay(sales);
		expect(await refusalIn(await sales.buy(credential), 503)).toContain("the credits follow");
		sales.pass(60);
		expect(await sales.reconcile()).toBe(0);
		sales.away.clear();
		sales.pass(400);
		const token = await tokenIn(await sales.buy(credential));
		expect(await sales.reconcile()).toBe(1);
		expect(await sales.balance(token)).toBe(5);
		expect(sales.stripe.chargedCents).toBe(500);
		expect(await statesOf(sales.billing)).toEqual(["settled"]);
	});

	test("a purchase whose outcome could not be recorded gets its response, and the job records it", async () => {
		sales.away.add("finishPayment");
		const token = await tokenIn(await sales.buy(await pay(sales)));
		sales.away.clear();
		expect(await statesOf(sales.billing)).toEqual(["settling"]);
		sales.pass(60);
		expect(await sales.reconcile()).toBe(1);
		expect(await sales.balance(token)).toBe(5);
		expect(await statesOf(sales.billing)).toEqual(["settled"]);
	});

	test("while a charge is under way its payment is not charged again", async () => {
		sales.away.add("addCredits");
		const credential = await pay(sales);
		await refusalIn(await sales.buy(credential), 503);
		expect(await statesOf(sales.billing)).toEqual(["settling"]);
		await refusalIn(await sales.buy(credential), 503);
		expect(sales.stripe.chargeRequests).toBe(1);
	});
});
