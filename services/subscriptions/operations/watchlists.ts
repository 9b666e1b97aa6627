import { conflict } from "#libs/contract/errors.ts";
import type { Filters } from "#libs/contract/filters/meanings.ts";
import type { Handlers, ParamsInput, Reply, RequestContext } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { readEntries } from "../dispatch/messages.ts";
import { followedSql } from "../dispatch/rows.ts";
import type { Resources } from "../resources.ts";
import {
	checkCount,
	checkFiltersSize,
	checkOwned,
	invalidField,
	listOwned,
	readOwned,
	requireAccount,
	unknownRow,
} from "./account.ts";

const columns = ({ sql, config }: Resources): Fragment => sql`
	w.id as watchlist_id, w.name, w.filters,
	case when w.seq is not null then (select count(*) from watchlist_members m where m.watchlist_id = w.id) end as requests,
	w.seq, iso(w.created_at) as created_at,
	case when w.free and not ${followedSql(sql)}
		then iso(w.used_at + make_interval(days => ${config.FREE_WATCHLIST_DAYS})) end as expires_at`;

export const watchlistOperations = (resources: Resources) => {
	const { sql, now, requestService, changeLog, config } = resources;
	const show = (id: number, accountId: number) =>
		readOwned<Reply<"createWatchlist">>(sql, { table: "watchlists", id, accountId }, columns(resources));
	return {
		listWatchlists: async (request, context) =>
			listOwned(sql, { table: "watchlists", accountId: requireAccount(context) }, columns(resources), request),

		async createWatchlist({ name, filters }, context) {
			const accountId = requireAccount(context);
			await checkFilters(resources, filters, context);
			const id = await sql.begin(async (tx) => {
				await checkCount(tx, "watchlists", { accountId, maxRows: config.WATCHLISTS_PER_ACCOUNT });
				const [row] = await tx<{ id: number }[]>`
					insert into watchlists (account_id, name, filters, free, created_at, used_at)
					values (${accountId}, ${name}, ${JSON.stringify(filters)}::text::jsonb, ${!isPaidPlan(context.plan)}, ${now()}, ${now()})
					returning id`;
				await tx`select pg_notify('subscriptions_log', '')`;
				return row?.id ?? 0;
			});
			return show(id, accountId);
		},

		async changeWatchlist({ watchlist_id: id, name, filters }, context) {
			const accountId = requireAccount(context);
			if (filters !== undefined) await checkFilters(resources, filters, context);
			await recordUse(resources, id, context);
			await sql.begin(async (tx) => {
				const isOwnRow = tx`id = ${id} and account_id = ${accountId}`;
				if (name !== undefined) await tx`update watchlists set name = ${name} where ${isOwnRow}`;
				if (filters !== undefined)
					await tx`
						update watchlists set filters = ${JSON.stringify(filters)}::text::jsonb, seq = null, version = version + 1
						where ${isOwnRow}`;
				await tx`select pg_notify('subscriptions_log', '')`;
			});
			return show(id, accountId);
		},

		async deleteWatchlist({ watchlist_id: id }, context) {
			const accountId = requireAccount(context);
			await sql.begin(async (tx) => {
				const [watchlist] = await tx`select from watchlists where id = ${id} and account_id = ${accountId} for update`;
				if (watchlist === undefined) throw unknownRow("watchlists");
				const [webhook] = await tx<{ id: number }[]>`select id from webhooks where watchlist_id = ${id} limit 1`;
				if (webhook !== undefined) throw conflict(`webhook ${webhook.id} follows this watchlist`);
				await tx`delete from watchlists where id = ${id}`;
			});
			return { json: "{}", dataVersion: 0 };
		},

		/** Returns a watchlist with a page of the interconnection requests that match its filters now. */
		async getWatchlist({ watchlist_id, page, per_page, cursor }, context) {
			await recordUse(resources, watchlist_id, context);
			const { json } = await show(watchlist_id, requireAccount(context));
			const watchlist = JSON.parse(String(json));
			const filters: Filters = watchlist.filters;
			const list = await requestService("listProjects", {
				...filters,
				page,
				per_page,
				...(cursor !== undefined && { cursor }),
			});
			return { json: JSON.stringify({ watchlist, ...list }), dataVersion: 0 };
		},

		async listWatchlistChanges({ watchlist_id, after, newest, per_page }, context) {
			await checkOwned(sql, { table: "watchlists", id: watchlist_id, accountId: requireAccount(context) });
			await recordUse(resources, watchlist_id, context);
			const { entries } = await readEntries(sql, watchlist_id, { after, limit: per_page, newest });
			const changes = await changeLog.pick(entries);
			const data = entries.flatMap(({ seq, event }) => {
				const { project = null, ...change } = changes.get(seq) ?? {};
				return changes.has(seq) ? [{ ...change, event, project }] : [];
			});
			return { json: JSON.stringify({ data, next: entries.at(newest ? 0 : -1)?.seq ?? after }), dataVersion: 0 };
		},
	} satisfies Partial<Handlers<"subscriptions">>;
};

/** Records the use of a watchlist (at most daily), and on all watchlists of the account whether its plan is free. */
async function recordUse({ sql, now }: Resources, id: number, context: RequestContext): Promise<void> {
	const free = !isPaidPlan(context.plan);
	const currentTime = now();
	await sql`
		update watchlists set free = ${free}, used_at = case when id = ${id} then ${currentTime} else used_at end
		where account_id = ${requireAccount(context)}
			and (free <> ${free} or id = ${id} and used_at < ${currentTime}::timestamptz - interval '1 day')`;
}

/** @throws AppError 422 if the filters are too long or match too many interconnection requests */
async function checkFilters(
	{ requestService, config }: Resources,
	filters: ParamsInput<"createWatchlist">["filters"],
	{ plan }: RequestContext,
): Promise<void> {
	checkFiltersSize(filters, config.FILTERS_MAX_BYTES);
	const { meta } = await requestService("listProjects", { ...filters, per_page: 1, fields: ["id"] });
	const isFree = !isPaidPlan(plan);
	const maxRequests = isFree ? config.FREE_WATCHLIST_REQUESTS : config.WATCHLIST_REQUESTS;
	const watchlistText = isFree ? "a watchlist on the free plan" : "a watchlist";
	if (meta.total > maxRequests)
		throw invalidField(
			"filters",
			`match ${meta.total} requests, more than the ${maxRequests} allowed for ${watchlistText}`,
		);
}
