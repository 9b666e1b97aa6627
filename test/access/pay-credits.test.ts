/** Prepaid credits through the whole gateway: bought by card in both ways, spent call by call, and not to be had for nothing. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import type { EventOptions, Session } from "../support/payments/stripe-checkout.ts";
import { bought } from "./support/account.ts";
import { answerTo, challengeOf, soldUsd } from "./support/credit-sales.ts";
import { openTill, type Sent, type Till } from "./support/pay.ts";

let till: Till;
beforeAll(async () => {
	till = await openTill();
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

const post = (path: string, body: object, sent: Sent = {}) =>
	fetch(`${till.gateways.url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...sent },
		body: JSON.stringify(body),
	});
const buy = (sent: Sent = {}, amountUsd = 5) => post("/credits", { amount_usd: amountUsd }, sent);

/** A credential for a challenge of this amount. */
async function cardPayment(amountUsd = 5, token?: string): Promise<Sent> {
	const challenge = challengeOf(await buy({}, amountUsd));
	return {
		authorization: answerTo(challenge, token ?? till.gateways.payments.stripe.grant({ amountCents: amountUsd * 100 })),
	};
}

async function tokenOf(answered: Response): Promise<Sent> {
	const { token } = operations.buyCredits.reply.parse(await answered.json());
	return { authorization: `Bearer ${token}` };
}

test("a shared payment token buys credits, and each call takes its price from them", async () => {
	const answered = await buy(await cardPayment());
	expect([answered.status, answered.headers.get("cache-control")]).toEqual([200, "no-store"]);
	const credits = await tokenOf(answered);
	expect(till.gateways.payments.stripe.chargedCents).toBe(500);
	expect((await till.get("/projects", credits)).status).toBe(200);
	await till.comesTo(bought("card"));
	expect((await till.get("/export/projects", credits)).status).toBe(200);
	expect(await till.balance(credits)).toBe(4.89);
	expect(till.gateways.payments.stripe.chargedCents).toBe(500);
});

test("a card payment that is sent again, one after another or ten at once, buys once", async () => {
	const { stripe } = till.gateways.payments;
	const sent = await cardPayment();
	const first = await tokenOf(await buy(sent));
	expect(await tokenOf(await buy(sent))).toEqual(first);
	expect((await buy(sent, 20)).status).toBe(402);
	const parallel = await cardPayment();
	const answers = await Promise.all(Array.from({ length: 10 }, () => buy(parallel)));
	for (const { status } of answers) expect([200, 402, 409, 503]).toContain(status);
	expect(answers.some(({ status }) => status === 200)).toBe(true);
	expect([stripe.chargedCents, await soldUsd(till.gateways)]).toEqual([1_000, 10]);
});

test("a shared payment token that was spent buys nothing with another challenge", async () => {
	const { stripe } = till.gateways.payments;
	const spt = stripe.grant({ amountCents: 500 });
	expect((await buy(await cardPayment(5, spt))).status).toBe(200);
	expect((await buy(await cardPayment(5, spt))).status).toBe(402);
	expect([stripe.chargedCents, await soldUsd(till.gateways)]).toEqual([500, 5]);
});

test.each(["requires_action", "decline"] as const)(
	"a card that answers %s is not charged and buys nothing",
	async (lever) => {
		const { stripe } = till.gateways.payments;
		stripe.next(lever);
		const sent = await cardPayment();
		const answered = await buy(sent);
		expect([answered.status, answered.headers.get("www-authenticate")?.startsWith("Payment ")]).toEqual([402, true]);
		expect((await buy(sent)).status).toBe(402);
		expect([stripe.chargedCents, await soldUsd(till.gateways)]).toEqual([0, 0]);
	},
);

test("credits cannot be bought with credits, nor spent as a key", async () => {
	const credits = await till.credits(1_000);
	expect((await buy(credits)).status).toBe(402);
	const token = credits.authorization.slice("Bearer ".length);
	expect((await till.get("/projects", { "x-api-key": token })).status).toBe(403);
	expect((await till.get(`/projects?api_key=${token}`)).status).toBe(403);
	expect(await till.balance(credits)).toBe(10);
});

async function paidCheckout(): Promise<{ credits: Sent; session: Session }> {
	const { token } = operations.startCheckout.reply.parse(
		await (await post("/credits/checkout", { amount_usd: 20 })).json(),
	);
	const { checkouts } = till.gateways.payments.stripe;
	const session = checkouts.sessions.at(-1);
	if (session === undefined) throw new Error("no checkout was opened");
	checkouts.pay(session);
	return { credits: { authorization: `Bearer ${token}` }, session };
}
function tell(session: Session, options?: EventOptions): Promise<Response> {
	const { checkouts } = till.gateways.payments.stripe;
	return checkouts.send(`${till.gateways.url}/webhooks/stripe`, checkouts.event(session, options));
}

test("a checkout's credits are spent when the webhook has reported it, and however often and in which order it does, once", async () => {
	const { credits, session } = await paidCheckout();
	expect((await till.get("/projects", credits)).status).toBe(402);
	expect((await tell(session, { id: "evt_2", type: "checkout.session.async_payment_succeeded" })).status).toBe(200);
	for (let time = 0; time < 3; time++) expect((await tell(session, { id: "evt_1" })).status).toBe(200);
	expect(await till.balance(credits)).toBe(20);
	expect((await till.get("/projects", credits)).status).toBe(200);
	await till.comesTo({ ...bought("card"), usage: { "402 unpaid": 1, "200 card 10000": 1 } });
});

test("a webhook that is forged, changed or old fills no token", async () => {
	const { credits, session } = await paidCheckout();
	const old = new Date(till.now().getTime() - 301_000);
	for (const options of [{ secret: "whsec_other" }, { at: old }])
		expect((await tell(session, options)).status).toBe(400);
	const { checkouts } = till.gateways.payments.stripe;
	const event = checkouts.event(session);
	const more = { ...event, payload: event.payload.replace('"amount_total":2000', '"amount_total":9000') };
	expect(more.payload).not.toBe(event.payload);
	expect((await checkouts.send(`${till.gateways.url}/webhooks/stripe`, more)).status).toBe(400);
	expect(await till.balance(credits)).toBe(0);
});

test("a checkout of which another amount was paid fills the token with what was paid", async () => {
	const { credits, session } = await paidCheckout();
	expect((await tell(session, { session: { amount_total: 100 } })).status).toBe(200);
	expect(await till.balance(credits)).toBe(1);
});

test("a cap of a day stops a call before it is made, offers no other way to pay, and is lifted by the token's owner", async () => {
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
