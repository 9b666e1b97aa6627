/** Access of an account to its own webhooks, watchlists and saved queries. Those of other accounts are answered as unknown. */
import { invalid, keyNeeded, notFound } from "#libs/contract/errors.ts";
import type { RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Resources } from "../resources.ts";

/** @throws AppError 403 for a request without an account */
export function accountOf({ accountId }: RequestContext): number {
	if (accountId === undefined) throw keyNeeded("this needs a key");
	return accountId;
}

export const queueCallerOf = (context: RequestContext): QueueCaller => ({
	account: String(accountOf(context)),
	plan: context.plan,
});

type AnyHandler = (params: never, context: RequestContext) => Promise<unknown>;

/** Before each call, records the plan of the account for its webhooks. Most calls write nothing. */
export function recordPlan<H extends Record<string, AnyHandler>>({ sql }: Pick<Resources, "sql">, handlers: H): H {
	const recording = (handle: AnyHandler): AnyHandler => {
		return async (params, context) => {
			const free = !isPaidPlan(context.plan);
			await sql`update webhooks set free = ${free} where account_id = ${accountOf(context)} and free <> ${free}`;
			return handle(params, context);
		};
	};
	return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, recording(handle)])) as H;
}

export const noWebhook = () => notFound("no webhook of this account has this number");
export const noWatchlist = () => notFound("no watchlist of this account has this number");
export const noSavedQuery = () => notFound("no saved query of this account has this number");

/** By table: the error of an unknown row, and the field to name if the account has too many rows. */
const tables = {
	webhooks: { unknown: noWebhook, field: "url" },
	watchlists: { unknown: noWatchlist, field: "name" },
	saved_queries: { unknown: noSavedQuery, field: "name" },
};

interface Own {
	table: keyof typeof tables;
	id: number;
	accountId: number;
}

/** `columns` of one webhook, watchlist or saved query `w` of the account, as JSON. @throws AppError 404 */
export async function showOwn<R>(sql: Sql, { table, id, accountId }: Own, columns: Fragment): Promise<Versioned<R>> {
	const reply = await jsonReply<R>(
		sql,
		sql`select row_to_json(t) from (
			select ${columns} from ${sql(table)} w where id = ${id} and account_id = ${accountId}) t`,
	);
	if (reply === null) throw tables[table].unknown();
	return reply;
}

/** @throws AppError 404 if it is not the account's */
export async function demandOwn(sql: Sql | Transaction, { table, id, accountId }: Own): Promise<void> {
	const [row] = await sql`select from ${sql(table)} where id = ${id} and account_id = ${accountId}`;
	if (row === undefined) throw tables[table].unknown();
}

export const fault = (field: string, msg: string) => invalid([{ loc: ["body", field], msg }]);

/** Demands that an account has fewer than `most` rows, and serializes its requests. @throws AppError 422 */
export async function demandFewer(
	tx: Transaction,
	table: keyof typeof tables,
	{ accountId, most }: { accountId: number; most: number },
): Promise<void> {
	await lockAccount(tx, table, accountId);
	const [row] = await tx<{ count: number }[]>`select count(*) from ${tx(table)} where account_id = ${accountId}`;
	if ((row?.count ?? 0) >= most)
		throw fault(tables[table].field, `the account has ${most} ${table.replace("_", " ")}, which is the limit`);
}

export const lockAccount = (tx: Transaction, table: keyof typeof tables, accountId: number) =>
	tx`select pg_advisory_xact_lock(hashtextextended(${`${table}:${accountId}`}, 0))`;

/** @throws AppError 422 for filters that are too long as JSON */
export function checkFiltersSize(filters: object | null | undefined, mostBytes: number): void {
	const bytes = filters == null ? 0 : Buffer.byteLength(JSON.stringify(filters));
	if (bytes > mostBytes) throw fault("filters", `must be at most ${mostBytes} bytes as JSON`);
}
