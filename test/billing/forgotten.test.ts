/** What no request will finish comes back by billing alone: no gateway, and no way to pay, has to ask for it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLogger } from "#libs/service/logger.ts";
import { releaseForgotten } from "../../services/billing/jobs/release-forgotten.ts";
import { eventually } from "../support/eventually.ts";
import { balanceOf, claimed, debitOf, faultsIn, type Ledger, openLedger, openToken } from "./support/payments.ts";

let ledger: Ledger;
beforeAll(async () => {
	ledger = await openLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test("forgotten debits come back, more of them than one statement takes, and what was answered stays paid", async () => {
	const { ask, sql, now } = ledger;
	await openToken(ask, "token", 10_000_000);
	const debits = await Promise.all(
		Array.from({ length: 250 }, (_, at) => claimed(ask, debitOf("token", { nonce: `nonce ${at}` }))),
	);
	// Of one the charge was written down and not that its answer went out, of another both.
	for (const [at, payment_id] of debits.slice(0, 2).entries())
		await ask("finishPayment", { payment_id, state: "settled", reference: "credits", delivered: at === 0 });
	const log = createLogger({ name: "test", level: "silent" });
	await using _job = releaseForgotten(sql, { log, now, everyMs: 5 });
	/** As long as it is not so, another second has passed and the job is due again. */
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
