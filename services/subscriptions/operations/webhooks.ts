/** What webhooks an account has: reading, making, changing and deleting them. */
import type { Handler, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { isPaidPlan } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { challengeSeq, queueChallenge } from "../dispatch/attempt.ts";
import { again, wakeDispatchers } from "../dispatch/rows.ts";
import { makeSecret } from "../domain/delivery.ts";
import type { Resources } from "../resources.ts";
import {
	accountOf,
	boundFilters,
	demandWatchlist,
	fault,
	makeRoom,
	noWebhook,
	queueCallerOf,
	showOwn,
} from "./account.ts";
import { webhookColumns } from "./shown.ts";

type Webhook = Reply<"getWebhook">;
type WithSecret = Reply<"createWebhook">;

/** One of the account's. @throws AppError 404 */
export async function showWebhook<R extends Webhook = Webhook>(
	{ sql, now }: Resources,
	{ id, accountId, secret }: { id: number; accountId: number; secret?: string },
): Promise<Versioned<R>> {
	const more = secret === undefined ? sql`` : sql`, ${secret}::text as secret`;
	return showOwn<R>(sql, { table: "webhooks", id, accountId }, sql`${webhookColumns(sql, now())}${more}`);
}

export function getWebhook(resources: Resources): Handler<"getWebhook"> {
	return ({ webhook_id: id }, context) => showWebhook(resources, { id, accountId: accountOf(context) });
}

export function listWebhooks({ sql, now }: Resources): Handler<"listWebhooks"> {
	return async (request, context) => {
		const accountId = accountOf(context);
		return replyList(
			sql,
			{
				filters: { accountId },
				chosen: sql`webhooks w where account_id = ${accountId}`,
				sort: [{ column: "id" }],
				rows: sql`select ${webhookColumns(sql, now())} from page join webhooks w using (id)`,
			},
			request,
		);
	};
}

export function createWebhook(resources: Resources): Handler<"createWebhook"> {
	const { sql, now, limits } = resources;
	return async ({ url, filters = null, watchlist_id = null, include_row, digest = null, after }, context) => {
		const accountId = accountOf(context);
		boundFilters(filters, limits.filtersBytes);
		await demandAddress(resources, url, context);
		const seq = await placeOf(resources, after);
		const secret = makeSecret();
		const day = digest === null ? null : dayOf(now());
		const id = await sql.begin(async (tx) => {
			await makeRoom(tx, "webhooks", { accountId, most: limits.webhooksPerAccount });
			await demandWatchlist(tx, accountId, watchlist_id);
			const [row] = await tx<{ id: number }[]>`
				insert into webhooks (account_id, free, url, filters, watchlist_id, include_row, digest, digest_day, secret, seq, created_at)
				values (${accountId}, ${!isPaidPlan(context.plan)}, ${url}, ${jsonOf(filters)}::text::jsonb, ${watchlist_id}, ${include_row},
					${digest}, ${day}::date, ${secret}, ${seq}, ${now()})
				returning id`;
			const id = row?.id ?? 0;
			await queueChallenge(tx, { id, url }, now());
			await wakeDispatchers(tx);
			return id;
		});
		return showWebhook<WithSecret>(resources, { id, accountId, secret });
	};
}

export function changeWebhook(resources: Resources): Handler<"changeWebhook"> {
	const { sql, now, limits } = resources;
	return async ({ webhook_id: id, url, include_row, enabled, ...changed }, context) => {
		const accountId = accountOf(context);
		boundFilters(changed.filters, limits.filtersBytes);
		if (url !== undefined) await demandAddress(resources, url, context);
		await sql.begin(async (tx) => {
			const [row] = await tx<
				{ url: string; filters: object | null; watchlist_id: number | null; digest: string | null }[]
			>`
				select url, filters, watchlist_id, digest from webhooks where id = ${id} and account_id = ${accountId} for update`;
			if (row === undefined) throw noWebhook();
			const { filters = row.filters, watchlist_id = row.watchlist_id, digest = row.digest } = changed;
			if (filters !== null && watchlist_id !== null)
				throw fault("filters", "does not go with watchlist_id, which has its own: one of them must be null");
			await demandWatchlist(tx, accountId, watchlist_id);
			const day = digest === null ? null : dayOf(now());
			await tx`
				update webhooks set url = coalesce(${url ?? null}, url), filters = ${jsonOf(filters)}::text::jsonb,
					watchlist_id = ${watchlist_id}, include_row = coalesce(${include_row ?? null}, include_row),
					digest_day = case when digest is not distinct from ${digest} then digest_day else ${day}::date end, digest = ${digest}
				where id = ${id}`;
			if (url !== undefined && url !== row.url) await queueChallenge(tx, { id, url }, now());
			if (enabled !== undefined) await enable(tx, { id, enabled, now: now() });
			await wakeDispatchers(tx);
		});
		return showWebhook(resources, { id, accountId });
	};
}

/** What waits is tried at once where it is enabled again, for three days. A challenge keeps its times, or it could be sent without a pause. */
async function enable(
	tx: Transaction,
	{ id, enabled, now }: { id: number; enabled: boolean; now: Date },
): Promise<void> {
	if (!enabled) {
		await tx`
			update webhooks set enabled = false, disabled_at = ${now}, disabled_reason = 'it was disabled by the account'
			where id = ${id} and enabled`;
		return;
	}
	await tx`
		update webhooks set enabled = true, disabled_at = null, disabled_reason = null where id = ${id}`;
	await tx`
		update deliveries set ${again(tx, now)} where webhook_id = ${id} and state = 'pending' and seq is distinct from ${challengeSeq}`;
	// One that was given up.
	await tx`
		update deliveries set first_attempt_at = null, next_attempt_at = ${now}
		where webhook_id = ${id} and state = 'pending' and seq = ${challengeSeq} and next_attempt_at is null`;
}

export function deleteWebhook({ sql }: Resources): Handler<"deleteWebhook"> {
	return async ({ webhook_id: id }, context) => {
		const gone = await sql`delete from webhooks where id = ${id} and account_id = ${accountOf(context)}`;
		if (gone.count === 0) throw noWebhook();
		return { json: "{}", dataVersion: 0 };
	};
}

/** @throws AppError 422 */
async function demandAddress({ sender, outgoing }: Resources, url: string, context: RequestContext): Promise<void> {
	using _slot = await outgoing.acquire(queueCallerOf(context), context.signal);
	const wrong = await sender.faultOf(url);
	if (wrong !== undefined) throw fault("url", wrong);
}

/** Where a webhook begins: after a `seq`, or at the newest. @throws AppError 422 for one that is not yet */
export async function placeOf({ log }: Resources, after: number | undefined): Promise<number> {
	const head = await log.head();
	if (after !== undefined && after > head) throw fault("after", `is not yet: the newest change has seq ${head}`);
	return after ?? head;
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
const jsonOf = (filters: object | null): string | null => (filters === null ? null : JSON.stringify(filters));
