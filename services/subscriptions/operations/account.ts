/** What is an account's own: another account's number is as unknown as one that was never given. */
import { invalid, keyNeeded, notFound } from "#libs/contract/errors.ts";
import type { RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Resources } from "../resources.ts";

/** @throws AppError 403 where the request is not from the gateway with an account */
export function accountOf({ accountId }: RequestContext): number {
	if (accountId === undefined) throw keyNeeded("this needs a key");
	return accountId;
}

export const queueCallerOf = (context: RequestContext): QueueCaller => ({
	account: String(accountOf(context)),
	plan: context.plan,
});

/** Records the plan of the account for its webhooks when it uses them; most uses write nothing. */
export function recordingPlan<P, R>(
	{ sql }: Pick<Resources, "sql">,
	handle: (params: P, context: RequestContext) => Promise<R>,
): (params: P, context: RequestContext) => Promise<R> {
	return async (params, context) => {
		const free = !isPaidPlan(context.plan);
		await sql`update webhooks set free = ${free} where account_id = ${accountOf(context)} and free <> ${free}`;
		return handle(params, context);
	};
}

export const noWebhook = () => notFound("no webhook of this account has this number");
export const noWatchlist = () => notFound("no watchlist of this account has this number");

export const noSavedQuery = () => notFound("no saved query of this account has this number");

const unknown = { webhooks: noWebhook, watchlists: noWatchlist, saved_queries: noSavedQuery };

interface Own {
	table: keyof typeof unknown;
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
	if (reply === null) throw unknown[table]();
	return reply;
}

/** Of a request that asks about more than the webhook or watchlist itself. @throws AppError 404 where it is not the account's */
export async function demandOwn(sql: Sql | Transaction, { table, id, accountId }: Own): Promise<void> {
	const [row] = await sql`select from ${sql(table)} where id = ${id} and account_id = ${accountId}`;
	if (row === undefined) throw unknown[table]();
}

export const fault = (field: string, msg: string) => invalid([{ loc: ["body", field], msg }]);

interface Room {
	accountId: number;
	/** Of an account. */
	most: number;
}

/** Counts what an account has, while no other request of it does the same. @throws AppError 422 at the limit */
export async function makeRoom(tx: Transaction, table: keyof typeof unknown, { accountId, most }: Room): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(${`${table}:${accountId}`}, 0))`;
	const [row] = await tx<{ count: number }[]>`select count(*) from ${tx(table)} where account_id = ${accountId}`;
	if ((row?.count ?? 0) >= most)
		throw fault(fieldOf[table], `the account has ${most} ${table.replace("_", " ")}, which is the limit`);
}

const fieldOf = { webhooks: "url", watchlists: "name", saved_queries: "name" };

/** @throws AppError 422 for filters that are too long as JSON */
export function boundFilters(filters: object | null | undefined, mostBytes: number): void {
	const bytes = filters == null ? 0 : Buffer.byteLength(JSON.stringify(filters));
	if (bytes > mostBytes) throw fault("filters", `must be at most ${mostBytes} bytes as JSON`);
}

/** A watchlist that a webhook names, which is not deleted meanwhile. @throws AppError 422 */
export async function demandWatchlist(tx: Transaction, accountId: number, id: number | null): Promise<void> {
	if (id === null) return;
	const [row] = await tx`select from watchlists where id = ${id} and account_id = ${accountId} for key share`;
	if (row === undefined) throw fault("watchlist_id", "no watchlist of this account has this number");
}
