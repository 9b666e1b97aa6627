/** Sums of paid calls, counted from outside: on the chains, on the tokens, in the ledger. */
import type { RailName } from "#libs/contract/vocabulary.ts";
import { payTo, type TestGateways } from "./gateways.ts";

export interface Account {
	/** Requests to the owner. */
	runs: number;
	/** Micro-USD that were taken by each rail that took any. */
	charged: Partial<Record<RailName, number>>;
	/** Rows of the ledger by what they say: `x402 settled, delivered`. */
	payments: Record<string, number>;
	/** Requests for what has a price, as recorded: status, rail, micro-USD. */
	usage: Record<string, number>;
}

/** One answer that was paid for and arrived. */
export const bought = (rail: RailName, amountMicroUsd = 10_000): Account => ({
	runs: 1,
	charged: { [rail]: amountMicroUsd },
	payments: { [`${rail} settled, delivered`]: 1 },
	usage: { [`200 ${rail} ${amountMicroUsd}`]: 1 },
});

/** The state of the chains, and the gateways' published records, before the test. */
export interface Before {
	x402: bigint;
	movements: number;
	published: number;
}

const priced = ["listProjects", "getProject", "listChanges", "exportProjects", "streamScores"];

interface Counted {
	text: string;
	count: number;
}

export async function readAccount(gateways: TestGateways, runs: number, before: Before): Promise<Account> {
	const { sql } = gateways;
	const { token, tempo } = gateways.payments;
	const payments = await sql<Counted[]>`
		select rail || ' ' || state || case when delivered_at is null then '' else ', delivered' end as text, count(*)::integer as count
		from payments where operation <> 'buyCredits' group by text`;
	// Without a key and unpaid it has no row of its own.
	const unpaid = new Map(
		gateways.published
			.slice(before.published)
			.filter(({ account_id, rail, operation }) => account_id === null && rail === null && priced.includes(operation))
			.map(({ id, status }) => [id, `${status} unpaid`]),
	);
	const usage = await sql<Counted[]>`
		select status || ' ' || coalesce(rail, 'unpaid') || case when paid_micro_usd > 0 then ' ' || paid_micro_usd else '' end as text,
			count(*)::integer as count
		from usage where operation = any (${priced}) group by text`;
	const movements = tempo.ledger.movements.slice(before.movements).filter(({ to }) => to === payTo);
	const charged = {
		x402: Number(token.balanceOf(payTo) - before.x402),
		mpp: movements.reduce((sum, { amount }) => sum + Number(amount), 0),
		card: await spentOf(gateways),
	};
	return {
		runs,
		charged: Object.fromEntries(Object.entries(charged).filter(([, amount]) => amount !== 0)),
		payments: tallyOf(payments),
		usage: tallyOf([...usage, ...[...unpaid.values()].map((text) => ({ text, count: 1 }))]),
	};
}

/** Debits less refunds. @throws when a balance is not the sum of its movements, or is negative. */
async function spentOf({ sql }: TestGateways): Promise<number> {
	const wrong = await sql`
		select from credits c where balance_micro_usd < 0
			or balance_micro_usd <> (select coalesce(sum(amount_micro_usd), 0) from credit_entries e where e.credits_id = c.id)`;
	if (wrong.count > 0) throw new Error("a balance is not what was bought less what was spent");
	const [row] = await sql<{ spent: number }[]>`
		select -coalesce(sum(amount_micro_usd), 0)::float8 as spent from credit_entries where kind <> 'purchase'`;
	return row?.spent || 0;
}

function tallyOf(rows: readonly Counted[]): Record<string, number> {
	const tally: Record<string, number> = {};
	for (const { text, count } of rows) tally[text] = (tally[text] ?? 0) + count;
	return tally;
}
