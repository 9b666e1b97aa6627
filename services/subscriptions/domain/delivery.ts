/** Signatures of deliveries (Standard Webhooks 1.0) and the times of their attempts. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { httpHeadersOf } from "#libs/contract/events/cloud-event.ts";
import { webhookCloudEvent } from "#libs/contract/operations/subscriptions/webhook-messages.ts";

const hourMs = 3_600_000;
/** How long a replaced secret signs beside its successor. */
export const oldSecretMs = 24 * hourMs;
export const retryForMs = 72 * hourMs;
const longestPauseMs = 8 * hourMs;
/** More than clocks differ, or are set back by hand. */
const clockToleranceMs = 2 * hourMs;

export const makeSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export interface Secrets {
	secret: string;
	old_secret: string | null;
	old_secret_until: string | null;
}

/** Headers of an attempt: one signature for each valid secret, and the attributes of CloudEvents in binary mode. */
export function signedHeaders(secrets: Secrets, messageId: string, body: string, now: Date): Record<string, string> {
	const { secret, old_secret, old_secret_until } = secrets;
	const isOldValid = old_secret !== null && old_secret_until !== null && now < new Date(old_secret_until);
	const signatures = [secret, ...(isOldValid ? [old_secret] : [])].map((each) =>
		new Webhook(each).sign(messageId, now, body),
	);
	return {
		...httpHeadersOf(webhookCloudEvent(messageId, JSON.parse(body))),
		"webhook-id": messageId,
		"webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
		"webhook-signature": signatures.join(" "),
	};
}

/**
 * The next attempt after `attempts`, of which the first was at `firstAt` and the last has failed at `now`: after `firstPauseMs`, then
 * after three times as long each time, up to eight hours. The last attempt is three days after the first; null after it.
 */
export function nextAttempt(attempts: number, firstAt: Date, now: Date, firstPauseMs = 5_000): Date | null {
	const end = firstAt.getTime() + retryForMs;
	if (now.getTime() >= end) return null;
	const pauseMs = Math.min(longestPauseMs, firstPauseMs * 3 ** (attempts - 1));
	return new Date(Math.min(end, now.getTime() + pauseMs));
}

/** Latest time for which an attempt can be planned. A later one was planned by a wrong clock, and is due at once. */
export const latestAttempt = (now: Date): Date => new Date(now.getTime() + longestPauseMs + clockToleranceMs);

export const isDue = (attempt: Date, now: Date): boolean => attempt <= now || attempt > latestAttempt(now);
