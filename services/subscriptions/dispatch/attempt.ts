/** Attempts a delivery and records the outcome; and the challenge that a webhook's address must echo first. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { nextAttempt, signedHeaders } from "../domain/delivery.ts";
import { type DeliveryRow, firstPending, type WebhookRow } from "./rows.ts";
import type { Outcome, Sender } from "./send.ts";

interface AttemptOptions {
	sql: Sql;
	sender: Sender;
	now(): Date;
	retryMs: number;
	signal: AbortSignal;
}

/** @throws when the signal fires: the outcome is unknown then, and the delivery is sent again */
export async function attemptDelivery(webhook: WebhookRow, delivery: DeliveryRow, options: AttemptOptions) {
	const { sql, sender, now, retryMs, signal } = options;
	const challenge = challengeIn(delivery);
	// The address was changed after the webhook was read: the old address must not prove the new one.
	if (challenge !== undefined && challenge.url !== webhook.url) return { delivered: false, next: now() };
	const began = now();
	const headers = signedHeaders(webhook, delivery.message_id, delivery.body, began);
	const outcome = judgeEcho(await sender.send(webhook.url, headers, delivery.body, signal), challenge);
	const attempts = delivery.attempts + 1;
	const firstAt = delivery.first_attempt_at === null ? began : new Date(delivery.first_attempt_at);
	// In Standard Webhooks, 410 means that no further deliveries are wanted.
	const next = outcome.delivered || outcome.status === 410 ? null : nextAttempt(attempts, firstAt, now(), retryMs);
	await sql.begin(async (tx) => {
		const recorded = await tx`
			update deliveries set state = ${outcome.delivered ? "delivered" : "pending"}, attempts = ${attempts},
				first_attempt_at = ${firstAt}, last_attempt_at = ${began}, next_attempt_at = ${next},
				latency_ms = ${outcome.latencyMs}, answer_status = ${outcome.status}, answer_start = ${outcome.start},
				error = ${outcome.error}
			where id = ${delivery.id} and state = 'pending' and attempts = ${delivery.attempts}`;
		if (recorded.count === 0) return;
		if (outcome.delivered !== webhook.last_delivered)
			await tx`update webhooks set last_delivered = ${outcome.delivered} where id = ${webhook.id}`;
		if (outcome.delivered || next !== null) return;
		await tx`
			update webhooks set enabled = false, disabled_at = ${now()}, disabled_reason = ${disabledReason(outcome, attempts)}
			where id = ${webhook.id} and enabled`;
	});
	return { delivered: outcome.delivered, next };
}

const disabledReason = ({ status, error }: Outcome, attempts: number): string =>
	status === 410
		? "it answered 410: it wants no more deliveries"
		: `${attempts} attempts in three days failed, the last because ${error}`.slice(0, 500);

const type = "webhook.challenge";
/** Lower than every `seq`: a digest of an empty log has 0. */
export const challengeSeq = -1;

/**
 * Sends a challenge to the address of a webhook, which proves by its echo that its owner wants deliveries there. The challenge is the first
 * delivery of the webhook, which is unproven while the challenge is pending. Replaces the challenge of an earlier address.
 */
export async function queueChallenge(
	tx: Transaction,
	{ id, url }: { id: number; url: string },
	now: Date,
): Promise<void> {
	const challenge = randomBytes(24).toString("base64url");
	const body = JSON.stringify({ type, timestamp: now.toISOString(), data: { webhook_id: id, url, challenge } });
	await tx`delete from deliveries where webhook_id = ${id} and type = ${type}`;
	await tx`
		insert into deliveries (webhook_id, message_id, type, seq, body, state, next_attempt_at, created_at)
		values (${id}, ${`msg_${id}_${randomUUID()}`}, ${type}, ${challengeSeq}, ${body}, 'pending', ${now}, ${now})`;
}

export interface Challenge {
	url: string;
	challenge: string;
}

export const challengeIn = (delivery: Pick<DeliveryRow, "type" | "body">): Challenge | undefined =>
	delivery.type === type ? JSON.parse(delivery.body).data : undefined;

/** The challenge that a webhook's address has not echoed. It precedes all other deliveries. */
export async function readPendingChallenge(sql: Sql, webhookId: number): Promise<DeliveryRow | undefined> {
	const first = await firstPending(sql, webhookId);
	return first?.type === type ? first : undefined;
}

/** A challenge is delivered only if the response echoes it. */
export function judgeEcho(outcome: Outcome, challenge: Challenge | undefined): Outcome {
	if (challenge === undefined || !outcome.delivered || echoIn(outcome.start ?? "") === challenge.challenge)
		return outcome;
	return { ...outcome, delivered: false, error: "it did not echo the challenge" };
}

/** The challenge as text, or as the member `challenge` of a JSON object. */
function echoIn(response: string): unknown {
	try {
		return JSON.parse(response).challenge;
	} catch {
		return response.trim();
	}
}
