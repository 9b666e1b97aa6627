/** Rows of the tables `webhooks` and `deliveries`, and the statements that several files use. */
import type { DeliveryType, WebhookEvent, WebhookFormat } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { WebhookFilters } from "../domain/changes.ts";
import type { Secrets } from "../domain/delivery.ts";

export interface WebhookRow extends Secrets {
	id: number;
	account_id: number;
	url: string;
	format: WebhookFormat;
	/** Part of the links in mails; null for other formats. */
	mail_token: string | null;
	filters: WebhookFilters | null;
	watchlist_id: number | null;
	include_row: boolean;
	digest: "daily" | null;
	events: WebhookEvent[];
	/** The day (UTC) of the next digest. */
	digest_day: string | null;
	/** Position in the change log: changes up to this `seq` have been queued as deliveries, or do not concern the webhook. */
	seq: number;
	enabled: boolean;
	/** Whether the last attempt succeeded. Webhooks whose last attempt failed have at most half of the slots. */
	last_delivered: boolean;
}

export interface DeliveryRow {
	id: number;
	message_id: string;
	type: DeliveryType;
	body: string;
	attempts: number;
	first_attempt_at: string | null;
	next_attempt_at: string | null;
}

export const challengeType = "webhook.challenge";
/** The `seq` of a challenge, which is lower than that of any message, so that it is sent first. The digest of an empty log has 0. */
export const challengeSeq = -1;

/** Whether the address of a webhook is proven. `id`: the column with the webhook's id in the surrounding statement. */
export const provenSql = (sql: Sql | Transaction, id: Fragment): Fragment => sql`
	not exists (select from deliveries d where d.webhook_id = ${id} and d.state = 'pending' and d.seq = ${challengeSeq})`;

/** Whether an enabled webhook with a proven address follows the watchlist `w`. */
export const followedSql = (sql: Sql | Transaction): Fragment => sql`
	exists (select from webhooks f where f.watchlist_id = w.id and f.enabled and ${provenSql(sql, sql`f.id`)})`;

/** Returns the e-mail address in a `mailto:` URL. */
export const mailAddressOf = (url: string): string => url.slice("mailto:".length);

export interface Message {
	message_id: string;
	type: DeliveryType;
	seq: number;
	body: string;
}

export async function readWebhook(sql: Sql, id: number): Promise<WebhookRow | undefined> {
	const [row] = await sql<WebhookRow[]>`
		select id, account_id, url, format, mail_token, filters, watchlist_id, include_row, digest, digest_day, events, seq, enabled, last_delivered, secret, old_secret,
			old_secret_until
		from webhooks where id = ${id}`;
	return row;
}

/** Reads the pending delivery with the lowest `seq`, which is sent next. */
export async function readFirstPending(sql: Sql, webhookId: number): Promise<DeliveryRow | undefined> {
	const [row] = await sql<DeliveryRow[]>`
		select id, message_id, type, body, attempts, first_attempt_at, next_attempt_at
		from deliveries where webhook_id = ${webhookId} and state = 'pending' order by seq, id limit 1`;
	return row;
}

/** Queues messages as pending deliveries. A message with the id of an earlier delivery replaces it and is sent again. */
export async function queueMessages(
	tx: Transaction,
	webhookId: number,
	messages: readonly Message[],
	now: Date,
): Promise<void> {
	if (messages.length === 0) return;
	const column = <K extends keyof Message>(name: K) => messages.map((message) => message[name]);
	await tx`
		insert into deliveries as d (webhook_id, message_id, type, seq, body, state, next_attempt_at, created_at)
		select ${webhookId}, m.message_id, m.type, m.seq, m.body, 'pending', ${now}, ${now}
		from unnest(${column("message_id")}::text[], ${column("type")}::text[], ${column("seq")}::bigint[], ${column("body")}::text[])
			as m (message_id, type, seq, body)
		on conflict (webhook_id, message_id) do update set ${resetAttempts(tx, now)}, type = excluded.type, body = excluded.body`;
}

/** Deletes pending messages about usage in earlier months, which are outdated, before a disabled or unconfirmed webhook sends again. */
export const dropOldUsage = (tx: Transaction, webhookId: number, now: Date) => tx`
	delete from deliveries where webhook_id = ${webhookId} and state = 'pending' and type = 'usage.reached'
		and body::jsonb -> 'data' ->> 'month' < ${now.toISOString().slice(0, 7)}`;

/** Assignments of an `update` that makes a delivery pending, as if it had not been attempted. */
export const resetAttempts = (sql: Sql | Transaction, now: Date): Fragment => sql`
	state = 'pending', attempts = 0, first_attempt_at = null, next_attempt_at = ${now}::timestamptz`;

/** Wakes the dispatchers of all replicas when the transaction commits. */
export async function wakeDispatchers(sql: Sql | Transaction): Promise<void> {
	await sql`select pg_notify('subscriptions_due', '')`;
}
