/** Mails with a link that works once. They are queued here, and sent by `jobs/send-mails.ts`. */
import { gone } from "#libs/contract/errors.ts";
import type { mailPurposes } from "#libs/contract/operations/access/billing-fields.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { inboxOf } from "#libs/service/mail.ts";

export const mailsChannel = "billing_mails";
export const linkHours = 24;

/** Maximum mails in 24 hours: of one purpose to one inbox, so that no inbox is flooded, and of one account to all inboxes. */
const maxMails = { inbox: 3, account: 5 };

export type Purpose = (typeof mailPurposes)[number];

interface NewMail {
	purpose: Purpose;
	accountId: number;
	/** Normalized. */
	address: string;
	at: Date;
}

/** Queues a mail, unless the inbox or the account has had too many. Does not report which, so that addresses cannot be probed. */
export async function queueMail(tx: Transaction, { purpose, accountId, address, at }: NewMail): Promise<void> {
	const inbox = inboxOf(address);
	await tx`select pg_advisory_xact_lock(hashtextextended(${`mail:${inbox}`}, 0))`;
	const today = tx`requested_at > ${at}::timestamptz - interval '24 hours'`;
	const { count } = await tx`
		insert into mails (purpose, account_id, address, inbox_sha256, requested_at, next_attempt_at)
		select ${purpose}, ${accountId}::bigint, ${address}, ${inbox}, ${at}::timestamptz, ${at}::timestamptz
		where (select count(*) from mails where inbox_sha256 = ${inbox} and purpose = ${purpose} and ${today}) < ${maxMails.inbox}
			and (select count(*) from mails where account_id = ${accountId} and ${today}) < ${maxMails.account}`;
	if (count > 0) await tx`select pg_notify(${mailsChannel}, '')`;
}

export interface Link {
	accountId: number;
	address: string;
	/** The link was used before, by an earlier run of this request or by another request. */
	isUsed: boolean;
}

/** Marks a link as used. It is locked, so that of two concurrent requests one gets `isUsed`. @throws AppError 410 if it is unknown or expired */
export async function openLink(tx: Transaction, purpose: Purpose, tokenSha256: string, at: Date): Promise<Link> {
	const [link] = await tx<Link[]>`
		select account_id as "accountId", address, used_at is not null as "isUsed" from mails
		where token_sha256 = ${tokenSha256} and purpose = ${purpose} and account_id is not null and expires_at > ${at} for update`;
	if (link === undefined) throw linkEnded();
	await tx`update mails set used_at = coalesce(used_at, ${at}) where token_sha256 = ${tokenSha256}`;
	return link;
}

export const linkEnded = () =>
	gone(
		`the link was used, has expired (it works for ${linkHours} hours), or was replaced by a newer mail: request another one`,
	);
