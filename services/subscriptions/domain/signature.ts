/** Secrets and signatures of Standard Webhooks 1.0, and the other headers of an attempt. */
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { httpHeadersOf } from "#libs/contract/cloud-event.ts";
import { webhookCloudEvent } from "#libs/contract/webhook-messages.ts";

/** How long a replaced secret signs beside its successor. */
export const oldSecretMs = 24 * 3_600_000;

export const makeSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export interface Secrets {
	secret: string;
	old_secret: string | null;
	old_secret_until: string | null;
}

/** Headers of an attempt: one signature for each secret that is good now, and the attributes of CloudEvents in binary mode. */
export function signedHeaders(secrets: Secrets, messageId: string, body: string, now: Date): Record<string, string> {
	const { secret, old_secret, old_secret_until } = secrets;
	const isOldGood = old_secret !== null && old_secret_until !== null && now < new Date(old_secret_until);
	const signatures = [secret, ...(isOldGood ? [old_secret] : [])].map((each) =>
		new Webhook(each).sign(messageId, now, body),
	);
	return {
		...httpHeadersOf(webhookCloudEvent(messageId, JSON.parse(body))),
		"webhook-id": messageId,
		"webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
		"webhook-signature": signatures.join(" "),
	};
}
