/** Sends e-mails by SMTP, or writes their links to the log instead. */
import { hash } from "node:crypto";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { siteAddress } from "./config.ts";
import type { Logger } from "./logger.ts";

export const mailSettings = {
	SMTP_URL: z
		.url({ protocol: /^(smtps?|log)$/, error: "must be smtp://, smtps:// or log:" })
		.optional()
		.describe(
			"Mail server, with user and password; `log:` writes the links of mails to the log. By default no mail is sent: accounts' addresses are not verified, lost keys not replaced, and webhooks have no e-mail addresses",
		),
	MAIL_FROM: z.email().optional().describe("Sender's address of mails"),
	PUBLIC_URL: siteAddress()
		.optional()
		.describe("Address at which callers reach the service, used in links; mails require it"),
};
export type MailConfig = z.output<z.ZodObject<typeof mailSettings>>;

/** Reports an error for each missing setting that sending e-mails needs, if a mail server is set. */
export function checkMailSettings(config: MailConfig, context: z.RefinementCtx): void {
	if (config.SMTP_URL === undefined) return;
	const needed = config.SMTP_URL.startsWith("log:")
		? (["PUBLIC_URL"] as const)
		: (["PUBLIC_URL", "MAIL_FROM"] as const);
	for (const name of needed)
		if (config[name] === undefined) context.addIssue({ code: "custom", path: [name], message: "is missing" });
}

export interface Mail {
	to: string;
	subject: string;
	text: string;
	html?: string;
	headers?: Record<string, string>;
	messageId?: string;
	/** The link in the e-mail; written to the log if SMTP_URL is `log:`. */
	link: string;
}

/** Sends an e-mail and returns the mail server's response. @throws the error of the server or of the connection */
export type SendMail = (mail: Mail) => Promise<string>;

/** Time limit of each step of a connection (ms). */
const smtpTimeoutMs = 10_000;

export interface MailerOptions {
	/** `smtp:`, `smtps:`, or `log:`. */
	smtpUrl: string;
	from: string;
	log: Pick<Logger, "info">;
}

export function mailer({ smtpUrl, from, log }: MailerOptions): SendMail {
	if (smtpUrl.startsWith("log:"))
		return async ({ subject, link }) => {
			log.info({ mail: subject, link }, "no mail server is set: open this link");
			return "written to the log";
		};
	const timeouts = { connectionTimeout: smtpTimeoutMs, greetingTimeout: smtpTimeoutMs, socketTimeout: smtpTimeoutMs };
	const transport = createTransport({ url: smtpUrl, ...timeouts }, { disableFileAccess: true, disableUrlAccess: true });
	return async ({ to, headers, link: _, ...content }) => {
		const { response } = await transport.sendMail({
			...{ from, to: { name: "", address: to }, ...content },
			headers: { "Auto-Submitted": "auto-generated", ...headers },
		});
		return response;
	};
}

/** The status code of an SMTP error; undefined for other errors. */
export const smtpStatusOf = (error: unknown): number | undefined =>
	(error as { responseCode?: number } | undefined)?.responseCode;

/**
 * Whether the mail server refuses this recipient for good. Any other failure may have its cause in the server or the settings, which can be
 * corrected.
 */
export function refusesRecipient(error: unknown): boolean {
	const { command, response = "" } = error as { command?: string; response?: string };
	const status = smtpStatusOf(error) ?? 0;
	// 530, 535, 5.7.x (policy, relay, authentication), 5.1.7 and 5.1.8 (sender) are about this service.
	const isOurs = status === 530 || status === 535 || /^\d{3}[ -]5\.(7\.|1\.[78]\b)/.test(response);
	return command === "RCPT TO" && status >= 500 && !isOurs;
}

/** Identifies an inbox, to limit the e-mails sent to it: SHA-256 of the address in lower case, without the part from a plus sign to the @. */
export const inboxOf = (address: string): string =>
	hash("sha256", address.toLowerCase().replace(/\+[^@]*@/, "@"), "hex");
