import { conflict } from "#libs/contract/errors.ts";
import type { Handler, ParamsInput, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Filters } from "#libs/filters/meanings.ts";
import { replyList } from "#libs/postgres/list.ts";
import { readEntries } from "../dispatch/messages.ts";
import type { Resources } from "../resources.ts";
import { accountOf, boundFilters, demandOwn, fault, makeRoom, noWatchlist, showOwn } from "./account.ts";
import { watchlistColumns } from "./shown.ts";

type Watchlist = Reply<"createWatchlist">;

/** One of the account's. @throws AppError 404 */
const show = ({ sql, limits }: Resources, id: number, accountId: number): Promise<Versioned<Watchlist>> =>
	showOwn<Watchlist>(sql, { table: "watchlists", id, accountId }, watchlistColumns(sql, limits));

/** Records that one is used, and the plan for all of the account's; most uses write nothing. */
async function markUsed({ sql, now }: Resources, id: number, context: RequestContext): Promise<void> {
	const free = !isPaidPlan(context.plan);
	const moment = now();
	await sql`
		update watchlists set free = ${free}, used_at = case when id = ${id} then ${moment} else used_at end
		where account_id = ${accountOf(context)}
			and (free <> ${free} or id = ${id} and used_at < ${moment}::timestamptz - interval '1 day')`;
}

const parse = <R>({ json }: Versioned<R>): R =>
	JSON.parse(typeof json === "string" ? json : Buffer.from(json).toString());

export function listWatchlists({ sql, limits }: Resources): Handler<"listWatchlists"> {
	return async (request, context) => {
		const accountId = accountOf(context);
		return replyList(
			sql,
			{
				filters: { accountId },
				chosen: sql`watchlists w where account_id = ${accountId}`,
				sort: [{ column: "id" }],
				rows: sql`select ${watchlistColumns(sql, limits)} from page join watchlists w using (id)`,
			},
			request,
		);
	};
}

/** @throws AppError 422 for filters that are too long or choose too much */
async function demandSize(
	{ ask, limits }: Resources,
	filters: ParamsInput<"createWatchlist">["filters"],
	{ plan }: RequestContext,
): Promise<void> {
	boundFilters(filters, limits.filtersBytes);
	const { meta } = await ask("listProjects", { ...filters, per_page: 1, fields: ["id"] });
	const isFree = !isPaidPlan(plan);
	const most = isFree ? limits.freeWatchlistRequests : limits.watchlistRequests;
	const list = isFree ? "a watchlist on the free plan" : "a watchlist";
	if (meta.total > most) throw fault("filters", `choose ${meta.total} requests, more than the ${most} of ${list}`);
}

export function createWatchlist(resources: Resources): Handler<"createWatchlist"> {
	const { sql, now, limits } = resources;
	return async ({ name, filters }, context) => {
		const accountId = accountOf(context);
		await demandSize(resources, filters, context);
		const id = await sql.begin(async (tx) => {
			await makeRoom(tx, "watchlists", { accountId, most: limits.watchlistsPerAccount });
			const [row] = await tx<{ id: number }[]>`
				insert into watchlists (account_id, name, filters, free, created_at, used_at)
				values (${accountId}, ${name}, ${JSON.stringify(filters)}::text::jsonb, ${!isPaidPlan(context.plan)}, ${now()}, ${now()})
				returning id`;
			await tx`select pg_notify('subscriptions_log', '')`;
			return row?.id ?? 0;
		});
		return show(resources, id, accountId);
	};
}

export function changeWatchlist(resources: Resources): Handler<"changeWatchlist"> {
	const { sql } = resources;
	return async ({ watchlist_id: id, name, filters }, context) => {
		const accountId = accountOf(context);
		if (filters !== undefined) await demandSize(resources, filters, context);
		await markUsed(resources, id, context);
		await sql.begin(async (tx) => {
			const own = tx`id = ${id} and account_id = ${accountId}`;
			if (name !== undefined) await tx`update watchlists set name = ${name} where ${own}`;
			if (filters !== undefined)
				await tx`
					update watchlists set filters = ${JSON.stringify(filters)}::text::jsonb, seq = null, version = version + 1
					where ${own}`;
			await tx`select pg_notify('subscriptions_log', '')`;
		});
		return show(resources, id, accountId);
	};
}

export function deleteWatchlist({ sql }: Resources): Handler<"deleteWatchlist"> {
	return async ({ watchlist_id: id }, context) => {
		const accountId = accountOf(context);
		await sql.begin(async (tx) => {
			const [own] = await tx`select from watchlists where id = ${id} and account_id = ${accountId} for update`;
			if (own === undefined) throw noWatchlist();
			const [webhook] = await tx<{ id: number }[]>`select id from webhooks where watchlist_id = ${id} limit 1`;
			if (webhook !== undefined) throw conflict(`webhook ${webhook.id} names this watchlist`);
			await tx`delete from watchlists where id = ${id}`;
		});
		return { json: "{}", dataVersion: 0 };
	};
}

/** The rows are queue-ingest's, as it writes them. */
export function getWatchlist(resources: Resources): Handler<"getWatchlist"> {
	const { ask } = resources;
	return async ({ watchlist_id, page, per_page, cursor }, context) => {
		await markUsed(resources, watchlist_id, context);
		const watchlist = parse(await show(resources, watchlist_id, accountOf(context)));
		const filters = watchlist.filters as Filters;
		const list = await ask("listProjects", { ...filters, page, per_page, ...(cursor !== undefined && { cursor }) });
		return { json: JSON.stringify({ watchlist, ...list }), dataVersion: 0 };
	};
}

export function listWatchlistChanges(resources: Resources): Handler<"listWatchlistChanges"> {
	const { sql, log } = resources;
	return async ({ watchlist_id, after, per_page }, context) => {
		await demandOwn(sql, { table: "watchlists", id: watchlist_id, accountId: accountOf(context) });
		await markUsed(resources, watchlist_id, context);
		const { entries } = await readEntries(sql, watchlist_id, after, per_page);
		const changes = await log.pick(entries);
		const data = entries.flatMap(({ seq, event }) => {
			const { project = null, ...change } = changes.get(seq) ?? {};
			return changes.has(seq) ? [{ ...change, event, project }] : [];
		});
		return { json: JSON.stringify({ data, next: entries.at(-1)?.seq ?? after }), dataVersion: 0 };
	};
}
