/** Limits the mails that accounts request, and handles the links in mails. */
import { type AppError, gone, tooManyRequests } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { isSecret } from "#libs/contract/key.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { inboxOf } from "#libs/service/mail.ts";
import { queueChallenge } from "../dispatch/attempt.ts";
import { challengeSeq, dropOldUsage, mailAddressOf, type WebhookRow, wakeDispatchers } from "../dispatch/rows.ts";
import type { Resources } from "../resources.ts";

/** Maximum requested mails (links, tests, repetitions) in 24 hours: to one inbox, so that it is not flooded, and by one account to all inboxes. */
const maxMails = { inbox: 3, account: 5 };

interface RequestedMail {
	accountId: number;
	/** A `mailto:` URL. */
	url: string;
	at: Date;
}

/** Counts a mail that is about to be queued. @throws AppError 429 if the inbox or the account has had too many */
export async function countMail(tx: Transaction, { accountId, url, at }: RequestedMail): Promise<void> {
	const inbox = inboxOf(mailAddressOf(url));
	await tx`select pg_advisory_xact_lock(hashtextextended(${`mails of:${accountId}`}, 0))`;
	await tx`select pg_advisory_xact_lock(hashtextextended(${`mail:${inbox}`}, 0))`;
	const today = tx`requested_at > ${at}::timestamptz - interval '24 hours'`;
	const { count } = await tx`
		insert into requested_mails (account_id, inbox_sha256, requested_at)
		select ${accountId}::bigint, ${inbox}, ${at}::timestamptz
		where (select count(*) from requested_mails where inbox_sha256 = ${inbox} and ${today}) < ${maxMails.inbox}
			and (select count(*) from requested_mails where account_id = ${accountId} and ${today}) < ${maxMails.account}`;
	if (count === 0)
		throw tooManyRequests(
			`at most ${maxMails.inbox} links, tests and repetitions are mailed to an inbox in 24 hours, and at most ${maxMails.account} for an account`,
			3_600,
		);
}

/** Confirms an address, or ends its mails. The gateway calls it without an account in the context. */
export const openAlertLink =
	({ sql, now }: Resources): Handler<"openAlertLink"> =>
	async ({ token, action }) => {
		const reply = await sql.begin(async (tx): Promise<Reply<"openAlertLink">> => {
			const [webhook] = await tx<Pick<WebhookRow, "id" | "url" | "digest" | "events" | "enabled">[]>`
				select id, url, digest, events, enabled from webhooks where mail_token = ${token} and format = 'email' for update`;
			if (webhook === undefined || !isSecret(token, "ml_")) throw linkEnded();
			const email = mailAddressOf(webhook.url);
			if (action === "confirm") {
				await confirmAddress(tx, webhook.id, now());
				const frequency = webhook.digest === null ? "as they are recorded" : "once a day";
				const note = webhook.enabled
					? webhook.events.includes("changes")
						? `Changes are mailed to ${email} ${frequency}.`
						: `Alerts about usage are mailed to ${email}.`
					: `${email} is confirmed; its mails are disabled.`;
				return { email, note };
			}
			await endMails(tx, webhook, now());
			return { email, note: `No more of these mails are sent to ${email}.` };
		});
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};

const linkEnded = (): AppError =>
	gone("this link is no longer valid: the alerts were ended or deleted, or are sent to another address");

async function confirmAddress(tx: Transaction, id: number, now: Date): Promise<void> {
	await dropOldUsage(tx, id, now);
	await tx`
		update deliveries set state = 'delivered', next_attempt_at = null, error = null
		where webhook_id = ${id} and state = 'pending' and seq = ${challengeSeq}`;
	await wakeDispatchers(tx);
}

/** Disables the webhook. If the account enables it again, only a new link is mailed until that link is opened. */
async function endMails(tx: Transaction, { id, url }: Pick<WebhookRow, "id" | "url">, now: Date): Promise<void> {
	await tx`
		update webhooks set enabled = false, disabled_at = ${now}, disabled_reason = 'the recipient ended the mails'
		where id = ${id} and enabled`;
	await queueChallenge(tx, { id, url }, now, null);
}
