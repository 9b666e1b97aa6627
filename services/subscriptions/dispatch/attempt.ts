/**
 * Sends a delivery once, and records the outcome. The first delivery to a new address is a challenge, which the response must echo before any
 * other delivery is sent; for an e-mail address it is a link, which the recipient must open.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { nextAttempt } from "../domain/delivery.ts";
import type { Deliver } from "./deliver.ts";
import { challengeSeq, challengeType, type DeliveryRow, readFirstPending, type WebhookRow } from "./rows.ts";
import type { Outcome } from "./send.ts";

interface AttemptOptions {
	sql: Sql;
	deliver: Deliver;
	now(): Date;
	/** Pause after the first failed attempt (ms). */
	retryMs: number;
	signal: AbortSignal;
}

/**
 * @returns whether it was delivered, and `next`, the time of the next attempt (null: none)
 * @throws if `signal` fires: the outcome is unknown, and the delivery is sent again
 */
export async function attemptDelivery(webhook: WebhookRow, delivery: DeliveryRow, options: AttemptOptions) {
	const { sql, deliver, now, retryMs, signal } = options;
	const challenge = readChallenge(delivery);
	// The address was changed after the webhook was read. An echo from the old address must not prove the new one.
	if (challenge !== undefined && challenge.url !== webhook.url) return { delivered: false, next: now() };
	const startedAt = now();
	const sent = await deliver(webhook, delivery, startedAt, signal);
	const isLinkSent = sent.delivered && challenge !== undefined && webhook.format === "email";
	const outcome = isLinkSent ? { ...sent, delivered: false, error: linkPending } : requireEcho(sent, challenge);
	const attempts = delivery.attempts + 1;
	const firstAt = delivery.first_attempt_at === null ? startedAt : new Date(delivery.first_attempt_at);
	const isLast = outcome.delivered || outcome.isFinal || isLinkSent;
	const next = isLast ? null : nextAttempt(attempts, firstAt, now(), retryMs);
	await sql.begin(async (tx) => {
		// The webhook is locked before its deliveries, as in a deletion, so that the two cannot deadlock.
		await tx`select from webhooks where id = ${webhook.id} for no key update`;
		const recorded = await tx`
			update deliveries set state = ${outcome.delivered ? "delivered" : "pending"}, attempts = ${attempts},
				first_attempt_at = ${firstAt}, last_attempt_at = ${startedAt}, next_attempt_at = ${next},
				latency_ms = ${outcome.latencyMs}, answer_status = ${outcome.status}, answer_start = ${outcome.start},
				error = ${outcome.error}
			where id = ${delivery.id} and state = 'pending' and attempts = ${delivery.attempts}`;
		if (recorded.count === 0) return;
		if (outcome.delivered !== webhook.last_delivered)
			await tx`update webhooks set last_delivered = ${outcome.delivered} where id = ${webhook.id}`;
		if (outcome.delivered || isLinkSent || next !== null) return;
		await tx`
			update webhooks set enabled = false, disabled_at = ${now()}, disabled_reason = ${disabledReason(outcome, attempts)}
			where id = ${webhook.id} and enabled`;
	});
	return { delivered: outcome.delivered, next };
}

const linkPending = "the link in the mail has not been opened yet";

const disabledReason = ({ status, isFinal, error }: Outcome, attempts: number): string =>
	isFinal
		? status === 410
			? "the server responded with 410: it wants no more deliveries"
			: (error ?? "").slice(0, 500)
		: `${attempts} attempts in three days failed. The last error: ${error}`.slice(0, 500);

/**
 * Queues a challenge for a new address, and deletes the challenge of the old one. By echoing it, the receiver proves that it wants the
 * deliveries: until then no other delivery is sent.
 */
export async function queueChallenge(
	tx: Transaction,
	{ id, url }: { id: number; url: string },
	now: Date,
	firstAttemptAt: Date | null = now,
): Promise<void> {
	const data = { webhook_id: id, url, challenge: randomBytes(24).toString("base64url") };
	const body = JSON.stringify({ type: challengeType, timestamp: now.toISOString(), data });
	await tx`delete from deliveries where webhook_id = ${id} and type = ${challengeType}`;
	await tx`
		insert into deliveries (webhook_id, message_id, type, seq, body, state, next_attempt_at, created_at)
		values (${id}, ${`msg_${id}_${randomUUID()}`}, ${challengeType}, ${challengeSeq}, ${body}, 'pending', ${firstAttemptAt}, ${now})`;
}

interface Challenge {
	url: string;
	challenge: string;
}

export const readChallenge = (delivery: Pick<DeliveryRow, "type" | "body">): Challenge | undefined =>
	delivery.type === challengeType ? JSON.parse(delivery.body).data : undefined;

/** Returns the challenge that a webhook's address has not echoed yet; undefined if the address is proven. */
export async function readPendingChallenge(sql: Sql, webhookId: number): Promise<DeliveryRow | undefined> {
	const first = await readFirstPending(sql, webhookId);
	return first?.type === challengeType ? first : undefined;
}

/** Turns the outcome of a challenge into a failure if the response does not echo it. Other outcomes are unchanged. */
export function requireEcho(outcome: Outcome, challenge: Challenge | undefined): Outcome {
	if (challenge === undefined || !outcome.delivered || readEcho(outcome.start ?? "") === challenge.challenge)
		return outcome;
	return { ...outcome, delivered: false, error: "the challenge was not echoed" };
}

/** Returns the member `challenge` if the response is a JSON object, otherwise the response itself. */
function readEcho(response: string): unknown {
	try {
		return JSON.parse(response).challenge;
	} catch {
		return response.trim();
	}
}
