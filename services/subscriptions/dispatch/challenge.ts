/**
 * Proof that the owner of an address wants deliveries there: the first message to it is a challenge, which its server echoes. It is a
 * delivery like others, before all of them, so a webhook is unproven for as long as its challenge waits.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { DeliveryRow } from "./rows.ts";
import type { Outcome } from "./send.ts";

const type = "webhook.challenge";
/** Before all others: a digest of an empty log has 0. */
export const challengeSeq = -1;

/** Challenges the present address of a webhook, in place of the address before. */
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

/** The challenge that a delivery is; undefined for any other. */
export const challengeIn = (delivery: Pick<DeliveryRow, "type" | "body">): Challenge | undefined =>
	delivery.type === type ? JSON.parse(delivery.body).data : undefined;

/** The challenge that a webhook's address has not echoed. */
export async function waitingChallenge(sql: Sql, webhookId: number): Promise<DeliveryRow | undefined> {
	const [row] = await sql<DeliveryRow[]>`
		select id, message_id, type, body, attempts, first_attempt_at, next_attempt_at
		from deliveries where webhook_id = ${webhookId} and state = 'pending' and seq = ${challengeSeq}`;
	return row;
}

/** What came of sending it: with any answer but the echo it was not taken. */
export function judgeEcho(outcome: Outcome, challenge: Challenge | undefined): Outcome {
	if (challenge === undefined || !outcome.delivered || echoed(outcome.start ?? "") === challenge.challenge)
		return outcome;
	return { ...outcome, delivered: false, error: "it did not echo the challenge" };
}

/** The challenge as text, or as the member `challenge` of a JSON object. */
function echoed(answer: string): unknown {
	try {
		return JSON.parse(answer).challenge;
	} catch {
		return answer.trim();
	}
}
