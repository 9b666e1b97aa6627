/** What was sent to a webhook, and sending it again. */
import { randomUUID } from "node:crypto";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply, Versioned } from "#libs/contract/index.ts";
import type { DeliveryType } from "#libs/contract/vocabulary.ts";
import { replyList } from "#libs/postgres/list.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import { challengeIn, judgeEcho, waitingChallenge } from "../dispatch/attempt.ts";
import { again, readWebhook, type WebhookRow, wakeDispatchers } from "../dispatch/rows.ts";
import { makeSecret, oldSecretMs, signedHeaders } from "../domain/delivery.ts";
import type { Resources } from "../resources.ts";
import { accountOf, demandOwn, noWebhook, queueCallerOf } from "./account.ts";
import { deliveryColumns } from "./shown.ts";
import { placeOf, showWebhook } from "./webhooks.ts";

type Delivery = Reply<"redeliver">;

async function showDelivery({ sql }: Resources, webhookId: number, id: number): Promise<Versioned<Delivery>> {
	const reply = await jsonReply<Delivery>(
		sql,
		sql`select row_to_json(t) from (
			select ${deliveryColumns(sql)} from deliveries d where webhook_id = ${webhookId} and id = ${id}) t`,
	);
	if (reply === null) throw notFound("no delivery of this webhook has this number, or it is kept no longer");
	return reply;
}

export function listDeliveries(resources: Resources): Handler<"listDeliveries"> {
	const { sql } = resources;
	return async ({ webhook_id, status, ...request }, context) => {
		await demandOwn(sql, { table: "webhooks", id: webhook_id, accountId: accountOf(context) });
		const inState = status === undefined ? sql`true` : sql`d.state = ${status}`;
		return replyList(
			sql,
			{
				filters: { webhook_id, status },
				chosen: sql`deliveries d where webhook_id = ${webhook_id} and ${inState}`,
				sort: [{ column: "id", order: "desc" }],
				rows: sql`select ${deliveryColumns(sql)} from page join deliveries d using (id)`,
			},
			request,
		);
	};
}

/** Not in the queue of the webhook: a test says what is wrong while deliveries wait. An address that is still to prove itself is sent its challenge. */
export function testWebhook(resources: Resources): Handler<"testWebhook"> {
	const { sql, now, sender, outgoing } = resources;
	return async ({ webhook_id }, context) => {
		const webhook = await readWebhook(sql, webhook_id);
		if (webhook?.account_id !== accountOf(context)) throw noWebhook();
		using _slot = await outgoing.acquire(queueCallerOf(context), context.signal);
		const began = now();
		const messageId = `msg_${webhook_id}_${randomUUID()}`;
		const waiting = await waitingChallenge(sql, webhook_id);
		const { type, body } = waiting ?? testOf(webhook, began);
		const challenge = waiting && challengeIn(waiting);
		const { url } = challenge ?? webhook;
		const headers = signedHeaders(webhook, messageId, body, began);
		const sent = judgeEcho(await sender.send(url, headers, body, context.signal), challenge);
		if (waiting !== undefined && sent.delivered) {
			await sql`delete from deliveries where id = ${waiting.id}`;
			await wakeDispatchers(sql);
		}
		const [row] = await sql<{ id: number }[]>`
			insert into deliveries (webhook_id, message_id, type, body, state, attempts, first_attempt_at, last_attempt_at, latency_ms,
				answer_status, answer_start, error, created_at)
			values (${webhook_id}, ${messageId}, ${type}, ${body}, ${sent.delivered ? "delivered" : "failed"}, 1, ${began}, ${began},
				${sent.latencyMs}, ${sent.status}, ${sent.start}, ${sent.error}, ${began})
			returning id`;
		return showDelivery(resources, webhook_id, row?.id ?? 0);
	};
}

function testOf({ id: webhook_id, url }: WebhookRow, now: Date): { type: DeliveryType; body: string } {
	const type = "webhook.test";
	return { type, body: JSON.stringify({ type, timestamp: now.toISOString(), data: { webhook_id, url } }) };
}

export function rotateWebhook(resources: Resources): Handler<"rotateWebhook"> {
	const { sql, now } = resources;
	return async ({ webhook_id: id }, context) => {
		const accountId = accountOf(context);
		const secret = makeSecret();
		const until = new Date(now().getTime() + oldSecretMs);
		await sql`
			update webhooks set old_secret = secret, old_secret_until = ${until}, secret = ${secret}
			where id = ${id} and account_id = ${accountId}`;
		return showWebhook<Reply<"rotateWebhook">>(resources, { id, accountId, secret });
	};
}

export function redeliver(resources: Resources): Handler<"redeliver"> {
	const { sql, now } = resources;
	return async ({ webhook_id, delivery_id }, context) => {
		await demandOwn(sql, { table: "webhooks", id: webhook_id, accountId: accountOf(context) });
		await sql.begin(async (tx) => {
			// A challenge that waits has its times, and a test sends it at once.
			await tx`
				update deliveries set ${again(tx, now())}
				where id = ${delivery_id} and webhook_id = ${webhook_id} and type <> 'webhook.challenge'`;
			await wakeDispatchers(tx);
		});
		return showDelivery(resources, webhook_id, delivery_id);
	};
}

/** What waits is made anew from the log. */
export function replayWebhook(resources: Resources): Handler<"replayWebhook"> {
	const { sql } = resources;
	return async ({ webhook_id: id, after }, context) => {
		const accountId = accountOf(context);
		await demandOwn(sql, { table: "webhooks", id, accountId });
		const seq = await placeOf(resources, after);
		await sql.begin(async (tx) => {
			await tx`update webhooks set seq = ${seq} where id = ${id}`;
			await tx`delete from deliveries where webhook_id = ${id} and state = 'pending' and type <> 'webhook.challenge'`;
			await wakeDispatchers(tx);
		});
		return showWebhook(resources, { id, accountId });
	};
}

export function listNotices({ sql }: Resources): Handler<"listNotices"> {
	return async ({ account_id }) => {
		const reply = await jsonReply<Reply<"listNotices">>(
			sql,
			sql`select json_build_object('notices', coalesce(json_agg(json_build_object('webhook_id', id, 'url', url,
				'disabled_at', iso(disabled_at), 'reason', disabled_reason) order by id), '[]'))
			from webhooks where account_id = ${account_id} and not enabled`,
		);
		return reply ?? { json: '{"notices":[]}', dataVersion: 0 };
	};
}
