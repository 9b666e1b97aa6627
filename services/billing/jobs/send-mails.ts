/** Sends queued mails by SMTP, or writes their links to the log. If the mail server is down, mails are retried for a day. */
import { digestOf, makeSecret } from "#libs/contract/key.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import type { Logger } from "#libs/service/logger.ts";
import { type MailerOptions, mailer, refusesRecipient, type SendMail } from "#libs/service/mail.ts";
import { startListening, type Worker } from "#libs/service/worker.ts";
import { linkHours, mailsChannel, type Purpose } from "../tables/mails.ts";

export interface MailOptions extends MailerOptions {
	publicUrl: string;
	log: Pick<Logger, "info" | "warn">;
	now(): Date;
	/** Pause after the first failed attempt (ms; default: a minute). It doubles after each failure, up to an hour. */
	retryMs?: number;
	/** Maximum time between two checks for due mails (ms). */
	everyMs?: number;
}

interface DueMail {
	id: number;
	purpose: Purpose;
	address: string;
	isLast: boolean;
	/** Beginning and end of the account's first key. */
	hint: string | null;
}

export function startMails(sql: Sql, options: MailOptions): Promise<Worker> {
	const { log, everyMs = 10_000 } = options;
	const send = mailer(options);
	return startListening(sql, mailsChannel, {
		name: "send-mails",
		everyMs,
		run: async (signal, runBatch) => {
			while (!signal.aborted && (await isDue(sql, options))) await runBatch(() => sendNext(sql, send, options));
		},
		onFailure: (err) => log.warn({ err }, "a mail was not sent and will be tried again"),
	});
}

/** Checks outside a batch whether a mail is due, because each batch creates a trace. */
const isDue = async (sql: Sql, { now }: MailOptions): Promise<boolean> =>
	(await sql`select from mails where ${dueCondition(sql, now())} limit 1`).count > 0;

const dueCondition = (sql: Sql, at: Date): Fragment =>
	sql`sent_at is null and failed_at is null and account_id is not null and next_attempt_at <= ${at}`;

/**
 * Attempts one due mail. Its next attempt is scheduled first, so that no other replica takes the mail meanwhile. Each attempt has a new link.
 * @throws the mail server's error, unless it refuses the recipient permanently
 */
async function sendNext(
	sql: Sql,
	send: SendMail,
	{ publicUrl, log, now, retryMs = 60_000 }: MailOptions,
): Promise<void> {
	const token = makeSecret("ml_");
	const at = now();
	const [mail] = await sql<DueMail[]>`
		update mails m set attempts = attempts + 1, token_sha256 = ${digestOf(token)},
			expires_at = ${at}::timestamptz + make_interval(hours => ${linkHours}),
			next_attempt_at = ${at}::timestamptz + least(interval '1 hour', make_interval(secs => ${retryMs / 1_000} * 2 ^ least(attempts, 20)))
		where id = (
			select id from mails where ${dueCondition(sql, at)}
			order by next_attempt_at limit 1 for update skip locked)
		returning id, purpose, address, requested_at <= ${at}::timestamptz - interval '24 hours' as "isLast",
			(select hint from keys k where k.account_id = m.account_id order by k.id limit 1) as hint`;
	if (mail === undefined) return;
	try {
		const link = `${publicUrl}/account#${mail.purpose}=${token}`;
		await send({ to: mail.address, ...mailText(mail, link, publicUrl), link });
	} catch (error) {
		if (!mail.isLast && !refusesRecipient(error)) throw error;
		await sql`update mails set failed_at = ${at} where id = ${mail.id}`;
		log.warn({ mail: mail.id }, "a mail could not be sent and will not be retried");
		return;
	}
	await sql`update mails set sent_at = ${at} where id = ${mail.id}`;
}

/** The text contains nothing that the requester wrote, because the service must not send strangers' text. */
function mailText({ purpose, hint }: DueMail, link: string, publicUrl: string): { subject: string; text: string } {
	if (purpose === "recover")
		return {
			subject: "Replace your API key",
			text: `Someone, probably you, requested to replace the key of your account at ${publicUrl}.

Get a new key: ${link}

The link works once, for 24 hours. All other keys of the account then stop working.
If you did not request it, ignore this mail: your keys remain as they are.
`,
		};
	return {
		subject: "Confirm your e-mail address",
		text: `Someone, probably you, gave this address for an account at ${publicUrl}.

Confirm it: ${link}

The link works once, for 24 hours. A lost key can be replaced by a mail to a confirmed address.
The account's first key is ${hint}. If you do not know it, ignore this mail.
`,
	};
}
