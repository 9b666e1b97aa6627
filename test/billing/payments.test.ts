/** The ledger of payments: who may use one, and what becomes of one that was not finished. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ask, claimed, claimOf, type Ledger, openLedger } from "./support/payments.ts";

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
const take = (limit = 10) => ask("claimUnsettled", { limit, lease_seconds: 60 });
const keep = (payment_id: number, body = "the answer") =>
	ask("storePaidResponse", {
		payment_id,
		status: 200,
		content_type: "application/json",
		body: Buffer.from(body).toString("base64"),
	});

describe("a nonce", () => {
	test("belongs to one of 200 concurrent requests at two instances", async () => {
		const claims = await Promise.all(
			Array.from({ length: 200 }, (_, at) =>
				ledger.instances[at % 2 === 0 ? 0 : 1]("claimPayment", claimOf({ request_id: `request ${at}` })),
			),
		);
		const outcomes = claims.map(({ outcome }) => outcome).toSorted();
		expect(outcomes).toEqual(["claimed", ...Array.from({ length: 199 }, () => "pending")]);
	});

	test("of one rail differs from the same nonce of another", async () => {
		await claimed(ask, { rail: "x402" });
		await claimed(ask, { rail: "mpp" });
	});

	test("is in use while it is claimed, settling or unknown", async () => {
		const payment_id = await claimed(ask, {});
		expect(await claim()).toEqual({ outcome: "pending", state: "claimed" });
		await ask("beginSettlement", { payment_id });
		expect(await claim()).toEqual({ outcome: "pending", state: "settling" });
		await finish(payment_id, "unknown");
		expect(await claim()).toEqual({ outcome: "pending", state: "unknown" });
	});

	test("whose charge failed remains used", async () => {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		await finish(payment_id, "failed");
		expect(await claim()).toEqual({ outcome: "used", state: "failed" });
	});

	test("that was released can be claimed by another request, with its own values", async () => {
		const first = await claimed(ask, {});
		expect(await ask("releasePayment", { payment_id: first })).toEqual({ state: "released" });
		const claims = await Promise.all(
			Array.from({ length: 40 }, (_, at) =>
				ledger.instances[at % 2 === 0 ? 0 : 1]("claimPayment", claimOf({ amount_micro_usd: 50_000, stored: "new" })),
			),
		);
		const [again] = claims.filter(({ outcome }) => outcome === "claimed");
		if (again?.outcome !== "claimed") throw new Error("it was not claimed");
		expect(claims.filter(({ outcome }) => outcome === "pending")).toHaveLength(39);
		await ask("beginSettlement", { payment_id: again.payment_id });
		ledger.pass(31);
		const { payments } = await take();
		expect(payments).toMatchObject([{ payment_id: again.payment_id, amount_micro_usd: 50_000, stored: "new" }]);
	});

	test("that was claimed by another request cannot be charged or released by the earlier one", async () => {
		const before = await claimed(ask, {});
		await ask("releasePayment", { payment_id: before });
		await claimed(ask, {});
		await expect(ask("beginSettlement", { payment_id: before })).rejects.toMatchObject({ status: 409 });
		expect(await ask("releasePayment", { payment_id: before })).toEqual({ state: "released" });
		expect(await claim()).toEqual({ outcome: "pending", state: "claimed" });
	});

	test("is claimed again by the same request without a reply, and by no other with its credential", async () => {
		const purchase = claimOf({ identifier: "purchase" });
		const payment_id = await claimed(ask, purchase);
		expect(await claimed(ask, purchase)).toBe(payment_id);
		for (const other of [{ request_id: "another" }, { credential_sha256: "0".repeat(64) }])
			expect(await ask("claimPayment", { ...purchase, ...other })).toEqual({ outcome: "pending", state: "claimed" });
		await ask("beginSettlement", { payment_id });
		expect(await ask("claimPayment", purchase)).toEqual({ outcome: "pending", state: "settling" });
	});

	test("with a NUL in it is refused", async () => {
		await expect(claim({ nonce: "a\u0000b" })).rejects.toMatchObject({ status: 400 });
	});
});

describe("the outcome of a payment", () => {
	test("is begun by one of many concurrent requests", async () => {
		const payment_id = await claimed(ask, {});
		const begun = await Promise.allSettled(
			Array.from({ length: 20 }, (_, at) => ledger.instances[at % 2 === 0 ? 0 : 1]("beginSettlement", { payment_id })),
		);
		expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
	});

	test("is begun again by the same request, and by no other", async () => {
		const payment_id = await claimed(ask, { request_id: "mine" });
		for (let time = 0; time < 2; time++) await ask("beginSettlement", { payment_id, request_id: "mine" });
		for (const request_id of ["another", undefined])
			await expect(ask("beginSettlement", { payment_id, request_id })).rejects.toMatchObject({ status: 409 });
		await finish(payment_id, "unknown");
		await expect(ask("beginSettlement", { payment_id, request_id: "mine" })).rejects.toMatchObject({ status: 409 });
	});

	test("is recorded once: a settled or failed payment does not change", async () => {
		for (const [first, other] of [
			["settled", "failed"],
			["failed", "settled"],
		] as const) {
			const payment_id = await claimed(ask, { nonce: first });
			await ask("beginSettlement", { payment_id });
			expect(await finish(payment_id, "unknown")).toEqual({ state: "unknown" });
			expect(await finish(payment_id, first)).toEqual({ state: first });
			expect(await finish(payment_id, first)).toEqual({ state: first });
			expect(await finish(payment_id, other, true)).toEqual({ state: first });
			expect(await finish(payment_id, "unknown")).toEqual({ state: first });
			expect(await ask("releasePayment", { payment_id })).toEqual({ state: first });
			await expect(ask("beginSettlement", { payment_id })).rejects.toMatchObject({ status: 409 });
		}
	});

	test("keeps its first reference, and no credential once the outcome is known", async () => {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		const row = async () => (await ledger.sql`select reference, stored from payments`)[0];
		await finish(payment_id, "unknown", false, "seen");
		expect(await row()).toEqual({ reference: "seen", stored: '{"credential":true}' });
		await finish(payment_id, "settled", false, "mined");
		await finish(payment_id, "settled", true, "another");
		expect(await row()).toEqual({ reference: "mined", stored: null });
	});

	test("cannot be recorded for a charge that was not begun, or for an unknown payment", async () => {
		const payment_id = await claimed(ask, {});
		expect(await finish(payment_id, "settled", true)).toEqual({ state: "claimed" });
		for (const name of ["releasePayment", "returnPayment"] as const)
			await expect(ask(name, { payment_id: payment_id + 1 })).rejects.toMatchObject({ status: 404 });
		await expect(finish(payment_id + 1, "settled")).rejects.toMatchObject({ status: 404 });
		await expect(keep(payment_id + 1)).rejects.toMatchObject({ status: 404 });
	});

	test("is not changed by returning or releasing a payment that is being charged", async () => {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		expect(await ask("returnPayment", { payment_id })).toEqual({ state: "settling" });
		expect(await ask("releasePayment", { payment_id })).toEqual({ state: "settling" });
		await finish(payment_id, "unknown");
		expect(await ask("releasePayment", { payment_id })).toEqual({ state: "unknown" });
	});
});

describe("an unfinished payment", () => {
	test("is released after five minutes when its charge was not begun", async () => {
		const payment_id = await claimed(ask, {});
		ledger.pass(299);
		expect(await take()).toEqual({ payments: [] });
		expect(await claim()).toEqual({ outcome: "pending", state: "claimed" });
		ledger.pass(1);
		expect(await take()).toEqual({ payments: [] });
		await expect(ask("beginSettlement", { payment_id })).rejects.toMatchObject({ status: 409 });
		await claimed(ask, {});
	});

	test("is leased when its charge was begun half a minute ago, or at once when its outcome is unknown", async () => {
		const settling = await claimed(ask, { nonce: "settling" });
		const unknown = await claimed(ask, { nonce: "unknown", rail: "mpp", network: "tempo", amount_micro_usd: 50_000 });
		await ask("beginSettlement", { payment_id: settling });
		await ask("beginSettlement", { payment_id: unknown });
		await finish(unknown, "unknown");
		ledger.pass(29);
		expect(await take()).toEqual({
			payments: [
				{
					payment_id: unknown,
					rail: "mpp",
					network: "tempo",
					nonce: "unknown",
					amount_micro_usd: 50_000,
					stored: '{"credential":true}',
					age_seconds: 29,
				},
			],
		});
		ledger.pass(1);
		expect(await take()).toMatchObject({ payments: [{ payment_id: settling, age_seconds: 30 }] });
	});

	test("is leased to one at a time, with increasing pauses, at least once an hour", async () => {
		const payment_id = await claimed(ask, {});
		await ask("beginSettlement", { payment_id });
		await finish(payment_id, "unknown");
		for (const pause of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]) {
			expect((await take()).payments).toHaveLength(1);
			await finish(payment_id, "unknown");
			ledger.pass(pause - 1);
			expect((await take()).payments).toHaveLength(0);
			ledger.pass(1);
		}
		await finish(payment_id, "settled");
		expect(await take()).toEqual({ payments: [] });
		expect(await claim()).toMatchObject({ outcome: "deliver" });
	});

	test("is leased without waiting for payments leased by another process", async () => {
		for (const nonce of ["held", "free"]) {
			const payment_id = await claimed(ask, { nonce });
			await ask("beginSettlement", { payment_id });
		}
		await claimed(ask, { nonce: "held and abandoned" });
		ledger.pass(300);
		await ledger.sql.begin(async (tx) => {
			await tx`select from payments where nonce like 'held%' for update`;
			expect(await take()).toMatchObject({ payments: [{ nonce: "free" }] });
		});
		expect(await take()).toMatchObject({ payments: [{ nonce: "held" }] });
	});

	test("is divided among concurrent requests", async () => {
		for (let at = 0; at < 40; at++) {
			const payment_id = await claimed(ask, { nonce: `nonce ${at}` });
			await ask("beginSettlement", { payment_id });
		}
		ledger.pass(30);
		const taken = await Promise.all(
			Array.from({ length: 8 }, (_, at) =>
				ledger.instances[at % 2 === 0 ? 0 : 1]("claimUnsettled", { limit: 5, lease_seconds: 60 }),
			),
		);
		const ids = taken.flatMap(({ payments }) => payments.map(({ payment_id }) => payment_id));
		for (let rest = 1; rest > 0; ) {
			const { payments } = await take();
			ids.push(...payments.map(({ payment_id }) => payment_id));
			rest = payments.length;
		}
		expect(ids).toHaveLength(40);
		expect(new Set(ids).size).toBe(40);
	});
});
