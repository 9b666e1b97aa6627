/** A call that is paid for by itself, through the whole gateway: what it gives, what it takes, and what is never charged. */
import { decodePaymentResponseHeader } from "@x402/fetch";
import { Receipt } from "mppx";
import { beforeEach, describe, expect } from "vitest";
import { badRequest, notFound } from "#libs/contract/errors.ts";
import { operations } from "#libs/contract/index.ts";
import { railNames } from "#libs/contract/vocabulary.ts";
import type { EventOptions } from "../support/payments/stripe-checkout.ts";
import { bought } from "./support/account.ts";
import { answerTo, challengeOf } from "./support/credit-sales.ts";
import { payTo } from "./support/gateways.ts";
import { type Sent, type Till, test } from "./support/pay.ts";
import { network } from "./support/x402.ts";

let till: Till;
test.beforeAll(({ sharedTill }) => {
	till = sharedTill;
});
beforeEach(() => till.reset());

describe("without a payment", () => {
	test("a priced operation returns every way to pay, uncacheable, without calling a service", async () => {
		const unpaid = await till.get("/projects?state=TX");
		expect(unpaid.status).toBe(402);
		expect(unpaid.headers.get("cache-control")).toBe("no-store");
		expect(unpaid.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
		expect(unpaid.headers.get("www-authenticate")).toMatch(/^Payment .*method="tempo"/);
		expect(await unpaid.json()).toMatchObject({
			status: 402,
			detail: expect.stringContaining("$0.01"),
			code: "payment_required",
			price_usd: 0.01,
			accepts: [{ scheme: "exact", network, amount: "10000", payTo }],
			rails: { x402: { amount: "10000" }, mpp: { amount: "10000" }, card: { top_up: { path: "/credits" } } },
		});
		expect((await till.get("/stats")).status).toBe(404);
		await till.comesTo({});
	});

	test("a quote is free and states the amount of the 402 for each way to pay", async () => {
		const headers = { "content-type": "application/json" };
		const body = JSON.stringify({ operation: "listProjects", params: { state: "TX" } });
		const quoted = await fetch(`${till.gateways.url}/quote`, { method: "POST", headers, body });
		expect(quoted.status).toBe(200);
		const price_usd = 0.01;
		expect(await quoted.json()).toMatchObject({
			price_usd,
			rails: {
				x402: { price_usd, currency: "USDC" },
				mpp: { price_usd, currency: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
				card: { price_usd, currency: "USD" },
			},
		});
		expect(await (await till.get("/projects?state=TX")).json()).toMatchObject({ price_usd });
		// The list is counted, and nothing of it is handed over.
		await till.comesTo({ runs: 1 });
	});

	test("parameters are not read before the price is known", async () => {
		expect((await till.get("/projects?state=Atlantis")).status).toBe(402);
		expect((await till.get("/projects/nowhere")).status).toBe(402);
		await till.comesTo({});
	});

	test("HEAD has the price of GET; with a payment it is refused, and the payment remains valid", async () => {
		expect((await till.raw("/projects", {}, "HEAD")).status).toBe(402);
		const sent = await till.x402("/projects");
		for (const paid of [sent, await till.mpp("/projects"), await till.credits(100)])
			expect((await till.raw("/projects", paid, "HEAD")).status).toBe(400);
		await till.comesTo({});
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo(bought("x402"));
	});
});

describe.each(railNames)("a payment by %s", (rail) => {
	test("buys one response, which is private and varies by credential", async () => {
		const answered = await till.get("/projects?state=TX", await till.pay(rail, "/projects?state=TX"));
		expect(answered.status).toBe(200);
		expect(answered.headers.get("cache-control")).toBe("private, no-store");
		expect(answered.headers.get("vary")).toBe("X-API-Key, Authorization, PAYMENT-SIGNATURE");
		expect(await answered.json()).toMatchObject({ run: 1, params: { state: ["TX"] } });
		await till.comesTo(bought(rail));
		const [row] = await till.gateways.sql`select operation, amount_micro_usd, stored from payments`;
		expect(row).toEqual({ operation: "listProjects", amount_micro_usd: 10_000, stored: null });
	});

	test("gets the complete response, whatever the caller claims to have cached", async () => {
		const { headers } = await till.get("/projects", await till.pay(rail, "/projects"));
		const mine = { "if-none-match": `${headers.get("etag")}, *`, "if-modified-since": new Date().toUTCString() };
		const again = await till.get("/projects", { ...(await till.pay(rail, "/projects")), ...mine });
		expect([again.status, (await again.text()).length > 2]).toEqual([200, true]);
		await till.comesTo({
			runs: 2,
			charged: { [rail]: 20_000 },
			payments: { [`${rail} settled, delivered`]: 2 },
			usage: { [`200 ${rail} 10000`]: 2 },
		});
	});

	test("with invalid parameters is not charged, and remains valid", async () => {
		const sent = await till.pay(rail, "/projects");
		expect((await till.get("/projects?state=Atlantis", sent)).status).toBe(422);
		expect((await till.get("/projects?no_such=1", sent)).status).toBe(422);
		expect((await till.get("/projects?state=%zz", sent)).status).toBe(400);
		await till.comesTo({ usage: { "422 unpaid": 2 } });
		expect((await till.get("/projects?state=TX", sent)).status).toBe(200);
		await till.comesTo({ ...bought(rail), usage: { "422 unpaid": 2, [`200 ${rail} 10000`]: 1 } });
	});

	test("for a response of 4xx or 5xx is not charged, and remains valid", async () => {
		const sent = await till.pay(rail, "/projects");
		till.owner.next(
			() => Promise.reject(notFound("no such thing")),
			() => Promise.reject(badRequest("not so")),
			() => Promise.reject(new Error("a fault")),
		);
		for (const status of [404, 400, 500]) expect((await till.get("/projects", sent)).status).toBe(status);
		await till.comesTo({
			runs: 3,
			payments: { [`${rail} released`]: 3 },
			usage: { "404 unpaid": 1, "400 unpaid": 1, "500 unpaid": 1 },
		});
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo({
			runs: 4,
			charged: { [rail]: 10_000 },
			payments: { [`${rail} released`]: 3, [`${rail} settled, delivered`]: 1 },
			usage: { "404 unpaid": 1, "400 unpaid": 1, "500 unpaid": 1, [`200 ${rail} 10000`]: 1 },
		});
	});

	test("with an invalid key is refused with 403, not charged, and remains valid", async () => {
		const sent = await till.pay(rail, "/projects");
		const key = `pk_${"0".repeat(38)}`;
		expect((await till.get("/projects", { ...sent, "x-api-key": key })).status).toBe(403);
		expect((await till.get(`/projects?api_key=${key}`, sent)).status).toBe(403);
		expect((await till.get(`/projects?%61pi_key=${key}`, sent)).status).toBe(403);
		expect((await till.get("/projects?api_key=", sent)).status).toBe(403);
		await till.comesTo({});
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo(bought(rail));
	});

	test("with a valid key is ignored: the plan pays", async () => {
		const key = await till.gateways.register();
		const sent = await till.pay(rail, "/projects");
		expect((await till.get("/projects", { ...sent, "x-api-key": key })).status).toBe(200);
		expect((await till.get(`/projects?api_key=${key}`, sent)).status).toBe(200);
		await till.comesTo({ runs: 2, usage: { "200 unpaid": 2 } });
		const used = await till.gateways
			.sql`select counted from usage where account_id is not null and operation = 'listProjects'`;
		expect(used).toEqual([{ counted: true }, { counted: true }]);
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo({ ...bought(rail), runs: 3, usage: { "200 unpaid": 2, [`200 ${rail} 10000`]: 1 } });
	});
});

test("a response has the receipt of its payment", async () => {
	const x402 = await till.get("/projects", await till.x402("/projects"));
	const transaction = till.gateways.payments.token.logs.at(-1)?.transactionHash;
	expect(decodePaymentResponseHeader(x402.headers.get("payment-response") ?? "")).toMatchObject({
		success: true,
		transaction,
		payer: till.wallet.account.address,
	});
	const mpp = await till.get("/projects", await till.mpp("/projects"));
	const hash = till.gateways.payments.tempo.ledger.movements.at(-1)?.hash;
	expect(Receipt.fromResponse(mpp)).toMatchObject({ method: "tempo", reference: hash });
	await till.comesTo({
		runs: 2,
		charged: { x402: 10_000, mpp: 10_000 },
		payments: { "x402 settled, delivered": 1, "mpp settled, delivered": 1 },
		usage: { "200 x402 10000": 1, "200 mpp 10000": 1 },
	});
	const rows = await till.gateways.sql`select reference from payments order by id`;
	expect(rows.map(({ reference }) => reference)).toEqual([transaction, hash]);
});

test("a valid key as Authorization: Bearer is a key, and a payment with it is ignored", async () => {
	const authorization = `Bearer ${await till.gateways.register()}`;
	const sent = await till.x402("/projects");
	expect((await till.get("/projects", { ...sent, authorization })).status).toBe(200);
	await till.comesTo({ runs: 1, usage: { "200 unpaid": 1 } });
});

test("two payments at once are refused, and neither is charged", async () => {
	const [x402, mpp, card, other] = await Promise.all([
		till.x402("/projects"),
		till.mpp("/projects"),
		till.credits(100),
		till.mpp("/projects"),
	]);
	const both: Sent[] = [
		{ ...x402, ...mpp },
		{ ...x402, ...card },
		{ ...mpp, "x-credit-token": card.authorization.slice("Bearer ".length) },
		{ authorization: `${mpp.authorization}, ${other.authorization}` },
		{ ...mpp, "payment-authorization": other.authorization ?? "" },
		{ ...card, "x-credit-token": card.authorization.slice("Bearer ".length) },
		{ "payment-signature": `${x402["payment-signature"]}, ${x402["payment-signature"]}` },
	];
	for (const sent of both) expect((await till.get("/projects", sent)).status).toBe(400);
	const lines = { "payment-signature": [x402["payment-signature"] ?? "", x402["payment-signature"] ?? ""] };
	expect((await till.raw("/projects", lines)).status).toBe(400);
	await till.comesTo({});
});

describe("a receipt", () => {
	const receipt = async (id: string, sent: Sent = {}) => {
		const answered = await till.get(`/receipts/${id}`, sent);
		return { status: answered.status, body: (await answered.json()) as Record<string, unknown> };
	};

	test("of a payment on a chain is found by its transaction, and states what it paid for", async () => {
		for (const rail of ["x402", "mpp"] as const) {
			const answered = await till.get("/projects", await till.pay(rail, "/projects"));
			expect(answered.status).toBe(200);
			const reference =
				rail === "x402"
					? decodePaymentResponseHeader(answered.headers.get("payment-response") ?? "").transaction
					: Receipt.deserialize(answered.headers.get("payment-receipt") ?? "").reference;
			await till.gateways.recorded();
			const { status, body } = await receipt(reference);
			expect(status).toBe(200);
			expect(body).toMatchObject({
				request_id: answered.headers.get("x-request-id"),
				operation: "listProjects",
				paid_by: rail,
				amount_usd: 0.01,
				queries: 0,
				state: "settled",
				reference,
			});
			// The request of another is no id of its payment.
			expect((await receipt(answered.headers.get("x-request-id") ?? "")).status).toBe(404);
		}
	});

	test("of prepaid credits is found by the request, only with their token", async () => {
		const credits = await till.credits(100);
		const other = await till.credits(100);
		const answered = await till.get("/projects", credits);
		const id = answered.headers.get("x-request-id") ?? "";
		expect((await receipt(id, credits)).body).toMatchObject({
			request_id: id,
			operation: "listProjects",
			paid_by: "card",
			amount_usd: 0.01,
			state: "settled",
			payer: null,
			reference: null,
		});
		for (const sent of [other, {}]) expect((await receipt(id, sent)).status).toBe(404);
		expect((await receipt("credits")).status).toBe(404);
		till.owner.next(() => Promise.reject(notFound("nothing here")));
		const failed = await till.get("/projects", credits);
		expect(failed.status).toBe(404);
		expect((await receipt(failed.headers.get("x-request-id") ?? "", credits)).body).toMatchObject({
			amount_usd: 0,
			state: "released",
		});
	});
});

describe("prepaid credits", () => {
	const post = (path: string, body: object, sent: Sent = {}) =>
		fetch(`${till.gateways.url}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...sent },
			body: JSON.stringify(body),
		});
	const buy = (sent: Sent = {}) => post("/credits", { amount_usd: 5 }, sent);

	test("a shared payment token buys credits, and each call takes its price from them", async () => {
		const { stripe } = till.gateways.payments;
		const answered = await buy({
			authorization: answerTo(challengeOf(await buy()), stripe.grant({ amountCents: 500 })),
		});
		expect([answered.status, answered.headers.get("cache-control")]).toEqual([200, "no-store"]);
		const { token } = operations.buyCredits.reply.parse(await answered.json());
		const credits = { authorization: `Bearer ${token}` };
		expect(stripe.chargedCents).toBe(500);
		expect((await till.get("/projects", credits)).status).toBe(200);
		await till.comesTo(bought("card"));
		expect((await till.get("/export/projects", credits)).status).toBe(200);
		expect(await till.balance(credits)).toBe(4.89);
		expect(stripe.chargedCents).toBe(500);
	});

	test("credits cannot be bought with credits, nor spent as a key", async () => {
		const credits = await till.credits(1_000);
		expect((await buy(credits)).status).toBe(402);
		const token = credits.authorization.slice("Bearer ".length);
		expect((await till.get("/projects", { "x-api-key": token })).status).toBe(403);
		expect((await till.get(`/projects?api_key=${token}`)).status).toBe(403);
		expect(await till.balance(credits)).toBe(10);
	});

	test("a checkout's credits can be spent after the webhook's report, and are added once, however often and in which order it arrives", async () => {
		const { checkouts } = till.gateways.payments.stripe;
		const opened = await post("/credits/checkout", { amount_usd: 20 });
		const { token } = operations.startCheckout.reply.parse(await opened.json());
		const credits = { authorization: `Bearer ${token}` };
		const session = checkouts.sessions.at(-1);
		if (session === undefined) throw new Error("no checkout was opened");
		checkouts.pay(session);
		const tell = (options: EventOptions) =>
			checkouts.send(`${till.gateways.url}/webhooks/stripe`, checkouts.event(session, options));
		expect((await till.get("/projects", credits)).status).toBe(402);
		expect((await tell({ id: "evt_2", type: "checkout.session.async_payment_succeeded" })).status).toBe(200);
		for (let time = 0; time < 3; time++) expect((await tell({ id: "evt_1" })).status).toBe(200);
		expect(await till.balance(credits)).toBe(20);
		expect((await till.get("/projects", credits)).status).toBe(200);
		await till.comesTo({ ...bought("card"), usage: { "402 unpaid": 1, "200 card 10000": 1 } });
	});

	test("a daily cap refuses a call before it runs, without other ways to pay, until the token's owner lifts it", async () => {
		const credits = await till.credits(1_000);
		const cap = async (daily_cap_usd: unknown, sent = credits) =>
			fetch(`${till.gateways.url}/credits`, {
				method: "PATCH",
				headers: { "content-type": "application/json", ...sent },
				body: JSON.stringify({ daily_cap_usd }),
			});
		const capped = await cap(0.02);
		expect(operations.changeCredits.reply.parse(await capped.json())).toMatchObject({
			balance_usd: 10,
			daily_cap_usd: 0.02,
			spent_today_usd: 0,
		});
		for (const status of [200, 200, 402]) expect((await till.get("/projects", credits)).status).toBe(status);
		const refused = await till.get("/projects", credits);
		expect([refused.headers.has("www-authenticate"), refused.headers.has("payment-required")]).toEqual([false, false]);
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await refused.json()).toMatchObject({ status: 402, code: "spend_cap_reached" });
		expect(await (await till.get("/credits", credits)).json()).toMatchObject({
			balance_usd: 9.98,
			daily_cap_usd: 0.02,
			spent_today_usd: 0.02,
		});
		expect(till.owner.runs).toBe(2);
		expect((await cap(null)).status).toBe(200);
		expect((await till.get("/projects", credits)).status).toBe(200);
		expect((await cap(0)).status).toBe(422);
		expect((await cap(1, { authorization: "Bearer cr_nonsense" } as typeof credits)).status).toBe(403);
	});
});
