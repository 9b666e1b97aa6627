import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isSecret } from "#libs/contract/key.ts";
import { openCreditSales } from "../../services/gateway/payments/credits/index.ts";
import type { EventOptions, Session, SignedEvent } from "../support/payments/stripe-checkout.ts";
import { silent } from "../support/silent.ts";
import { type CreditSales, refusalIn, sellCredits, soldUsd } from "./support/credit-sales.ts";

let sales: CreditSales;
beforeAll(async () => {
	sales = await sellCredits();
});
beforeEach(() => sales.reset());
afterAll(() => sales?.[Symbol.asyncDispose]());

/** A checkout of 20 dollars that was paid, of which no event has come yet. */
async function paidCheckout(): Promise<{ token: string; session: Session }> {
	const { token } = await sales.checkout(20);
	const session = sales.stripe.checkouts.sessions.at(-1);
	if (session === undefined) throw new Error("no checkout was opened");
	sales.stripe.checkouts.pay(session);
	return { token, session };
}

const tell = (event: SignedEvent) => sales.stripe.checkouts.send(`${sales.url}/webhooks/stripe`, event);
const eventOf = (session: Session, options?: EventOptions) => sales.stripe.checkouts.event(session, options);

describe("a checkout", () => {
	test("returns a token without a balance, and a payment page that credits it", async () => {
		sales.stripe.checkouts.webhookUrl = `${sales.url}/webhooks/stripe`;
		const { token, checkout_url } = await sales.checkout(50);
		expect(isSecret(token, "cr_")).toBe(true);
		expect(await sales.balance(token)).toBe(0);
		expect(await (await fetch(checkout_url)).text()).toContain("Pay $50.00");
		expect(await sales.balance(token)).toBe(0);
		const paid = await fetch(checkout_url, { method: "POST" });
		expect(paid.url).toBe(`${sales.url}/credits/paid`);
		expect(await paid.text()).toContain("The credits are on your token");
		expect(await sales.balance(token)).toBe(50);
	});

	test("sends the processor neither the token nor anything spendable", async () => {
		const { token } = await sales.checkout();
		const known = JSON.stringify(sales.stripe.checkouts.sessions);
		expect(known).toContain("credits_sha256");
		expect(known).not.toContain(token);
		expect(sales.logged.join()).not.toContain(token);
	});

	test("returns to the configured address of the service", async () => {
		await using elsewhere = await sellCredits({ PUBLIC_URL: "https://data.example.com" });
		await elsewhere.checkout();
		expect(elsewhere.stripe.checkouts.sessions[0]).toMatchObject({
			success_url: "https://data.example.com/credits/paid",
			cancel_url: "https://data.example.com/credits/not-paid",
		});
	});

	test("is 503 while the processor does not respond, without details", async () => {
		await using cutOff = await sellCredits({ STRIPE_API_URL: "http://127.0.0.1:1" });
		const detail = await refusalIn(await cutOff.post("/credits/checkout", { amount_usd: 5 }), 503);
		expect(detail).toContain("nothing is charged");
		expect(detail).not.toContain("127.0.0.1");
	});
});

describe("the webhook", () => {
	test("an event delivered five times at once and again later credits once", async () => {
		const { token, session } = await paidCheckout();
		const event = eventOf(session);
		const answers = await Promise.all(Array.from({ length: 5 }, () => tell(event)));
		answers.push(await tell(event));
		expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
		expect(await sales.balance(token)).toBe(20);
	});

	test("two events of one payment credit once, in any order", async () => {
		const { token, session } = await paidCheckout();
		await tell(eventOf(session, { type: "checkout.session.async_payment_succeeded" }));
		await tell(eventOf(session));
		expect(await sales.balance(token)).toBe(20);
	});

	test("a completed but unpaid checkout credits nothing until it is paid", async () => {
		const { token, session } = await paidCheckout();
		expect((await tell(eventOf(session, { session: { payment_status: "unpaid" } }))).status).toBe(200);
		expect(await sales.balance(token)).toBe(0);
		await tell(eventOf(session, { type: "checkout.session.async_payment_succeeded" }));
		expect(await sales.balance(token)).toBe(20);
	});

	const forged: [string, (session: Session) => SignedEvent][] = [
		["signed by another secret", (session) => eventOf(session, { secret: "whsec_other" })],
		[
			"signed five minutes and a second ago",
			(session) => eventOf(session, { at: new Date(sales.billing.clock.now.getTime() - 301_000) }),
		],
		["without a signature", (session) => ({ ...eventOf(session), signature: "" })],
		["with a signature of nothing", (session) => ({ ...eventOf(session), signature: "t=0,v1=" })],
		[
			"whose body was changed after it was signed",
			(session) => {
				const event = eventOf(session);
				return { ...event, payload: event.payload.replace('"amount_total":2000', '"amount_total":9000') };
			},
		],
	];
	test.each(forged)("an event %s is refused and credits nothing", async (_how, forge) => {
		const { token, session } = await paidCheckout();
		await refusalIn(await tell(forge(session)), 400);
		expect(await sales.balance(token)).toBe(0);
		await tell(eventOf(session));
		expect(await sales.balance(token)).toBe(20);
	});

	test("an event signed just under five minutes ago is valid", async () => {
		const { token, session } = await paidCheckout();
		await tell(eventOf(session, { at: new Date(sales.billing.clock.now.getTime() - 299_000) }));
		expect(await sales.balance(token)).toBe(20);
	});

	test("the paid amount is credited, not the requested one, and the difference is logged", async () => {
		const { token, session } = await paidCheckout();
		await tell(eventOf(session, { session: { amount_total: 1_500 } }));
		expect(await sales.balance(token)).toBe(15);
		expect(sales.logged.join()).toContain("an amount other than the requested one");
	});

	const foreign: [string, EventOptions][] = [
		["in another currency", { session: { currency: "eur" } }],
		["of another product of the account", { session: { metadata: {} } }],
		["of a token that was not issued here", { session: { metadata: { credits_sha256: "0".repeat(64) } } }],
		["without a payment", { session: { payment_intent: null } }],
		["of something else", { type: "payment_intent.succeeded" }],
	];
	test.each(foreign)("an event %s is accepted, and credits nothing", async (_what, options) => {
		const { session } = await paidCheckout();
		expect((await tell(eventOf(session, options))).status).toBe(200);
		expect(await soldUsd(sales.billing)).toBe(0);
	});

	const refund = (session: Session, cents: number) =>
		eventOf(session, {
			type: "charge.refunded",
			object: { object: "charge", payment_intent: session.payment_intent, amount_refunded: cents },
		});
	const dispute = (session: Session, cents: number) =>
		eventOf(session, {
			type: "charge.dispute.created",
			object: { object: "dispute", payment_intent: session.payment_intent, amount: cents },
		});

	test.each([
		["a refund", [500], 0, 15],
		["two refunds, each event with the sum of both", [500, 800], 0, 12],
		["a refund and a dispute of the rest", [500], 1_500, 0],
		["a dispute", [], 2_000, 0],
	])(
		"%s voids credits once, however often and in which order it is reported",
		async (_what, refunds, disputed, left) => {
			const { token, session } = await paidCheckout();
			const events = [
				...refunds.map((cents) => refund(session, cents)),
				...(disputed ? [dispute(session, disputed)] : []),
			];
			const purchase = eventOf(session);
			for (const event of [purchase, ...events, ...events.toReversed()]) expect((await tell(event)).status).toBe(200);
			expect(await sales.balance(token)).toBe(left);
			const other = await paidCheckout();
			await Promise.all([...events.map((event) => tell({ ...event })), tell(eventOf(other.session))]);
			expect([await sales.balance(token), await sales.balance(other.token)]).toEqual([left, 20]);
		},
	);

	test("a refund that arrives before its purchase, or with it, voids the credits of that purchase", async () => {
		const [before, together] = [await paidCheckout(), await paidCheckout()];
		await tell(refund(before.session, 2_000));
		await tell(eventOf(before.session));
		await Promise.all([refund(together.session, 2_000), eventOf(together.session)].map(tell));
		expect([await sales.balance(before.token), await sales.balance(together.token)]).toEqual([0, 0]);
	});

	test("a dispute about partly spent credits voids the rest, and the shortfall is logged", async () => {
		const { token, session } = await paidCheckout();
		await tell(eventOf(session));
		await sales.billing.sql`update credits set balance_micro_usd = 3000000`;
		await tell(dispute(session, 2_000));
		expect(await sales.balance(token)).toBe(0);
		expect(sales.logged.map((line) => JSON.parse(line))).toContainEqual(
			expect.objectContaining({ voided_micro_usd: 3_000_000, spent_micro_usd: 17_000_000 }),
		);
	});

	test("while billing is down a refund is 503, and voids when delivered again", async () => {
		const { token, session } = await paidCheckout();
		await tell(eventOf(session));
		sales.away.add("reverseCredits");
		await refusalIn(await tell(refund(session, 2_000)), 503);
		sales.away.clear();
		await tell(refund(session, 2_000));
		expect(await sales.balance(token)).toBe(0);
	});

	test("any number of deliveries without a valid signature is logged once", async () => {
		const { session } = await paidCheckout();
		for (let sent = 0; sent < 5; sent++) await tell(eventOf(session, { secret: "whsec_other" }));
		expect(sales.logged.filter((line) => line.includes("without a valid signature")).length).toBeLessThanOrEqual(1);
	});

	test("while billing is down an event is 503, and credits when delivered again", async () => {
		const { token, session } = await paidCheckout();
		const event = eventOf(session);
		sales.away.add("addCredits");
		const refused = await tell(event);
		expect(refused.headers.get("retry-after")).toBe("10");
		await refusalIn(refused, 503);
		sales.away.clear();
		await tell(event);
		expect(await sales.balance(token)).toBe(20);
	});

	test("neither an event's body nor its signature is logged, whatever its outcome", async () => {
		const { session } = await paidCheckout();
		const events = [
			eventOf(session),
			eventOf(session, { secret: "whsec_other" }),
			eventOf(session, { session: { currency: "eur" } }),
		];
		for (const event of events) await tell(event);
		expect(sales.logged.length).toBeGreaterThan(1);
		for (const { signature } of events) expect(sales.logged.join()).not.toContain(signature.split("v1=")[1]);
		expect(sales.logged.join()).not.toContain(session.success_url);
		expect(sales.logged.join()).not.toContain(session.metadata.credits_sha256);
	});

	test("a body too long for an event is refused unread", async () => {
		const event = { id: "evt_1", payload: "x".repeat(300_000), signature: "t=1,v1=0" };
		await refusalIn(await tell(event), 413);
	});
});

describe("the balance", () => {
	const wrong: [string, Record<string, string>][] = [
		["no token", {}],
		["a key", { authorization: "Bearer pk_0123456789" }],
		["a token with a typing error", { authorization: `Bearer cr_${"0".repeat(38)}` }],
	];
	test.each(wrong)("is not shown for %s", async (_what, headers) => {
		await refusalIn(await fetch(`${sales.url}/credits`, { headers }), 403);
	});

	test("is shown for either header, but not for both at once", async () => {
		const { token } = await sales.checkout();
		const get = (headers: Record<string, string>) => fetch(`${sales.url}/credits`, { headers });
		const answered = await get({ "x-credit-token": token });
		expect(answered.headers.get("cache-control")).toBe("no-store");
		expect(await answered.json()).toEqual({
			balance_usd: 0,
			daily_cap_usd: null,
			spent_today_usd: 0,
			hint: `${token.slice(0, 7)}…${token.slice(-4)}`,
			created_at: "2026-11-21T12:00:00Z",
		});
		await refusalIn(await get({ "x-credit-token": token, authorization: `Bearer ${token}` }), 400);
	});
});

test("without card payments nothing is sold, and existing balances are still shown", async () => {
	const { token } = await sales.checkout();
	const { rail, handlers } = openCreditSales({
		config: {
			STRIPE_SECRET_KEY: undefined,
			STRIPE_WEBHOOK_SECRET: undefined,
			STRIPE_NETWORK_ID: undefined,
			STRIPE_API_URL: undefined,
			MPP_SECRET_KEY: undefined,
			MPP_REALM: undefined,
			PUBLIC_URL: undefined,
		},
		requestBilling: sales.ask,
		log: silent,
	});
	const context = {
		signal: AbortSignal.timeout(10_000),
		http: { headers: { "x-credit-token": token }, address: "::1" },
	};
	expect(rail).toBeUndefined();
	await expect(handlers.buyCredits({ amount_usd: 5 }, context)).rejects.toMatchObject({ status: 403 });
	await expect(handlers.startCheckout({ amount_usd: 5 }, context)).rejects.toMatchObject({ status: 403 });
	expect(JSON.parse(String((await handlers.getCredits({}, context)).json)).balance_usd).toBe(0);
});
