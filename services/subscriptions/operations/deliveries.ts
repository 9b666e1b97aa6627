/** Lists the deliveries of a webhook, sends a test, and sends a delivery again. */
import { randomUUID } from "node:crypto";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Handlers, Reply, Versioned } from "#libs/contract/index.ts";
import type { DeliveryType } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { jsonReply, oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { readChallenge, readPendingChallenge, requireEcho } from "../dispatch/attempt.ts";
import {
	challengeSeq,
	challengeType,
	readWebhook,
	resetAttempts,
	type WebhookRow,
	wakeDispatchers,
} from "../dispatch/rows.ts";
import type { Resources } from "../resources.ts";
import { checkOwned, queueCallerOf, requireAccount, unknownRow } from "./account.ts";
import { countMail } from "./mails.ts";

type Delivery = Reply<"redeliver">;

const columns = (sql: Sql): Fragment => sql`
	d.id as delivery_id, d.message_id, d.type, nullif(d.seq, ${challengeSeq}) as seq, d.state as status, d.attempts, d.latency_ms,
	d.answer_status, d.answer_start, d.error, iso(d.created_at) as created_at, iso(d.last_attempt_at) as last_attempt_at,
	iso(d.next_attempt_at) as next_attempt_at`;

export const deliveryOperations = (resources: Resources) => {
	const { sql, now, deliver, outgoing } = resources;
	return {
		async listDeliveries({ webhook_id, status, ...request }, context) {
			await checkOwned(sql, { table: "webhooks", id: webhook_id, accountId: requireAccount(context) });
			const inState = status === undefined ? sql`true` : sql`d.state = ${status}`;
			return replyList(
				sql,
				{
					filters: { webhook_id, status },
					chosen: sql`deliveries d where webhook_id = ${webhook_id} and ${inState}`,
					sort: [{ column: "id", order: "desc" }],
					rows: sql`select ${columns(sql)} from page join deliveries d using (id)`,
				},
				request,
			);
		},

		/** Sends ahead of pending deliveries: the challenge to a new address, a test message to a proven one. Returns the outcome. */
		async testWebhook({ webhook_id }, context) {
			const webhook = await readWebhook(sql, webhook_id);
			const accountId = requireAccount(context);
			if (webhook?.account_id !== accountId) throw unknownRow("webhooks");
			const isMail = webhook.format === "email";
			if (isMail) await sql.begin((tx) => countMail(tx, { accountId, url: webhook.url, at: now() }));
			using _slot = await outgoing.acquire(queueCallerOf(context), context.signal);
			const startedAt = now();
			const messageId = `msg_${webhook_id}_${randomUUID()}`;
			const pending = await readPendingChallenge(sql, webhook_id);
			const { type, body } = pending ?? testMessage(webhook, startedAt);
			const challenge = pending && readChallenge(pending);
			const { url } = challenge ?? webhook;
			const message = { message_id: messageId, type, body };
			const sent = await deliver({ ...webhook, url }, message, startedAt, context.signal);
			const outcome = isMail ? sent : requireEcho(sent, challenge);
			if (pending !== undefined && outcome.delivered && !isMail) {
				await sql`delete from deliveries where id = ${pending.id}`;
				await wakeDispatchers(sql);
			}
			const [row] = await sql<{ id: number }[]>`
				insert into deliveries (webhook_id, message_id, type, body, state, attempts, first_attempt_at, last_attempt_at, latency_ms,
					answer_status, answer_start, error, created_at)
				values (${webhook_id}, ${messageId}, ${type}, ${body}, ${outcome.delivered ? "delivered" : "failed"}, 1, ${startedAt}, ${startedAt},
					${outcome.latencyMs}, ${outcome.status}, ${outcome.start}, ${outcome.error}, ${startedAt})
				returning id`;
			return showDelivery(sql, webhook_id, row?.id ?? 0);
		},

		async redeliver({ webhook_id, delivery_id }, context) {
			const accountId = requireAccount(context);
			const webhook = await readWebhook(sql, webhook_id);
			if (webhook?.account_id !== accountId) throw unknownRow("webhooks");
			await sql.begin(async (tx) => {
				if (webhook.format === "email") await countMail(tx, { accountId, url: webhook.url, at: now() });
				// A challenge waits for its next attempt; `testWebhook` sends it at once.
				await tx`
					update deliveries set ${resetAttempts(tx, now())}
					where id = ${delivery_id} and webhook_id = ${webhook_id} and type <> ${challengeType}`;
				await wakeDispatchers(tx);
			});
			return showDelivery(sql, webhook_id, delivery_id);
		},
	} satisfies Partial<Handlers<"subscriptions">>;
};

async function showDelivery(sql: Sql, webhookId: number, id: number): Promise<Versioned<Delivery>> {
	const reply = await jsonReply<Delivery>(
		sql,
		sql`select row_to_json(t) from (
			select ${columns(sql)} from deliveries d where webhook_id = ${webhookId} and id = ${id}) t`,
	);
	if (reply === null)
		throw notFound("no delivery of this webhook has this number, or the delivery was old and has been deleted");
	return reply;
}

function testMessage({ id: webhook_id, url }: WebhookRow, now: Date): { type: DeliveryType; body: string } {
	const type = "webhook.test";
	return { type, body: JSON.stringify({ type, timestamp: now.toISOString(), data: { webhook_id, url } }) };
}

/** Lists an account's disabled webhooks. The gateway calls it without an account in the context. */
export const listNotices =
	({ sql }: Resources): Handler<"listNotices"> =>
	({ account_id }) =>
		oneJsonReply<Reply<"listNotices">>(
			sql,
			sql`select json_build_object('notices', coalesce(json_agg(json_build_object('webhook_id', id, 'url', url,
				'disabled_at', iso(disabled_at), 'reason', disabled_reason) order by id), '[]'))
			from webhooks where account_id = ${account_id} and not enabled`,
		);
