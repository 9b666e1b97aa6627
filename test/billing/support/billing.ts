/** Billing over a database of its own, with a clock that the test sets. */
import type { z } from "zod";
import { subjectOf } from "#libs/contract/events/event.ts";
import {
	operations as contract,
	type Events,
	events,
	type OwnedBy,
	type ParamsInput,
	type Reply,
} from "#libs/contract/index.ts";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { schema } from "../../../services/billing/migrate.ts";
import { operations } from "../../../services/billing/operations/index.ts";
import { createDatabase } from "../../support/database.ts";

type KeyChanged = z.output<Events["keyChanged"]["payload"]>;
type Asking = <N extends OwnedBy<"billing">>(
	name: N,
	params?: ParamsInput<N>,
	more?: { accountId: number },
) => Promise<Reply<N>>;

export interface TestBilling extends AsyncDisposable {
	/** Address of the database, with billing's role. */
	url: string;
	sql: Sql;
	clock: { now: Date };
	/** The operation's answer; parameters and reply are parsed by the contract, which is closed. */
	ask: Asking;
	/** A key of a new account. */
	issue(email: string): Promise<TestKey>;
	/** Key changes in the outbox since the last call, in order; they are taken out. */
	announced(): Promise<KeyChanged[]>;
	dataVersion(): Promise<number>;
}

export interface TestKey {
	secret: string;
	sha256: string;
	hint: string;
	id: number;
	accountId: number;
}

/** A secret as the gateway makes it, and what it hands on of it. */
export function newSecret(): Pick<TestKey, "secret" | "sha256" | "hint"> {
	const secret = makeSecret("pk_");
	return { secret, sha256: digestOf(secret), hint: hintOf(secret) };
}

let requests = 0;

/** The ledger of a request by a key, now. */
export async function useKey({ sql, clock }: Pick<TestBilling, "sql" | "clock">, keyId: number): Promise<void> {
	await sql`
		insert into usage (event_id, occurred_at, account_id, key_id, operation, status, counted, duration_ms)
		select ${`request ${++requests}`}, ${clock.now}, account_id, id, 'listProjects', 200, true, 1 from keys where id = ${keyId}`;
}

export async function openBilling(at = "2026-11-21T12:00:00Z"): Promise<TestBilling> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("billing"));
	const sql = stack.use(connect(database.url, { schema, name: "test", max: 12 }));
	const clock = { now: new Date(at) };
	const handlers = operations({ sql, now: () => clock.now, sendsMail: true });
	const context = { signal: new AbortController().signal };
	const ask: Asking = async (name, params, more) => {
		const operation = contract[name];
		const handler = handlers[name] as (params: unknown, of: typeof context) => Promise<{ json: string | Uint8Array }>;
		const { json } = await handler(operation.params.parse(params ?? {}), { ...context, ...more });
		return operation.reply.parse(JSON.parse(Buffer.from(json).toString())) as never;
	};
	const owned = stack.move();
	return {
		url: database.url,
		sql,
		clock,
		ask,
		async issue(email) {
			const { secret, ...key } = newSecret();
			const { key_id: id, account_id: accountId } = await ask("issueKey", { email, name: null, ...key });
			return { secret, ...key, id, accountId };
		},
		async announced() {
			const rows = await sql<{ payload: string }[]>`
				with taken as (delete from outbox where subject = ${subjectOf(events.keyChanged)} returning *)
				select payload from taken order by id`;
			return rows.map(({ payload }) => events.keyChanged.payload.parse(JSON.parse(payload)));
		},
		dataVersion: () => readDataVersion(sql),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
