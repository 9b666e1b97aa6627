/** Sends a message in the format of the webhook: as signed JSON, as a chat message for Slack or Teams, or as a mail. */
import { untilAborted, within } from "#libs/contract/within.ts";
import type { Logger } from "#libs/service/logger.ts";
import { refusesRecipient, type SendMail, smtpStatusOf } from "#libs/service/mail.ts";
import { alertMail, confirmationMail } from "../domain/alert-mails.ts";
import { toAlert } from "../domain/alerts.ts";
import { slackMessage, teamsMessage } from "../domain/chat-messages.ts";
import { signedHeaders } from "../domain/delivery.ts";
import { challengeType, type DeliveryRow, mailAddressOf, type WebhookRow } from "./rows.ts";
import { type Outcome, type Sender, startOutcome } from "./send.ts";

type MessageRow = Pick<DeliveryRow, "message_id" | "type" | "body">;

/** Sends a message and returns the outcome in limited time. @throws only if `signal` fires */
export type Deliver = (webhook: WebhookRow, message: MessageRow, at: Date, signal: AbortSignal) => Promise<Outcome>;

interface DeliverOptions {
	sender: Sender;
	/** URL of the service, for links. */
	site: string | undefined;
	sendMail: SendMail | undefined;
	/** Maximum duration of an attempt to send a mail (ms). */
	timeoutMs: number;
	log: Pick<Logger, "warn">;
}

export function createDeliver({ sender, site, sendMail, timeoutMs, log }: DeliverOptions): Deliver {
	return (webhook, message, at, signal) => {
		const { format, url } = webhook;
		if (format === "json") {
			const headers = signedHeaders(webhook, message.message_id, message.body, at);
			return sender.send(url, headers, message.body, signal);
		}
		const alert = toAlert(JSON.parse(message.body), site);
		if (format !== "email") {
			const content = format === "slack" ? slackMessage(alert) : teamsMessage(alert);
			return sender.send(url, {}, JSON.stringify(content), signal);
		}
		return sendMailInTime(signal, { timeoutMs, log }, async () => {
			if (sendMail === undefined || site === undefined)
				throw new Error("SMTP_URL or PUBLIC_URL is not set, so no e-mail can be sent");
			const { id: webhookId, mail_token } = webhook;
			const addressee = { webhookId, to: mailAddressOf(url), token: mail_token ?? "", site };
			const mail = message.type === challengeType ? confirmationMail(addressee) : alertMail(alert, addressee);
			// The message ID is the same in every attempt, so that mail programs show a repeated mail once.
			return sendMail({ ...mail, messageId: `<${message.message_id}@${new URL(site).hostname}>` });
		});
	};
}

/**
 * Sends a mail in limited time. The outcome contains the mail server's reason only if it refuses the address. Other errors are only logged,
 * because they name hosts of this system and the account can read the outcome.
 */
async function sendMailInTime(
	signal: AbortSignal,
	{ timeoutMs, log }: Pick<DeliverOptions, "timeoutMs" | "log">,
	send: () => Promise<string>,
): Promise<Outcome> {
	const outcome = startOutcome();
	try {
		const sent = await within(untilAborted(send(), signal), timeoutMs);
		if (sent === undefined) return outcome({ error: `the mail server took longer than ${timeoutMs} ms` });
		return outcome({ delivered: true, status: 250, start: sent.value.slice(0, 1_000) });
	} catch (error) {
		signal.throwIfAborted();
		const status = smtpStatusOf(error) ?? null;
		const isFinal = refusesRecipient(error);
		if (!isFinal) log.warn({ err: error }, "a mail was not sent and will be tried again");
		const reason = isFinal
			? `the mail server refuses the address: ${(error as Error).message}`
			: `the mail server did not accept the mail${status === null ? "" : ` (${status})`}`;
		return outcome({ isFinal, status, error: reason.slice(0, 300) });
	}
}
