/** Billing finishes abandoned payments by itself: without a gateway or a payment method that asks for it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "#libs/service/logger.ts";
import { releaseAbandoned, releaseForgotten } from "../../services/billing/jobs/release-forgotten.ts";
import { eventually } from "../support/eventually.ts";
import {
	balanceOf,
	claimed,
	claimOf,
	debitOf,
	faultsIn,
	type Ledger,
	openLedger,
	openToken,
} from "./support/payments.ts";

let ledger: Ledger;
beforeAll(async () => {
	ledger = await openLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test("abandoned debits are refunded, more than one statement takes, and delivered ones stay paid", async () => {
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

test("times written by a clock that was a day ahead are not waited for when the clock is right again", async () => {
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
	const { payments } = await ask("takeUnsettled", { limit: 10, lease_seconds: 60 });
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
