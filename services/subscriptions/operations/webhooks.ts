/** Lists and changes an account's webhooks: addresses, filters, secrets, and positions in the change log. */
import type { Handlers, Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { makeSecret as makeToken } from "#libs/contract/key.ts";
import { emailAddress } from "#libs/contract/operations/access/billing-fields.ts";
import { isPaidPlan, type WebhookFormat } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { queueChallenge } from "../dispatch/attempt.ts";
import {
	challengeSeq,
	challengeType,
	dropOldUsage,
	mailAddressOf,
	provenSql,
	readWebhook,
	resetAttempts,
	type WebhookRow,
	wakeDispatchers,
} from "../dispatch/rows.ts";
import { makeSecret, oldSecretMs } from "../domain/delivery.ts";
import type { Resources } from "../resources.ts";
import {
	checkCount,
	checkFiltersSize,
	invalidField,
	listOwned,
	queueCallerOf,
	readOwned,
	requireAccount,
	unknownRow,
} from "./account.ts";
import { countMail } from "./mails.ts";

const columns = (sql: Sql, now: Date): Fragment => sql`
	w.id as webhook_id, w.url, w.format, w.filters, w.watchlist_id, w.include_row, w.digest, w.events, w.enabled,
	${provenSql(sql, sql`w.id`)} as proven,
	iso(w.disabled_at) as disabled_at, w.disabled_reason, w.seq,
	(select count(*) from deliveries d where d.webhook_id = w.id and d.state = 'pending') as pending,
	case when w.old_secret_until > ${now}::timestamptz then iso(w.old_secret_until) end as old_secret_until,
	iso(w.created_at) as created_at`;

export const webhookOperations = (resources: Resources) => {
	const { sql, now, config } = resources;
	return {
		getWebhook: ({ webhook_id: id }, context) => showWebhook(resources, { id, accountId: requireAccount(context) }),

		listWebhooks: async (request, context) =>
			listOwned(sql, { table: "webhooks", accountId: requireAccount(context) }, columns(sql, now()), request),

		async createWebhook({ filters = null, watchlist_id = null, include_row, events, after, ...params }, context) {
			const accountId = requireAccount(context);
			checkFiltersSize(filters, config.FILTERS_MAX_BYTES);
			const { url, format } = await checkAddress(resources, params, context);
			const { digest = format === "email" ? "daily" : null } = params;
			const seq = await readStartSeq(resources, after);
			const secret = makeSecret();
			const day = digest === null ? null : dayOf(now());
			const id = await sql.begin(async (tx) => {
				await checkCount(tx, "webhooks", { accountId, maxRows: config.WEBHOOKS_PER_ACCOUNT });
				await useWatchlist(tx, accountId, watchlist_id, now());
				const [row] = await tx<{ id: number }[]>`
					insert into webhooks (account_id, free, url, format, filters, watchlist_id, include_row, digest, digest_day, events, secret, seq, created_at)
					values (${accountId}, ${!isPaidPlan(context.plan)}, ${url}, ${format}, ${jsonOf(filters)}::text::jsonb, ${watchlist_id}, ${include_row},
						${digest}, ${day}::date, ${events}::text[], ${secret}, ${seq}, ${now()})
					returning id`;
				const id = row?.id ?? 0;
				await requireProof(tx, { id, accountId, url, format }, now());
				await wakeDispatchers(tx);
				return id;
			});
			return showWebhook<Reply<"createWebhook">>(resources, { id, accountId, secret });
		},

		async changeWebhook({ webhook_id: id, include_row, events, enabled, ...changes }, context) {
			const accountId = requireAccount(context);
			checkFiltersSize(changes.filters, config.FILTERS_MAX_BYTES);
			const stored = await readWebhook(sql, id);
			if (stored?.account_id !== accountId) throw unknownRow("webhooks");
			const isMoved = changes.url !== undefined || changes.format !== undefined;
			// A webhook that subscribes to changes again skips the changes recorded meanwhile.
			const resumes = events?.includes("changes") === true && !stored.events.includes("changes");
			const head = resumes ? await resources.changeLog.head() : 0;
			const newAddress = isMoved ? await checkAddress(resources, changes, context, stored) : undefined;
			await sql.begin(async (tx) => {
				const [row] = await tx<Pick<WebhookRow, "url" | "format" | "filters" | "watchlist_id" | "digest">[]>`
					select url, format, filters, watchlist_id, digest from webhooks where id = ${id} and account_id = ${accountId} for update`;
				if (row === undefined) throw unknownRow("webhooks");
				const { url, format } = newAddress ?? row;
				const { filters = row.filters, watchlist_id = row.watchlist_id, digest = row.digest } = changes;
				if (filters !== null && watchlist_id !== null)
					throw invalidField("filters", "cannot be combined with watchlist_id: one of the two must be null");
				await useWatchlist(tx, accountId, watchlist_id, now());
				const day = digest === null ? null : dayOf(now());
				await tx`
					update webhooks set url = ${url}, format = ${format}, filters = ${jsonOf(filters)}::text::jsonb,
						watchlist_id = ${watchlist_id}, include_row = coalesce(${include_row ?? null}, include_row), events = coalesce(${events ?? null}::text[], events),
						seq = greatest(seq, ${head}),
						digest_day = case when digest is not distinct from ${digest} and not ${resumes} then digest_day else ${day}::date end, digest = ${digest}
					where id = ${id}`;
				if (url !== row.url || format !== row.format) await requireProof(tx, { id, accountId, url, format }, now());
				if (enabled === true) await enableWebhook(tx, { id, accountId, url, format }, now());
				if (enabled === false)
					await tx`
						update webhooks set enabled = false, disabled_at = ${now()}, disabled_reason = 'the account disabled it'
						where id = ${id} and enabled`;
				await wakeDispatchers(tx);
			});
			return showWebhook(resources, { id, accountId });
		},

		async deleteWebhook({ webhook_id: id }, context) {
			const deleted = await sql`delete from webhooks where id = ${id} and account_id = ${requireAccount(context)}`;
			if (deleted.count === 0) throw unknownRow("webhooks");
			return { json: "{}", dataVersion: 0 };
		},

		async rotateWebhook({ webhook_id: id }, context) {
			const accountId = requireAccount(context);
			const secret = makeSecret();
			const until = new Date(now().getTime() + oldSecretMs);
			await sql`
				update webhooks set old_secret = secret, old_secret_until = ${until}, secret = ${secret}
				where id = ${id} and account_id = ${accountId}`;
			return showWebhook<Reply<"rotateWebhook">>(resources, { id, accountId, secret });
		},

		async replayWebhook({ webhook_id: id, after }, context) {
			const accountId = requireAccount(context);
			const webhook = await readWebhook(sql, id);
			if (webhook?.account_id !== accountId) throw unknownRow("webhooks");
			const seq = await readStartSeq(resources, after);
			await sql.begin(async (tx) => {
				if (webhook.format === "email") await countMail(tx, { accountId, url: webhook.url, at: now() });
				await tx`update webhooks set seq = ${seq} where id = ${id}`;
				await tx`delete from deliveries where webhook_id = ${id} and state = 'pending' and seq > ${challengeSeq}`;
				await wakeDispatchers(tx);
			});
			return showWebhook(resources, { id, accountId });
		},
	} satisfies Partial<Handlers<"subscriptions">>;
};

async function showWebhook<R extends Reply<"getWebhook"> = Reply<"getWebhook">>(
	{ sql, now }: Resources,
	{ id, accountId, secret }: { id: number; accountId: number; secret?: string },
): Promise<Versioned<R>> {
	const secretColumn = secret === undefined ? sql`` : sql`, ${secret}::text as secret`;
	return readOwned<R>(sql, { table: "webhooks", id, accountId }, sql`${columns(sql, now())}${secretColumn}`);
}

/**
 * Enables a webhook. Pending deliveries are attempted immediately, and again for three days. A challenge waits for its planned attempt;
 * otherwise an account could have challenges sent to another party's address without a pause.
 */
async function enableWebhook(
	tx: Transaction,
	{ id, accountId, url, format }: WebhookAddress,
	now: Date,
): Promise<void> {
	await dropOldUsage(tx, id, now);
	await tx`
		update webhooks set enabled = true, disabled_at = null, disabled_reason = null where id = ${id}`;
	await tx`
		update deliveries set ${resetAttempts(tx, now)} where webhook_id = ${id} and state = 'pending' and seq is distinct from ${challengeSeq}`;
	// A challenge whose last attempt failed has no next attempt, so it is attempted again for three days. A link that was not opened is mailed again.
	const challenge = await tx`
		update deliveries set first_attempt_at = null, next_attempt_at = ${now}
		where webhook_id = ${id} and state = 'pending' and seq = ${challengeSeq} and next_attempt_at is null`;
	if (challenge.count > 0 && format === "email") await countMail(tx, { accountId, url, at: now });
}

interface WebhookAddress {
	id: number;
	accountId: number;
	url: string;
	format: WebhookFormat;
}

/** Queues a challenge or link, so that a new address is proven before anything else is sent to it. Slack and Teams need no proof. */
async function requireProof(tx: Transaction, { id, accountId, url, format }: WebhookAddress, now: Date): Promise<void> {
	const token = format === "email" ? makeToken("ml_") : null;
	await tx`update webhooks set mail_token = ${token} where id = ${id}`;
	if (format === "email") await countMail(tx, { accountId, url, at: now });
	if (format === "slack" || format === "teams")
		await tx`delete from deliveries where webhook_id = ${id} and type = ${challengeType}`;
	else await queueChallenge(tx, { id, url }, now);
}

type Address = Pick<WebhookAddress, "url" | "format">;

/** Returns the requested address, or the current one, with its format. @throws AppError 422 if deliveries may not be sent there */
async function checkAddress(
	{ sender, outgoing, config }: Resources,
	requested: { url?: string | undefined; format?: WebhookFormat | undefined },
	context: RequestContext,
	current: Partial<Address> = {},
): Promise<Address> {
	const { url = current.url ?? "" } = requested;
	const isMail = /^mailto:/i.test(url);
	const { format = isMail ? "email" : current.format === "email" ? "json" : (current.format ?? "json") } = requested;
	if (isMail !== (format === "email"))
		throw invalidField("format", isMail ? "must be email for a mailto: address" : "email requires a mailto: address");
	if (isMail) {
		const address = emailAddress().safeParse(mailAddressOf(url));
		if (!address.success) throw invalidField("url", "must be mailto: followed by an e-mail address");
		if (config.SMTP_URL === undefined)
			throw invalidField("url", "cannot be an e-mail address: this service sends no mails");
		return { url: `mailto:${address.data}`, format };
	}
	using _slot = await outgoing.acquire(queueCallerOf(context), context.signal);
	const fault = await sender.findUrlFault(url, format);
	if (fault !== undefined) throw invalidField("url", fault);
	return { url, format };
}

/**
 * Records the use of the watchlist that a webhook will follow, and locks it against deletion. @throws AppError 422 if the account has no such
 * watchlist
 */
async function useWatchlist(tx: Transaction, accountId: number, id: number | null, at: Date): Promise<void> {
	if (id === null) return;
	const { count } =
		await tx`update watchlists set used_at = greatest(used_at, ${at}) where id = ${id} and account_id = ${accountId}`;
	if (count === 0) throw invalidField("watchlist_id", "no watchlist of this account has this number");
}

/** Returns `after`, or the newest `seq` if it is undefined. @throws AppError 422 if `after` is larger than the newest */
async function readStartSeq({ changeLog }: Resources, after: number | undefined): Promise<number> {
	const head = await changeLog.head();
	if (after !== undefined && after > head)
		throw invalidField("after", `does not exist yet: the newest change has seq ${head}`);
	return after ?? head;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const jsonOf = (filters: object | null): string | null => (filters === null ? null : JSON.stringify(filters));
