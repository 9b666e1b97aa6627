/** The books after a fault: what was answered, what was charged and what is written down must agree, whatever happened. */
import { expect } from "vitest";
import { reconcile } from "../../services/gateway/payments/reconcile.ts";
import { payTo, type TestGateways } from "../access/support/gateways.ts";
import { limitRequest, type Till } from "../access/support/pay.ts";
import { faultsIn } from "../billing/support/payments.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";
import type { Answer, Attempt, Load } from "./access-load.ts";
import { path } from "./access-load.ts";

interface Row {
	nonce: string;
	state: string;
	delivered: boolean;
	deliveries: number;
	amount: number;
}

/**
 * Lets the time pass in which outcomes are found out and claims are given back, and compares. Then a payer that was charged without an answer
 * asks again, and gets it without another charge.
 */
export async function expectGoodBooks(
	till: Till,
	{ answers, attempts, since }: Pick<Load, "answers" | "attempts" | "since">,
) {
	const { gateways } = till;
	await expectFairDebits(gateways, answers, since);
	await settleAll(till);
	expect(await faultsIn(gateways.sql)).toEqual([]);
	const rows = await rowsOf(gateways);
	const settled = rows.filter(({ state }) => state === "settled");
	const { token } = gateways.payments;
	expect(settled.map(({ nonce }) => nonce).sort()).toEqual(chargedNonces(gateways));
	expect(BigInt(settled.reduce((sum, { amount }) => sum + amount, 0))).toBe(token.balanceOf(payTo));
	for (const attempt of attempts)
		expectFairAnswers(
			attempt,
			rows.find(({ nonce }) => nonce === attempt.nonce),
		);

	const owed = attempts.filter(({ nonce, statuses }) => {
		const row = rows.find((one) => one.nonce === nonce);
		return row?.state === "settled" && !row.delivered && !statuses.includes(200);
	});
	const before = token.balanceOf(payTo);
	for (const { sent } of owed) expect((await till.get(path, sent)).status).toBe(200);
	expect(token.balanceOf(payTo)).toBe(before);
	return { settled: settled.length, owed: owed.length };
}

/** Every answer has its charge: the first of a charge, and those that were delivered again. */
function expectFairAnswers({ statuses }: Attempt, row: Row | undefined): void {
	const answered = statuses.filter((status) => status === 200).length;
	if (answered === 0) return;
	expect(row?.state).toBe("settled");
	expect(answered).toBeLessThanOrEqual(1 + (row?.deliveries ?? 0));
}

/** At least as many debits as answers; balances are compared with their movements elsewhere. */
async function expectFairDebits({ sql }: TestGateways, answers: readonly Answer[], since: Date): Promise<void> {
	const [debits] = await sql<{ count: number }[]>`
		select count(*)::integer as count from payments where rail = 'card' and state = 'settled' and claimed_at >= ${since.toISOString()}`;
	const answered = answers.filter(({ kind, status }) => kind === "card" && status === 200).length;
	expect(debits?.count).toBeGreaterThanOrEqual(answered);
}

/** Nonces that the chain has seen used, each once. */
function chargedNonces({ payments: { token } }: TestGateways): string[] {
	const transfers = token.logs.filter(({ data }) => data !== "0x");
	const uses = token.logs.filter(({ data }) => data === "0x");
	expect(transfers).toHaveLength(uses.length);
	return uses.map(({ topics }) => topics[2]?.toLowerCase() ?? "").sort();
}

/** Minute by minute, until nothing is open. */
async function settleAll(till: Till): Promise<void> {
	const {
		access: [gateway],
		sql,
	} = till.gateways;
	if (gateway === undefined) throw new Error("there is no gateway");
	const { rails } = gateway.payments;
	await eventually(
		async () => {
			till.pass(61);
			await reconcile({ rails, requestBilling: limitRequest(till.gateways), log: silent });
			return (await sql`select from payments where state in ('claimed', 'settling', 'unknown')`).count === 0;
		},
		{ withinMs: 30_000, everyMs: 100 },
	);
}

async function rowsOf({ sql }: TestGateways): Promise<Row[]> {
	const rows = await sql<Row[]>`
		select right(nonce, 66) as nonce, state, delivered_at is not null as delivered, deliveries, amount_micro_usd as amount
		from payments where rail = 'x402' and state <> 'released'`;
	return [...rows];
}

/** Every answer to the caller with the key is in the ledger, once, refusals too, and what counts has been counted. */
export async function expectExactLedger(
	till: Till,
	{ answers, holder }: Pick<Load, "answers" | "holder">,
): Promise<void> {
	const toKey = answers.filter(({ kind }) => kind === "key");
	const counted = toKey.filter(({ status }) => status === 200).length;
	await eventually(
		async () => {
			await till.gateways.recorded();
			const [ledger] = await till.gateways.sql<{ rows: number; counted: number; sums: number }[]>`
				with mine as (select id from accounts where registered_email = ${holder.email})
				select (select count(*)::integer from usage where account_id in (select id from mine) and operation = 'listProjects') as rows,
					(select count(*)::integer from usage where account_id in (select id from mine) and counted) as counted,
					(select sum(counted)::integer from usage_hours where account_id in (select id from mine)) as sums`;
			expect(ledger).toEqual({ rows: toKey.length, counted, sums: counted });
			return true;
		},
		// Messages on their way to billing when it was killed are redelivered after ten seconds.
		{ withinMs: 30_000, everyMs: 100 },
	);
}
