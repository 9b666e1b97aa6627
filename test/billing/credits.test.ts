/** Prepaid credits: bought once however often that is reported, debited with the claim, never below nothing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { eventually } from "../support/eventually.ts";
import {
	type Ask,
	balanceOf,
	claimed,
	claimOf,
	debitOf,
	faultsIn,
	type Ledger,
	openLedger,
	openToken,
	waiting,
} from "./support/payments.ts";

let ledger: Ledger;
let ask: Ask;
beforeAll(async () => {
	ledger = await openLedger();
	ask = ledger.ask;
});
afterAll(() => ledger[Symbol.asyncDispose]());
beforeEach(() => ledger.sql`truncate payments, paid_answers, credits, credit_entries`);
afterEach(async () => expect(await faultsIn(ledger.sql)).toEqual([]));

const price = 10_000;
const pay = (nonce: string, facts = {}) => ask("claimPayment", claimOf(debitOf("token", { nonce, ...facts })));
const instance = (at: number): Ask => ledger.instances[at % 2 === 0 ? 0 : 1];

describe("a token", () => {
	test("is opened empty, once", async () => {
		const opened = await ask("openCredits", { sha256: digestOf("token"), hint: "cr_1" });
		ledger.pass(60);
		expect(await ask("openCredits", { sha256: digestOf("token"), hint: "cr_2" })).toEqual(opened);
		expect(await ask("readCredits", { sha256: digestOf("token") })).toEqual({
			credits: {
				...opened,
				hint: "cr_1",
				balance_micro_usd: 0,
				daily_cap_micro_usd: null,
				spent_today_micro_usd: 0,
			},
		});
	});

	test("that was never issued has no credits and buys nothing", async () => {
		expect(await ask("readCredits", { sha256: digestOf("token") })).toEqual({ credits: null });
		expect(await pay("a")).toEqual({ outcome: "insufficient", balance_micro_usd: 0 });
	});
});

describe("a purchase", () => {
	test("is added once, whatever the number and order of its reports, at two instances", async () => {
		const credits_id = await openToken(ask, "token", 0);
		const tellings = [1, 2, 3].flatMap((purchase) =>
			[null, `evt ${purchase}`, `evt ${purchase} again`].flatMap((event_id) =>
				Array.from({ length: 6 }, () => ({
					credits_id,
					amount_micro_usd: purchase * 5_000_000,
					payment_intent: `pi ${purchase}`,
					event_id,
				})),
			),
		);
		const answers = await Promise.all(
			tellings
				.map((telling, at) => ({ telling, at: (at * 31) % tellings.length }))
				.toSorted((a, b) => a.at - b.at)
				.map(({ telling, at }) => instance(at)("addCredits", telling)),
		);
		expect(answers.filter(({ added }) => added)).toHaveLength(3);
		expect(await balanceOf(ask, "token")).toBe(30_000_000);
		const replayed = { credits_id, amount_micro_usd: 5_000_000, payment_intent: "pi 1", event_id: "evt 1" };
		expect(await ask("addCredits", replayed)).toEqual({ balance_micro_usd: 30_000_000, added: false });
	});

	test("of one event cannot be added under another intent", async () => {
		const credits_id = await openToken(ask, "token", 0);
		const telling = { credits_id, amount_micro_usd: price, event_id: "evt" };
		expect(await ask("addCredits", { ...telling, payment_intent: "pi 1" })).toMatchObject({ added: true });
		expect(await ask("addCredits", { ...telling, payment_intent: "pi 2" })).toEqual({
			balance_micro_usd: price,
			added: false,
		});
	});

	test("for a token that does not exist is an error, and is added when it does", async () => {
		const telling = { amount_micro_usd: price, payment_intent: "pi", event_id: "evt" };
		await expect(ask("addCredits", { ...telling, credits_id: 999_999 })).rejects.toMatchObject({ status: 404 });
		const credits_id = await openToken(ask, "token", 0);
		expect(await ask("addCredits", { ...telling, credits_id })).toEqual({ balance_micro_usd: price, added: true });
	});

	test("without credits to debit is a card's payment like any other", async () => {
		const payment_id = await claimed(ask, { rail: "card", network: "stripe" });
		expect(await ask("finishPayment", { payment_id, state: "settled", reference: "pi", delivered: false })).toEqual({
			state: "claimed",
		});
		await ask("beginSettlement", { payment_id });
		await ask("finishPayment", { payment_id, state: "settled", reference: "pi", delivered: false });
		expect(await ask("returnPayment", { payment_id })).toEqual({ state: "settled" });
		expect(await ask("claimPayment", claimOf({ rail: "card" }))).toMatchObject({
			outcome: "deliver",
			reference: "pi",
		});
	});
});

describe("a debit", () => {
	test("is made 50 times of 200 at once when the balance is for 50, at two instances", async () => {
		await openToken(ask, "token", 50 * price);
		const claims = await Promise.all(
			Array.from({ length: 200 }, (_, at) =>
				instance(at)("claimPayment", claimOf(debitOf("token", { nonce: `nonce ${at}` }))),
			),
		);
		expect(claims.filter(({ outcome }) => outcome === "claimed")).toHaveLength(50);
		expect(claims.filter(({ outcome }) => outcome === "insufficient")).toHaveLength(150);
		expect(await balanceOf(ask, "token")).toBe(0);
		expect((await ledger.sql`select from payments`).count).toBe(50);
	});

	test("that fails because others were faster leaves nothing behind", async () => {
		await openToken(ask, "token", price);
		const [, other] = ledger.instances;
		const claims: ReturnType<typeof pay>[] = [];
		await ledger.sql.begin(async (tx) => {
			await tx`select from credits for update`;
			for (const at of [1, 2, 3, 4])
				claims.push(other("claimPayment", claimOf(debitOf("token", { nonce: `nonce ${at}` }))));
			await eventually(async () => (await waiting(ledger.sql)) === claims.length);
		});
		const outcomes = (await Promise.all(claims)).map(({ outcome }) => outcome).toSorted();
		expect(outcomes).toEqual(["claimed", "insufficient", "insufficient", "insufficient"]);
		expect((await ledger.sql`select from payments`).count).toBe(1);
	});

	test("is made once for one nonce among 100 at once", async () => {
		await openToken(ask, "token", 50 * price);
		const claims = await Promise.all(
			Array.from({ length: 100 }, (_, at) => instance(at)("claimPayment", claimOf(debitOf("token")))),
		);
		expect(claims.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
		expect(await balanceOf(ask, "token")).toBe(49 * price);
	});

	test("above the balance leaves nothing behind", async () => {
		await openToken(ask, "token", price - 1);
		expect(await pay("a")).toEqual({ outcome: "insufficient", balance_micro_usd: price - 1 });
		expect((await ledger.sql`select from payments`).count).toBe(0);
		expect(await pay("a", { amount_micro_usd: price - 1 })).toMatchObject({ outcome: "claimed" });
	});

	test("is not made by a request that only looks for a payment", async () => {
		await openToken(ask, "token", price);
		expect(await pay("a", { only_again: true })).toEqual({ outcome: "used", state: "released" });
		expect(await balanceOf(ask, "token")).toBe(price);
	});

	test("is settled without beginSettlement, and its response is available after the balance is spent", async () => {
		await openToken(ask, "token", price);
		const payment_id = await claimed(ask, debitOf("token", { identifier: "mine" }));
		const finished = { payment_id, state: "settled" as const, reference: null };
		expect(await ask("finishPayment", { ...finished, delivered: false })).toEqual({ state: "settled" });
		await ask("storePaidResponse", { payment_id, status: 200, content_type: "text/csv", body: "YQ==" });
		expect(await ask("finishPayment", { ...finished, delivered: true })).toEqual({ state: "settled" });
		expect(await pay("b", { identifier: "mine" })).toMatchObject({ outcome: "answered", body: "YQ==", reference: "" });
		expect(await pay("b")).toEqual({ outcome: "insufficient", balance_micro_usd: 0 });
	});

	test("is delivered for a minute by the request that settled it, then by the next", async () => {
		await openToken(ask, "token", price);
		const payment_id = await claimed(ask, debitOf("token"));
		await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered: false });
		expect(await pay("nonce")).toEqual({ outcome: "pending", state: "settled" });
		ledger.pass(60);
		expect(await pay("nonce")).toMatchObject({ outcome: "deliver" });
	});

	test("whose response was delivered is not repeated by identifier, because a client that then disconnects would not pay", async () => {
		await openToken(ask, "token", price);
		const payment_id = await claimed(ask, debitOf("token", { identifier: "mine" }));
		await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered: true });
		expect(await pay("b", { identifier: "mine" })).toEqual({ outcome: "used", state: "settled" });
	});
});

describe("the cap of a day", () => {
	const cap = (daily_cap_micro_usd: number | null) =>
		ask("capCredits", { sha256: digestOf("token"), daily_cap_micro_usd });
	const spent = async () => (await ask("readCredits", { sha256: digestOf("token") })).credits?.spent_today_micro_usd;
	const outcomesOf = (claims: { outcome: string }[]) =>
		["claimed", "capped", "insufficient"].map((each) => claims.filter(({ outcome }) => outcome === each).length);

	test("is exact, whatever the number of concurrent debits at two instances", async () => {
		await openToken(ask, "token", 100 * price);
		await cap(7 * price);
		const claims = await Promise.all(
			Array.from({ length: 40 }, (_, at) =>
				instance(at)("claimPayment", claimOf(debitOf("token", { nonce: `nonce ${at}` }))),
			),
		);
		expect(outcomesOf(claims)).toEqual([7, 33, 0]);
		expect(claims.find(({ outcome }) => outcome === "capped")).toEqual({
			outcome: "capped",
			daily_cap_micro_usd: 7 * price,
			spent_micro_usd: 7 * price,
		});
		expect([await balanceOf(ask, "token"), await spent()]).toEqual([93 * price, 7 * price]);
	});

	test("counts refunds back, and starts again on the next day (UTC)", async () => {
		await openToken(ask, "token", 100 * price);
		await cap(2 * price);
		const first = await claimed(ask, debitOf("token", { nonce: "a" }));
		expect(await pay("b")).toMatchObject({ outcome: "claimed" });
		expect(await pay("c")).toMatchObject({ outcome: "capped" });
		await ask("releasePayment", { payment_id: first });
		await ask("releasePayment", { payment_id: first });
		expect(await spent()).toBe(price);
		const second = await claimed(ask, debitOf("token", { nonce: "d" }));
		expect(await pay("e")).toMatchObject({ outcome: "capped" });
		ledger.pass(86_400);
		expect(await spent()).toBe(0);
		expect(await pay("f")).toMatchObject({ outcome: "claimed" });
		// Debits of yesterday give nothing back today.
		await ask("releasePayment", { payment_id: second });
		expect(await spent()).toBe(price);
		expect([(await pay("g")).outcome, (await pay("h")).outcome]).toEqual(["claimed", "capped"]);
	});

	test("may be set below the spent amount, raised and lifted, and an exhausted balance is reported before it", async () => {
		await openToken(ask, "token", 5 * price);
		for (const nonce of ["a", "b", "c"]) await claimed(ask, debitOf("token", { nonce }));
		await cap(price);
		expect(await pay("d")).toMatchObject({ outcome: "capped", daily_cap_micro_usd: price, spent_micro_usd: 3 * price });
		await cap(4 * price);
		expect([(await pay("e")).outcome, (await pay("f")).outcome]).toEqual(["claimed", "capped"]);
		await cap(null);
		expect([(await pay("g")).outcome, (await pay("h")).outcome]).toEqual(["claimed", "insufficient"]);
		await expect(ask("capCredits", { sha256: digestOf("none"), daily_cap_micro_usd: 1 })).rejects.toThrow(
			"no credits with this token",
		);
	});

	test("that was lowered is enforced for concurrent debits after a refund", async () => {
		await openToken(ask, "token", 100 * price);
		const given: number[] = [];
		for (const nonce of ["a", "b", "c", "d", "e"]) given.push(await claimed(ask, debitOf("token", { nonce })));
		await cap(3 * price);
		for (const payment_id of given.slice(0, 4)) await ask("releasePayment", { payment_id });
		expect(await spent()).toBe(price);
		const claims = await Promise.all(
			Array.from({ length: 30 }, (_, at) =>
				instance(at)("claimPayment", claimOf(debitOf("token", { nonce: `nonce ${at}` }))),
			),
		);
		expect(outcomesOf(claims)).toEqual([2, 28, 0]);
		expect(await spent()).toBe(3 * price);
	});

	test("keeps the spent amount if a debit of yesterday arrives after one of today", async () => {
		await openToken(ask, "token", 100 * price);
		await cap(2 * price);
		await claimed(ask, debitOf("token", { nonce: "today" }));
		ledger.pass(-86_400);
		await claimed(ask, debitOf("token", { nonce: "late" }));
		ledger.pass(86_400);
		expect(await spent()).toBe(2 * price);
		expect(await pay("more")).toMatchObject({ outcome: "capped" });
	});
});
