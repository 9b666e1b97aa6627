/** Credits that are put back: once, whichever process gives back and how often. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import {
	type Ask,
	balanceOf,
	claimed,
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
const instance = (at: number): Ask => ledger.instances[at % 2 === 0 ? 0 : 1];

describe("a refund", () => {
	const refunding: [string, (payment_id: number) => Promise<unknown>][] = [
		["was released", (payment_id) => ask("releasePayment", { payment_id })],
		[
			"failed",
			(payment_id) => ask("finishPayment", { payment_id, state: "failed", reference: null, delivered: false }),
		],
		[
			"was settled and given back before its answer went out",
			async (payment_id) => {
				await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered: false });
				await ask("releasePayment", { payment_id });
			},
		],
		[
			"was returned",
			async (payment_id) => {
				await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered: true });
				expect(await ask("releasePayment", { payment_id })).toEqual({ state: "settled" });
				await ask("returnPayment", { payment_id });
			},
		],
		[
			"was abandoned",
			async () => {
				ledger.pass(300);
				await ask("takeUnsettled", { limit: 10, lease_seconds: 60 });
			},
		],
	];
	test("is made an hour after the charge unless a process has recorded the delivery", async () => {
		const abandoned = () => ask("takeUnsettled", { limit: 10, lease_seconds: 60 });
		await openToken(ask, "token", 3 * price);
		for (const delivered of [false, true]) {
			const payment_id = await claimed(ask, debitOf("token", { nonce: `nonce ${delivered}` }));
			await ask("finishPayment", { payment_id, state: "settled", reference: null, delivered });
		}
		ledger.pass(3_599);
		await abandoned();
		expect(await balanceOf(ask, "token")).toBe(price);
		ledger.pass(1);
		await Promise.all(Array.from({ length: 10 }, abandoned));
		expect(await balanceOf(ask, "token")).toBe(2 * price);
	});

	test.each(refunding)("is made once for a payment that %s", async (_, give) => {
		await openToken(ask, "token", 3 * price);
		const payment_id = await claimed(ask, debitOf("token"));
		await give(payment_id);
		expect(await balanceOf(ask, "token")).toBe(3 * price);
		await give(payment_id).catch(() => {});
		for (const again of [ask, ...ledger.instances]) {
			await again("releasePayment", { payment_id });
			await again("returnPayment", { payment_id });
			await again("finishPayment", { payment_id, state: "failed", reference: null, delivered: false });
		}
		expect(await balanceOf(ask, "token")).toBe(3 * price);
	});

	test("is made once by concurrent releases", async () => {
		await openToken(ask, "token", 3 * price);
		const payment_id = await claimed(ask, debitOf("token"));
		ledger.pass(300);
		await Promise.all(
			Array.from({ length: 30 }, (_, at) =>
				at % 3 === 0
					? instance(at)("takeUnsettled", { limit: 10, lease_seconds: 60 })
					: instance(at)("releasePayment", { payment_id }),
			),
		);
		expect(await balanceOf(ask, "token")).toBe(3 * price);
	});

	test("lets the same nonce be debited and refunded again", async () => {
		await openToken(ask, "token", price);
		for (let time = 0; time < 3; time++) {
			const payment_id = await claimed(ask, debitOf("token"));
			expect(await balanceOf(ask, "token")).toBe(0);
			await ask("releasePayment", { payment_id });
			expect(await balanceOf(ask, "token")).toBe(price);
		}
	});

	test("of many tokens by two concurrent runs does not deadlock", async () => {
		for (let at = 0; at < 12; at++) await openToken(ask, `token ${at}`, 10 * price);
		for (let round = 0; round < 8; round++)
			await Promise.all(
				Array.from({ length: 12 }, (_, at) => {
					const which = round % 2 === 0 ? at : 11 - at;
					return claimed(instance(at), debitOf(`token ${which}`, { nonce: `nonce ${round} ${at}` }));
				}),
			);
		ledger.pass(300);
		await Promise.all(
			Array.from({ length: 20 }, (_, at) => instance(at)("takeUnsettled", { limit: 17, lease_seconds: 60 })),
		);
		for (let at = 0; at < 12; at++) expect(await balanceOf(ask, `token ${at}`)).toBe(10 * price);
	});

	test("locks tokens in the order of their ids, whichever was debited first", async () => {
		const ids: number[] = [];
		for (let at = 0; at < 8; at++) ids.push(await openToken(ask, `token ${at}`, price));
		for (let at = 7; at >= 0; at--) await claimed(ask, debitOf(`token ${at}`, { nonce: `nonce ${at}` }));
		ledger.pass(300);
		const [first = 0, ...later] = ids;
		const taken: Promise<unknown>[] = [];
		await ledger.sql.begin(async (tx) => {
			await tx`select from credits where id = ${first} for update`;
			taken.push(instance(1)("takeUnsettled", { limit: 100, lease_seconds: 60 }));
			await eventually(async () => (await waiting(ledger.sql)) === 1);
			const free = await tx`select from credits where id = any (${later}) for update skip locked`;
			expect(free.count).toBe(later.length);
		});
		await Promise.all(taken);
		for (let at = 0; at < 8; at++) expect(await balanceOf(ask, `token ${at}`)).toBe(price);
	});
});
