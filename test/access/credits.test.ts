import { Credential } from "mppx";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { Charge } from "../../services/gateway/payments/rails/rail.ts";
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

describe("buying with a shared payment token", () => {
	test("without a payment the response is an uncacheable MPP challenge for a card, in dollars and cents", async () => {
		const answered = await sales.buy(undefined, 20);
		expect(answered.status).toBe(402);
		expect(answered.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
		expect(answered.headers.get("cache-control")).toBe("no-store");
		expect(challengeOf(answered)).toMatchObject({
			method: "stripe",
			intent: "charge",
			realm: "energy-infrastructure-data",
			expires: "2026-11-21T12:05:00.000Z",
			request: { amount: "2000", currency: "usd", methodDetails: { networkId: sales.stripe.networkId } },
		});
		expect(await answered.json()).toMatchObject({ status: 402, price_usd: 20, detail: expect.stringContaining("$20") });
		expect(await statesOf(sales.billing)).toEqual([]);
	});

	test("two requests in the same millisecond get different challenges", async () => {
		const [one, other] = await Promise.all([sales.buy(), sales.buy()]);
		expect(challengeOf(one).id).not.toBe(challengeOf(other).id);
	});

	test("a repeated payment returns the same token and charges nothing", async () => {
		const credential = await pay(sales);
		const token = await tokenIn(await sales.buy(credential));
		expect(await tokenIn(await sales.buy(credential))).toBe(token);
		expect(sales.stripe.chargeRequests).toBe(1);
		expect(await sales.balance(token)).toBe(5);
	});

	test("of 20 concurrent copies of one payment one is charged, and all successful responses have the same token", async () => {
		const credential = await pay(sales);
		const answers = await Promise.all(Array.from({ length: 20 }, () => sales.buy(credential)));
		const tokens = await Promise.all(answers.filter(({ ok }) => ok).map(tokenIn));
		expect(new Set(tokens).size).toBe(1);
		expect(answers.filter(({ ok }) => !ok).map(({ status }) => status)).toEqual(Array(20 - tokens.length).fill(503));
		expect(sales.stripe.chargeRequests).toBe(1);
		expect(await soldUsd(sales.billing)).toBe(5);
	});

	test("a used shared payment token is refused with another challenge", async () => {
		const spt = sales.stripe.grant({ amountCents: 500 });
		await tokenIn(await sales.buy(await pay(sales, { token: spt })));
		const detail = await refusalIn(await sales.buy(await pay(sales, { token: spt })));
		expect(detail).toContain("not accepted");
		expect(detail).not.toContain(spt);
		expect(sales.stripe.chargedCents).toBe(500);
		expect(await statesOf(sales.billing)).toEqual(["settled", "failed"]);
	});

	test("another token for a used challenge reveals nothing of the purchase", async () => {
		const challenge = challengeOf(await sales.buy());
		const spt = () => sales.stripe.grant({ amountCents: 500 });
		await tokenIn(await sales.buy(answerTo(challenge, spt())));
		expect(await refusalIn(await sales.buy(answerTo(challenge, spt())))).toContain("used before");
		expect(sales.stripe.chargeRequests).toBe(1);
	});

	test("a card that requires authentication is refused, and its charge is cancelled permanently", async () => {
		sales.stripe.next("requires_action");
		const credential = await pay(sales);
		const refused = await sales.buy(credential);
		expect(challengeOf(refused).id).toBeTruthy();
		expect(await refusalIn(refused)).toContain("the card requires authentication by its holder");
		expect(sales.stripe.intents.map(({ status }) => status)).toEqual(["canceled"]);
		expect(await statesOf(sales.billing)).toEqual(["failed"]);
		expect(await refusalIn(await sales.buy(credential))).toContain("failed before");
		expect(sales.stripe.chargeRequests).toBe(1);
		expect(await soldUsd(sales.billing)).toBe(0);
	});

	test("a declined card is refused with the reason and buys nothing", async () => {
		sales.stripe.next("decline");
		expect(await refusalIn(await sales.buy(await pay(sales)))).toContain("declined (insufficient_funds)");
		expect(await statesOf(sales.billing)).toEqual(["failed"]);
		expect(sales.stripe.chargedCents).toBe(0);
	});

	test("a charge in progress is neither settled nor failed until it has ended", async () => {
		sales.stripe.next("processing");
		expect((await sales.buy(await pay(sales))).status).toBe(503);
		expect(await sales.reconcile()).toBe(0);
		expect(await statesOf(sales.billing)).toEqual(["unknown"]);
		for (const intent of sales.stripe.intents) Object.assign(intent, { status: "succeeded", amount_received: 500 });
		sales.pass(3_600);
		expect(await sales.reconcile()).toBe(1);
		expect(await soldUsd(sales.billing)).toBe(5);
	});

	const notForThis: [string, (sent: Credential.Credential) => Credential.Credential][] = [
		[
			"another amount",
			(it) => ({ ...it, challenge: { ...it.challenge, request: { ...it.challenge.request, amount: "1" } } }),
		],
		[
			"another realm",
			(it) => ({
				...it,
				challenge: { ...it.challenge, id: it.challenge.id.replace(/^./, (c) => (c === "A" ? "B" : "A")) },
			}),
		],
		["a later expiry", (it) => ({ ...it, challenge: { ...it.challenge, expires: "2026-11-22T12:05:00.000Z" } })],
		["another method", (it) => ({ ...it, challenge: { ...it.challenge, method: "tempo" } })],
		["no shared payment token", (it) => ({ ...it, payload: { spt: "" } })],
		["no chance of its own", (it) => ({ ...it, challenge: { ...it.challenge, opaque: "e30" } })],
	];
	test.each(notForThis)("a payment with %s is refused before any request is sent", async (_what, change) => {
		const credential = Credential.deserialize(await pay(sales));
		await refusalIn(await sales.buy(Credential.serialize(change(credential))));
		expect(sales.stripe.chargeRequests).toBe(0);
		expect(await statesOf(sales.billing)).toEqual([]);
	});

	test("a payment of five dollars does not buy fifty", async () => {
		expect(await refusalIn(await sales.buy(await pay(sales, { amountUsd: 5 }), 50))).toContain(
			"issued for this purchase",
		);
		expect(sales.stripe.chargeRequests).toBe(0);
	});

	test("a challenge of another realm, or signed with another key, is refused", async () => {
		await using elsewhere = await sellCredits({ MPP_REALM: "elsewhere.test" });
		const theirs = challengeOf(await elsewhere.buy());
		const spt = sales.stripe.grant({ amountCents: 500 });
		expect(await refusalIn(await sales.buy(answerTo(theirs, spt)))).toContain("issued for this purchase");
		// It says of itself that it is for us.
		await refusalIn(await sales.buy(answerTo({ ...theirs, realm: "energy-infrastructure-data" }, spt)));
		expect(sales.stripe.chargeRequests).toBe(0);
	});

	test("an expired challenge buys nothing, and charges nothing", async () => {
		const credential = await pay(sales);
		sales.pass(301);
		expect(await refusalIn(await sales.buy(credential))).toContain("expired");
		expect(sales.stripe.chargeRequests).toBe(0);
	});

	test("a payment that cannot be read is refused with a challenge, and two payments at once with 400", async () => {
		expect(challengeOf(await sales.buy("Payment garbage")).method).toBe("stripe");
		const [one, other] = [await pay(sales), await pay(sales)];
		await refusalIn(await sales.buy(`${one}, ${other}`), 400);
		expect(sales.stripe.chargeRequests).toBe(0);
	});

	test("billing stores no credential of a purchase in progress", async () => {
		sales.stripe.next("drop", "drop");
		const spt = sales.stripe.grant({ amountCents: 500 });
		const credential = await pay(sales, { token: spt });
		await refusalIn(await sales.buy(credential), 503);
		const [row] = await sales.billing.sql<{ row: string }[]>`select to_json(p)::text as row from payments p`;
		expect(row?.row).toContain("challenge_id");
		expect(row?.row).not.toContain(spt);
		expect(row?.row).not.toContain(credential.slice(-40));
	});
});

test("a day after the purchase, a leaked payment no longer reveals the token", async () => {
	const credential = await pay(sales);
	await tokenIn(await sales.buy(credential));
	sales.pass(24 * 3_600);
	await tokenIn(await sales.buy(credential));
	sales.pass(600);
	expect(await refusalIn(await sales.buy(credential))).toContain("used before");
});

const charge: Charge = {
	operation: "listProjects",
	method: "GET",
	route: "/projects",
	url: "http://localhost/projects",
	amountMicroUsd: priceMicroUsd.standard,
	description: "Projects",
};

describe("prepaid credits", () => {
	test("are offered in the body, with instructions to buy and send them", async () => {
		expect(await sales.rail.offer(charge)).toEqual({
			headers: {},
			hint: expect.objectContaining({
				send: "Authorization: Bearer cr_...",
				top_up: expect.objectContaining({ method: "POST", path: "/credits", amounts_usd: [5, 20, 50] }),
			}),
		});
	});

	test("of a token with a typing error are refused without a request to billing", async () => {
		const token = makeSecret("cr_");
		sales.away.add("claimPayment");
		await expect(sales.rail.validate(`${token.slice(0, -1)}!`, charge)).rejects.toMatchObject({
			status: 402,
			message: expect.stringContaining("not a credit token"),
		});
	});

	test("that were debited for an unfinished call are refunded", async () => {
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
