/** Limits an account to its own webhooks, watchlists and saved queries. Those of other accounts return 404, like unknown ones. */
import { invalid, keyNeeded, notFound } from "#libs/contract/errors.ts";
import type { Handler, RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { type PageRequest, replyList } from "#libs/postgres/replies/list.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import type { Resources } from "../resources.ts";

/** @throws AppError 403 if the request has no account */
export function requireAccount({ accountId }: RequestContext): number {
	if (accountId === undefined) throw keyNeeded("this operation requires an API key");
	return accountId;
}

export const queueCallerOf = (context: RequestContext): QueueCaller => ({
	account: String(requireAccount(context)),
	plan: context.plan,
});

type AnyHandler = (params: never, context: RequestContext) => Promise<unknown>;

/** Wraps handlers so that each first stores, in the account's webhooks, whether the plan is free. Writes only if that has changed. */
export function withPlanRecorded<H extends Record<string, AnyHandler>>({ sql }: Resources, handlers: H): H {
	const recording = (handle: AnyHandler): AnyHandler => {
		return async (params, context) => {
			const free = !isPaidPlan(context.plan);
			await sql`update webhooks set free = ${free} where account_id = ${requireAccount(context)} and free <> ${free}`;
			return handle(params, context);
		};
	};
	return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, recording(handle)])) as H;
}

/** For each table: the noun for a row, and the field named in the error for too many rows. */
const tables = {
	webhooks: { row: "webhook", field: "url" },
	watchlists: { row: "watchlist", field: "name" },
	saved_queries: { row: "saved query", field: "name" },
};

export const unknownRow = (table: keyof typeof tables) =>
	notFound(`no ${tables[table].row} of this account has this number`);

interface OwnedRow {
	table: keyof typeof tables;
	id: number;
	accountId: number;
}

/** Lists the account's rows, oldest first. `columns` refers to the table as `w`. */
export const listOwned = <R>(
	sql: Sql,
	{ table, accountId }: Omit<OwnedRow, "id">,
	columns: Fragment,
	request: PageRequest,
): Promise<Versioned<R>> =>
	replyList(
		sql,
		{
			filters: { accountId },
			chosen: sql`${sql(table)} w where account_id = ${accountId}`,
			sort: [{ column: "id" }],
			rows: sql`select ${columns} from page join ${sql(table)} w using (id)`,
		},
		request,
	);

/** Reads one row of the account as JSON. `columns` refers to the table as `w`. @throws AppError 404 if the account has no such row */
export async function readOwned<R>(
	sql: Sql,
	{ table, id, accountId }: OwnedRow,
	columns: Fragment,
): Promise<Versioned<R>> {
	const reply = await jsonReply<R>(
		sql,
		sql`select row_to_json(t) from (
			select ${columns} from ${sql(table)} w where id = ${id} and account_id = ${accountId}) t`,
	);
	if (reply === null) throw unknownRow(table);
	return reply;
}

/** @throws AppError 404 if the account has no such row */
export async function checkOwned(sql: Sql | Transaction, { table, id, accountId }: OwnedRow): Promise<void> {
	const [row] = await sql`select from ${sql(table)} where id = ${id} and account_id = ${accountId}`;
	if (row === undefined) throw unknownRow(table);
}

export const invalidField = (field: string, msg: string) => invalid([{ loc: ["body", field], msg }]);

/** Locks the account's rows of a table against other inserts. @throws AppError 422 if the account has `maxRows` rows */
export async function checkCount(
	tx: Transaction,
	table: keyof typeof tables,
	{ accountId, maxRows }: { accountId: number; maxRows: number },
): Promise<void> {
	await lockAccount(tx, table, accountId);
	const [row] = await tx<{ count: number }[]>`select count(*) from ${tx(table)} where account_id = ${accountId}`;
	if ((row?.count ?? 0) >= maxRows)
		throw invalidField(
			tables[table].field,
			`the account has ${maxRows} ${table.replace("_", " ")}, which is the limit`,
		);
}

export const lockAccount = (tx: Transaction, table: keyof typeof tables, accountId: number) =>
	tx`select pg_advisory_xact_lock(hashtextextended(${`${table}:${accountId}`}, 0))`;

/** @throws AppError 422 if the filters are too long as JSON */
export function checkFiltersSize(filters: object | null | undefined, maxBytes: number): void {
	const bytes = filters == null ? 0 : Buffer.byteLength(JSON.stringify(filters));
	if (bytes > maxBytes) throw invalidField("filters", `must be at most ${maxBytes} bytes as JSON`);
}

/** Deletes what an account owns, with deliveries and entries. The gateway calls it without an account in the context. */
export const deleteSubscriptions =
	({ sql }: Resources): Handler<"deleteSubscriptions"> =>
	async ({ account_id }) => {
		await sql.begin(async (tx) => {
			// Webhooks are deleted first, because they may follow a watchlist.
			for (const table of ["webhooks", "watchlists", "saved_queries"] as const) {
				await lockAccount(tx, table, account_id);
				await tx`delete from ${tx(table)} where account_id = ${account_id}`;
			}
		});
		return { json: "{}", dataVersion: 0 };
	};
