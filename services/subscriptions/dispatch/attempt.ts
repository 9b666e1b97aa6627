/** One attempt of a delivery, and what comes of it. */
import type { Sql } from "#libs/postgres/connect.ts";
import { nextAttempt } from "../domain/retry.ts";
import { signedHeaders } from "../domain/signature.ts";
import { challengeIn, judgeEcho } from "./challenge.ts";
import type { DeliveryRow, WebhookRow } from "./rows.ts";
import type { Outcome, Sender } from "./send.ts";

export interface AttemptOptions {
	sql: Sql;
	sender: Sender;
	now(): Date;
	/** See `nextAttempt`. */
	retryMs: number;
	signal: AbortSignal;
}

export interface Attempted {
	delivered: boolean;
	/** When it is tried again; null: never. */
	next: Date | null;
}

/** @throws when the signal fires: what came of it is then not known, and it is sent again */
export async function attempt(webhook: WebhookRow, delivery: DeliveryRow, options: AttemptOptions): Promise<Attempted> {
	const { sql, sender, now, retryMs, signal } = options;
	const challenge = challengeIn(delivery);
	// The address was changed after the webhook was read: its echo would prove another one.
	if (challenge !== undefined && challenge.url !== webhook.url) return { delivered: false, next: now() };
	const began = now();
	const headers = signedHeaders(webhook, delivery.message_id, delivery.body, began);
	const outcome = judgeEcho(await sender.send(webhook.url, headers, delivery.body, signal), challenge);
	const attempts = delivery.attempts + 1;
	const firstAt = delivery.first_attempt_at === null ? began : new Date(delivery.first_attempt_at);
	// Who answers so wants no more (Standard Webhooks).
	const next = outcome.delivered || outcome.status === 410 ? null : nextAttempt(attempts, firstAt, now(), retryMs);
	await sql.begin(async (tx) => {
		const kept = await tx`
			update deliveries set state = ${outcome.delivered ? "delivered" : "pending"}, attempts = ${attempts},
				first_attempt_at = ${firstAt}, last_attempt_at = ${began}, next_attempt_at = ${next},
				latency_ms = ${outcome.latencyMs}, answer_status = ${outcome.status}, answer_start = ${outcome.start},
				error = ${outcome.error}
			where id = ${delivery.id} and state = 'pending' and attempts = ${delivery.attempts}`;
		if (kept.count === 0) return;
		if (outcome.delivered !== webhook.last_delivered)
			await tx`update webhooks set last_delivered = ${outcome.delivered} where id = ${webhook.id}`;
		if (outcome.delivered || next !== null) return;
		await tx`
			update webhooks set enabled = false, disabled_at = ${now()}, disabled_reason = ${reasonOf(outcome, attempts)}
			where id = ${webhook.id} and enabled`;
	});
	return { delivered: outcome.delivered, next };
}

const reasonOf = ({ status, error }: Outcome, attempts: number): string =>
	status === 410
		? "it answered 410: it wants no more deliveries"
		: `${attempts} attempts in three days failed, the last because ${error}`.slice(0, 500);
