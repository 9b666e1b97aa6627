/** Makes what follows in the log a webhook's deliveries. */
import type { ChangeLog } from "#libs/bus/change-log.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { addTo, digestMessage, emptyDigest } from "./digest.ts";
import { itemsAfter, messageOf } from "./messages.ts";
import { type Message, queue, type WebhookRow } from "./rows.ts";

export interface FillOptions {
	sql: Sql;
	log: ChangeLog;
	now(): Date;
}

/** @returns whether it went on in the log. Of a webhook without deliveries that wait. */
export function fill(webhook: WebhookRow, options: FillOptions): Promise<boolean> {
	return webhook.digest === null ? fillChanges(webhook, options) : fillDigest(webhook, options);
}

async function fillChanges(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const { items, next } = await itemsAfter(sql, log, webhook, webhook.seq);
	if (next === webhook.seq) return false;
	const messages = items.map((item) => messageOf(webhook, item));
	return advance(sql, webhook, { messages, next, now: now() });
}

async function fillDigest(webhook: WebhookRow, { sql, log, now }: FillOptions): Promise<boolean> {
	const moment = now();
	const today = moment.toISOString().slice(0, 10);
	if (webhook.digest_day === null || today <= webhook.digest_day) return false;
	const digest = emptyDigest();
	let next = webhook.seq;
	for (;;) {
		const page = await itemsAfter(sql, log, webhook, next);
		if (page.next === next) break;
		for (const item of page.items) addTo(digest, item);
		next = page.next;
	}
	const day = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
	const messages = [digestMessage(webhook, { day, next, digest })];
	return advance(sql, webhook, { messages, next, now: moment, today });
}

interface Advance {
	messages: readonly Message[];
	next: number;
	now: Date;
	/** Of a digest. */
	today?: string;
}

/** Nothing where the webhook was changed meanwhile: it is looked at again. */
function advance(
	sql: Sql,
	{ id, seq, digest_day }: WebhookRow,
	{ messages, next, now, today }: Advance,
): Promise<boolean> {
	return sql.begin(async (tx) => {
		const moved = await tx`
			update webhooks set seq = ${next}, digest_day = ${today ?? digest_day}::date
			where id = ${id} and seq = ${seq} and enabled`;
		if (moved.count === 0) return false;
		await queue(tx, id, messages, now);
		return true;
	});
}
