/** The ledger of payments and credits as two instances over one database, with a clock that the test sets. */
import {
	operations as contract,
	type OwnedBy,
	type Params,
	type ParamsInput,
	type Reply,
} from "#libs/contract/index.ts";
import { digestOf } from "#libs/contract/key.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { schema } from "../../../services/billing/migrate.ts";
import { operations } from "../../../services/billing/operations/index.ts";
import { createDatabase } from "../../support/database.ts";

export type Ask = <N extends OwnedBy<"billing">>(name: N, params: ParamsInput<N>) => Promise<Reply<N>>;
export type Claim = Params<"claimPayment">;

export interface Ledger extends AsyncDisposable {
	/** Calls the first instance. */
	ask: Ask;
	/** Each with a pool of its own. */
	instances: readonly [Ask, Ask];
	sql: Sql;
	/** The administrator's connection, which may end sessions. */
	adminUrl: string;
	now(): Date;
	/** Lets time pass. */
	pass(seconds: number): void;
}

export async function openLedger(): Promise<Ledger> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("billing"));
	let now = Date.parse("2026-11-21T12:00:00Z");
	const pools = ["one", "two"].map((name) => stack.use(connect(database.url, { schema, name, max: 6 })));
	const [one, two] = pools;
	if (one === undefined || two === undefined) throw new Error("there are two instances");
	const clock = () => new Date(now);
	const owned = stack.move();
	return {
		ask: asking(one, clock),
		instances: [asking(one, clock), asking(two, clock)],
		sql: one,
		adminUrl: database.adminUrl,
		now: clock,
		pass(seconds) {
			now += seconds * 1_000;
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** Parameters and replies are parsed by the contract, which is closed. */
function asking(sql: Sql, now: () => Date): Ask {
	const handlers = operations({ sql, now });
	const context = { signal: new AbortController().signal };
	return async (name, params) => {
		const { params: asked, reply } = contract[name];
		const handler = handlers[name] as (params: unknown, of: typeof context) => Promise<{ json: string | Uint8Array }>;
		const { json } = await handler(asked.parse(params), context);
		return reply.parse(JSON.parse(Buffer.from(json).toString())) as never;
	};
}

let requests = 0;

/** A request's claim, in which only what is said differs from the next one's. */
export const claimOf = (facts: Partial<Claim>): Claim => ({
	rail: "x402",
	network: "eip155:8453",
	payer: "0xpayer",
	nonce: "nonce",
	identifier: null,
	credential_sha256: digestOf("credential"),
	operation: "listProjects",
	resource: digestOf("listProjects {}"),
	amount_micro_usd: 10_000,
	stored: '{"credential":true}',
	request_id: `request ${++requests}`,
	credits_sha256: null,
	only_again: false,
	...facts,
});

/** Claims it and answers its id; fails when it is another's. */
export async function claimed(ask: Ask, facts: Partial<Claim>): Promise<number> {
	const claim = await ask("claimPayment", claimOf(facts));
	if (claim.outcome !== "claimed") throw new Error(`the claim was answered ${JSON.stringify(claim)}`);
	return claim.payment_id;
}

/** Charges it, as a chain does. */
export async function settled(ask: Ask, payment_id: number, delivered: boolean): Promise<void> {
	await ask("beginSettlement", { payment_id });
	await ask("finishPayment", { payment_id, state: "settled", reference: `tx ${payment_id}`, delivered });
}

export async function openToken(ask: Ask, token: string, balance: number): Promise<number> {
	const { credits_id } = await ask("openCredits", { sha256: digestOf(token), hint: `cr_${token}` });
	if (balance > 0) {
		const payment_intent = `pi of ${token}`;
		await ask("addCredits", { credits_id, amount_micro_usd: balance, payment_intent, event_id: null });
	}
	return credits_id;
}

export async function balanceOf(ask: Ask, token: string): Promise<number | undefined> {
	return (await ask("readCredits", { sha256: digestOf(token) })).credits?.balance_micro_usd;
}

/** A card's payment with a token. */
export const debitOf = (token: string, facts: Partial<Claim> = {}): Partial<Claim> => ({
	rail: "card",
	network: "stripe",
	payer: token,
	credits_sha256: digestOf(token),
	...facts,
});

/** The number of sessions that wait for a lock. */
export async function waiting(sql: Sql): Promise<number> {
	const sessions = await sql`
		select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
	return sessions.count;
}

/** Rows of the ledger that contradict each other; there must be none. */
export async function faultsIn(sql: Sql): Promise<unknown[]> {
	const faults = await sql`
		select 'a balance is not the sum of its entries' as fault, c.id from credits c
			where c.balance_micro_usd <> (select coalesce(sum(amount_micro_usd), 0) from credit_entries e where e.credits_id = c.id)
		union all
		select 'a balance below nothing', id from credits where balance_micro_usd < 0
		union all
		select 'a debit without its payment, or of another amount', e.id from credit_entries e left join payments p on p.id = e.payment_id
			where e.kind = 'debit' and (p.credits_id = e.credits_id and p.amount_micro_usd = -e.amount_micro_usd) is not true
		union all
		select 'a refund without its debit, or of another amount', e.id from credit_entries e
			where e.kind = 'refund' and not exists (select from credit_entries d
				where d.kind = 'debit' and d.payment_id = e.payment_id and d.credits_id = e.credits_id
					and d.amount_micro_usd = -e.amount_micro_usd)
		union all
		select 'a payment by credits without its debit', p.id from payments p
			where p.credits_id is not null and not exists (select from credit_entries e where e.payment_id = p.id and e.kind = 'debit')
		union all
		select 'refunded and charged, or neither', p.id from payments p
			where p.credits_id is not null and (p.state in ('released', 'failed'))
				<> exists (select from credit_entries e where e.payment_id = p.id and e.kind = 'refund')
		union all
		select 'a credential is stored although the outcome is known', id from payments
			where state in ('settled', 'failed', 'released') and stored is not null
		union all
		select 'one nonce twice', min(id) from payments where state <> 'released' group by rail, nonce having count(*) > 1`;
	return [...faults];
}
