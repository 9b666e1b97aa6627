/** Credits that are put back: once, whichever process gives back and how often. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "#libs/service/logger.ts";
import { releaseAbandoned, releaseForgotten } from "../../services/billing/jobs/release-forgotten.ts";
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
				await ask("claimUnsettled", { limit: 10, lease_seconds: 60 });
			},
		],
	];
	test("is made an hour after the charge unless a process has recorded the delivery", async () => {
		const abandoned = () => ask("claimUnsettled", { limit: 10, lease_seconds: 60 });
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
					? instance(at)("claimUnsettled", { limit: 10, lease_seconds: 60 })
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

	test("locks tokens in the order of their ids, whichever was debited first", async () => {
		const ids: number[] = [];
		for (let at = 0; at < 8; at++) ids.push(await openToken(ask, `token ${at}`, price));
		for (let at = 7; at >= 0; at--) await claimed(ask, debitOf(`token ${at}`, { nonce: `nonce ${at}` }));
		ledger.pass(300);
		const [first = 0, ...later] = ids;
		const taken: Promise<unknown>[] = [];
		await ledger.sql.begin(async (tx) => {
			await tx`select from credits where id = ${first} for update`;
			taken.push(instance(1)("claimUnsettled", { limit: 100, lease_seconds: 60 }));
			await eventually(async () => (await waiting(ledger.sql)) === 1);
			const free = await tx`select from credits where id = any (${later}) for update skip locked`;
			expect(free.count).toBe(later.length);
		});
		await Promise.all(taken);
		for (let at = 0; at < 8; at++) expect(await balanceOf(ask, `token ${at}`)).toBe(price);
	});
});

/** Billing does so by itself, without a gateway or a payment method that asks for it. */
test("abandoned debits are refunded in several batches, and delivered ones remain paid", async () => {
	const { ask, sql, now } = ledger;
	await openToken(ask, "token", 10_000_000);
	const debits = await Promise.all(
		Array.from({ length: 250 }, (_, at) => claimed(ask, debitOf("token", { nonce: `nonce ${at}` }))),
	);
	// The first has a recorded charge without a recorded answer, the second both.
	for (const [at, payment_id] of debits.slice(0, 2).entries())
		await ask("finishPayment", { payment_id, state: "settled", reference: "credits", delivered: at === 0 });
	const log = createLogger({ name: "test", level: "silent" });
	await using _job = releaseForgotten(sql, { log, now, everyMs: 5 });
	/** Until it is so, each try lets another second pass, and the job is due again. */
	const untilLeft = (balance: number) =>
		eventually(async () => {
			ledger.pass(1);
			return (await balanceOf(ask, "token")) === balance;
		});
	ledger.pass(300);
	await untilLeft(10_000_000 - 2 * 10_000);
	ledger.pass(3_600);
	await untilLeft(10_000_000 - 10_000);
	expect(await faultsIn(sql)).toEqual([]);
});

test("times written by a clock that was a day ahead cause no wait after the clock is corrected", async () => {
	const { ask, sql, now } = ledger;
	await openToken(ask, "ahead", 1_000_000);
	ledger.pass(86_400);
	await claimed(ask, debitOf("ahead", { nonce: "never charged" }));
	const undelivered = await claimed(ask, debitOf("ahead", { nonce: "never delivered" }));
	await ask("finishPayment", { payment_id: undelivered, state: "settled", reference: "credits", delivered: false });
	const settling = await claimed(ask, claimOf({ nonce: "never finished" }));
	await ask("beginSettlement", { payment_id: settling });
	ledger.pass(-90_000);
	expect(await releaseAbandoned(sql, now(), 100)).toBe(2);
	expect(await balanceOf(ask, "ahead")).toBe(1_000_000);
	const { payments } = await ask("claimUnsettled", { limit: 10, lease_seconds: 60 });
	expect(payments.map(({ payment_id }) => payment_id)).toEqual([settling]);
	expect(await faultsIn(sql)).toEqual([]);
});

test("a clock that is set back by an hour releases no payment in progress", async () => {
	const { ask, sql, now } = ledger;
	await openToken(ask, "back", 1_000_000);
	await claimed(ask, debitOf("back", { nonce: "under way" }));
	ledger.pass(-3_600);
	expect(await releaseAbandoned(sql, now(), 100)).toBe(0);
	ledger.pass(3_600 + 300);
	expect(await releaseAbandoned(sql, now(), 100)).toBe(1);
	expect(await balanceOf(ask, "back")).toBe(1_000_000);
});
