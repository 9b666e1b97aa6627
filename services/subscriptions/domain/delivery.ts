/** Signs deliveries (Standard Webhooks 1.0), and plans the times of their attempts. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { httpHeadersOf } from "#libs/contract/events/cloud-event.ts";
import { webhookCloudEvent } from "#libs/contract/operations/subscriptions/webhook-messages.ts";

const hourMs = 3_600_000;
/** How long a replaced secret still signs deliveries, in addition to the new one. */
export const oldSecretMs = 24 * hourMs;
export const retryForMs = 72 * hourMs;
const maxPauseMs = 8 * hourMs;
/** Clocks are expected to differ by less, even if one was set by hand. */
const clockToleranceMs = 2 * hourMs;

export const makeSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export interface Secrets {
	secret: string;
	old_secret: string | null;
	old_secret_until: string | null;
}

/** Headers of an attempt: a signature with each valid secret, and the attributes of a CloudEvent in binary mode. */
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
 * Returns the time of the next attempt after `attempts` have failed, the last of them `now`; null if there is no further attempt. The first
 * pause is `firstPauseMs`; each later one is three times as long, up to eight hours. The last attempt is three days after the first.
 */
export function nextAttempt(attempts: number, firstAt: Date, now: Date, firstPauseMs: number): Date | null {
	const end = firstAt.getTime() + retryForMs;
	if (now.getTime() >= end) return null;
	const pauseMs = Math.min(maxPauseMs, firstPauseMs * 3 ** (attempts - 1));
	return new Date(Math.min(end, now.getTime() + pauseMs));
}

/** Returns the latest time for which an attempt can be planned. A later one was planned by a wrong clock, so it is due immediately. */
export const latestAttempt = (now: Date): Date => new Date(now.getTime() + maxPauseMs + clockToleranceMs);

export const isDue = (attempt: Date, now: Date): boolean => attempt <= now || attempt > latestAttempt(now);
