/** A charged payment still buys its answer if that was lost: by the same credential or by its payer's name for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { type Ask, claimed, claimOf, type Ledger, openLedger, settled } from "./support/payments.ts";

let ledger: Ledger;
let ask: Ask;
beforeAll(async () => {
	ledger = await openLedger();
	ask = ledger.ask;
});
afterAll(() => ledger[Symbol.asyncDispose]());
beforeEach(() => ledger.sql`truncate payments, paid_answers, credits, credit_entries`);

const finish = (payment_id: number, state: "settled" | "failed" | "unknown", delivered = false, reference = "tx") =>
	ask("finishPayment", { payment_id, state, reference, delivered });
const claim = async (facts: Parameters<typeof claimOf>[0] = {}) => ask("claimPayment", claimOf(facts));
const keep = (payment_id: number, body = "the answer") =>
	ask("storePaidResponse", {
		payment_id,
		status: 200,
		content_type: "application/json",
		body: Buffer.from(body).toString("base64"),
	});

describe("a settled payment", () => {
	test("whose response was delivered is used", async () => {
		await settled(ask, await claimed(ask, {}), true);
		expect(await claim()).toEqual({ outcome: "used", state: "settled" });
	});

	test("whose response was never delivered buys the same request with the same credential", async () => {
		const payment_id = await claimed(ask, {});
		await settled(ask, payment_id, false);
		expect(await claim({ resource: digestOf("another") })).toEqual({ outcome: "used", state: "settled" });
		expect(await claim({ credential_sha256: digestOf("another") })).toEqual({ outcome: "used", state: "settled" });
		expect(await claim()).toEqual({ outcome: "deliver", payment_id, reference: `tx ${payment_id}` });
	});

	test("is delivered by one of 50 concurrent requests", async () => {
		await settled(ask, await claimed(ask, {}), false);
		const claims = await Promise.all(
			Array.from({ length: 50 }, (_, at) => ledger.instances[at % 2 === 0 ? 0 : 1]("claimPayment", claimOf({}))),
		);
		expect(claims.filter(({ outcome }) => outcome === "deliver")).toHaveLength(1);
		expect(claims.filter(({ outcome }) => outcome === "pending")).toHaveLength(49);
	});

	test("is delivered again a minute later, three times in all", async () => {
		await settled(ask, await claimed(ask, {}), false);
		for (let delivery = 1; delivery <= 3; delivery++) {
			expect(await claim()).toMatchObject({ outcome: "deliver" });
			ledger.pass(59);
			expect(await claim()).toEqual({ outcome: "pending", state: "settled" });
			ledger.pass(1);
		}
		expect(await claim()).toEqual({ outcome: "used", state: "settled" });
	});

	test("is used as soon as it was delivered", async () => {
		const payment_id = await claimed(ask, {});
		await settled(ask, payment_id, false);
		await claim();
		await finish(payment_id, "settled", true);
		expect(await claim()).toEqual({ outcome: "used", state: "settled" });
	});

	test("whose deliveries failed before the first byte is unchanged, however often", async () => {
		const payment_id = await claimed(ask, {});
		await settled(ask, payment_id, false);
		for (let failure = 0; failure < 5; failure++) {
			expect(await claim()).toMatchObject({ outcome: "deliver" });
			expect(await ask("returnPayment", { payment_id, unsent: true })).toEqual({ state: "settled" });
		}
		for (let delivery = 1; delivery <= 3; delivery++) {
			expect(await claim()).toMatchObject({ outcome: "deliver" });
			await ask("returnPayment", { payment_id });
		}
		expect(await claim()).toEqual({ outcome: "used", state: "settled" });
	});

	test("keeps its number of deliveries if it was never delivered", async () => {
		const payment_id = await claimed(ask, {});
		await settled(ask, payment_id, true);
		await ask("returnPayment", { payment_id, unsent: true });
		expect([...(await ledger.sql`select deliveries from payments`)]).toEqual([{ deliveries: 0 }]);
	});

	test("can fetch its response for a week, and purchased credits without a limit", async () => {
		for (const operation of ["listProjects", "buyCredits"]) {
			const facts = { nonce: operation, operation };
			await settled(ask, await claimed(ask, facts), false);
			ledger.pass(7 * 24 * 3_600 - 1);
			expect(await claim(facts)).toMatchObject({ outcome: "deliver" });
			ledger.pass(3_600);
			expect((await claim(facts)).outcome).toBe(operation === "buyCredits" ? "deliver" : "used");
		}
	});

	test("whose response was interrupted can be used at once", async () => {
		const payment_id = await claimed(ask, {});
		await settled(ask, payment_id, true);
		expect(await ask("returnPayment", { payment_id })).toEqual({ state: "settled" });
		expect(await claim()).toMatchObject({ outcome: "deliver" });
		await ask("returnPayment", { payment_id });
		expect(await claim()).toMatchObject({ outcome: "deliver" });
	});
});

describe("a payment whose outcome was not known in time", () => {
	const another = { nonce: "another", credential_sha256: digestOf("another") };
	/** Found out late. */
	async function lateSettled(): Promise<number> {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		await finish(payment_id, "unknown");
		await ask("claimUnsettled", { limit: 10, lease_seconds: 30 });
		await finish(payment_id, "settled");
		return payment_id;
	}

	test("prevents a second charge of its payer for the same request, but not of other payers", async () => {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		expect(await claim({ ...another, nonce: "at once" })).toMatchObject({ outcome: "claimed" });
		ledger.pass(30);
		expect(await claim(another)).toEqual({ outcome: "pending", state: "settling" });
		await finish(payment_id, "unknown");
		expect(await claim(another)).toEqual({ outcome: "pending", state: "unknown" });
		expect(await claim({ ...another, payer: "0xother" })).toMatchObject({ outcome: "claimed" });
		expect(await claim({ ...another, nonce: "elsewhere", resource: digestOf("other") })).toMatchObject({
			outcome: "claimed",
		});
		await finish(payment_id, "failed");
		expect(await claim({ ...another, nonce: "third" })).toMatchObject({ outcome: "claimed" });
	});

	test("is delivered instead of the new payment once it was charged, one time", async () => {
		const payment_id = await lateSettled();
		expect(await claim({ ...another, only_again: true })).toEqual({ outcome: "used", state: "released" });
		expect(await claim(another)).toEqual({ outcome: "deliver", payment_id, reference: "tx" });
		expect(await claim(another)).toEqual({ outcome: "pending", state: "settled" });
		await finish(payment_id, "settled", true);
		expect(await claim(another)).toMatchObject({ outcome: "claimed" });
	});

	test("is charged again when its response has expired", async () => {
		await lateSettled();
		ledger.pass(7 * 24 * 3_600);
		expect(await claim(another)).toMatchObject({ outcome: "claimed" });
	});
});

describe("a request that only looks for a payment", () => {
	const look = (facts: Parameters<typeof claimOf>[0] = {}) => claim({ ...facts, only_again: true });

	test("never claims a payment", async () => {
		expect(await look()).toEqual({ outcome: "used", state: "released" });
		await claimed(ask, {});
	});

	test("finds a charge only by its own credential", async () => {
		const payment_id = await claimed(ask, { identifier: "mine" });
		await settled(ask, payment_id, false);
		const other = { credential_sha256: digestOf("made up"), identifier: "mine" };
		expect(await look(other)).toEqual({ outcome: "used", state: "settled" });
		await keep(payment_id);
		expect(await look(other)).toEqual({ outcome: "used", state: "settled" });
		expect(await look({ ...other, nonce: "made up" })).toEqual({ outcome: "used", state: "released" });
		expect(await look({ identifier: "mine" })).toMatchObject({ outcome: "answered", payment_id });
		expect(await look()).toMatchObject({ outcome: "deliver", payment_id });
	});
});

describe("an identifier", () => {
	const named = (nonce: string, facts: Parameters<typeof claimOf>[0] = {}) =>
		claimOf({ identifier: "purchase-1", nonce, credential_sha256: digestOf(nonce), ...facts });

	test("used for another request is a conflict, with the same nonce or a new one", async () => {
		await ask("claimPayment", named("a"));
		const resource = digestOf("another");
		expect(await ask("claimPayment", named("a", { resource }))).toEqual({ outcome: "conflict" });
		expect(await ask("claimPayment", named("b", { resource }))).toEqual({ outcome: "conflict" });
	});

	test("belongs to one of many concurrent requests with different nonces", async () => {
		const claims = await Promise.all(
			Array.from({ length: 60 }, (_, at) =>
				ledger.instances[at % 2 === 0 ? 0 : 1]("claimPayment", named(`nonce ${at}`)),
			),
		);
		expect(claims.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
		expect(claims.filter(({ outcome }) => outcome === "pending")).toHaveLength(59);
		expect((await ledger.sql`select from payments`).count).toBe(1);
	});

	test("returns the cached response for a new nonce, which remains unused", async () => {
		const payment_id = await claimed(ask, named("a"));
		await settled(ask, payment_id, true);
		const text = `{"data":"${"ü".repeat(4_000)}"}`;
		await keep(payment_id, text);
		const again = await ask("claimPayment", named("b"));
		expect(again).toEqual({
			outcome: "answered",
			payment_id,
			reference: `tx ${payment_id}`,
			status: 200,
			content_type: "application/json",
			body: Buffer.from(text).toString("base64"),
		});
		await claimed(ask, named("b", { identifier: null }));
	});

	test("returns it even before its delivery is recorded, as often as requested", async () => {
		const payment_id = await claimed(ask, named("a"));
		await settled(ask, payment_id, false);
		await keep(payment_id);
		for (let time = 0; time < 5; time++)
			expect(await ask("claimPayment", named("a"))).toMatchObject({ outcome: "answered" });
	});

	test("returns no response before the outcome of its charge is known", async () => {
		const payment_id = await claimed(ask, named("a"));
		await expect(keep(payment_id)).rejects.toMatchObject({ status: 409 });
		await ask("beginSettlement", { payment_id });
		await keep(payment_id);
		expect(await ask("claimPayment", named("b"))).toEqual({ outcome: "pending", state: "settling" });
		await finish(payment_id, "failed");
		expect(await ask("claimPayment", named("b"))).toMatchObject({ outcome: "claimed" });
	});

	test("allows a response that was too long to cache to be produced again three times within a day", async () => {
		const payment_id = await claimed(ask, named("a"));
		await settled(ask, payment_id, true);
		expect(await ask("claimPayment", named("b"))).toMatchObject({ outcome: "deliver", payment_id });
		await finish(payment_id, "settled", true);
		ledger.pass(24 * 3_600);
		expect(await ask("claimPayment", named("c"))).toEqual({ outcome: "used", state: "settled" });
		expect(await ask("claimPayment", named("a"))).toEqual({ outcome: "used", state: "settled" });
	});

	test("returns the response for a day", async () => {
		const payment_id = await claimed(ask, named("a"));
		await settled(ask, payment_id, true);
		await keep(payment_id, "first");
		await keep(payment_id, "second");
		ledger.pass(24 * 3_600 - 1);
		const body = Buffer.from("first").toString("base64");
		expect(await ask("claimPayment", named("b"))).toMatchObject({ outcome: "answered", body });
		ledger.pass(1);
		expect(await ask("claimPayment", named("b"))).toEqual({ outcome: "used", state: "settled" });
	});

	test("belongs to its payer only", async () => {
		await claimed(ask, named("a"));
		await claimed(ask, named("b", { payer: "0xother" }));
		await claimed(ask, named("c", { payer: null }));
		await claimed(ask, named("d", { payer: null }));
	});

	test("of a failed or released payment can be reused", async () => {
		const failing = await claimed(ask, named("a"));
		await ask("beginSettlement", { payment_id: failing });
		await finish(failing, "failed");
		const released = await claimed(ask, named("b"));
		await ask("releasePayment", { payment_id: released });
		await claimed(ask, named("c"));
		expect(await ask("claimPayment", named("b"))).toEqual({ outcome: "pending", state: "claimed" });
		expect(await ask("claimPayment", named("a", { identifier: null }))).toEqual({ outcome: "used", state: "failed" });
	});
});
