import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { integer } from "#libs/contract/params.ts";
import { postgresSettings } from "#libs/postgres/settings.ts";

const settings = z.object({
	...postgresSettings,
	...natsSettings,
	SMTP_URL: z
		.url({ protocol: /^(smtps?|log)$/, error: "must be smtp://, smtps:// or log:" })
		.optional()
		.describe(
			"Mail server for links to accounts' addresses, with user and password; `log:` writes the links to the log. By default no mail is sent: addresses are not verified, and lost keys not replaced",
		),
	MAIL_FROM: z.email().optional().describe("Sender's address of mails"),
	PUBLIC_URL: z
		.url()
		.transform((url) => url.replace(/\/+$/, ""))
		.optional()
		.describe("Address at which callers reach the service, used in links; mails require it"),
	USAGE_KEEP_DAYS: integer(32, 3_660)
		.default(400)
		.describe("Age after which single requests are deleted from the ledger (days); hourly sums are retained"),
});

export const configSchema = settings.superRefine((config, context) => {
	if (config.SMTP_URL === undefined) return;
	const needed = config.SMTP_URL.startsWith("log:")
		? (["PUBLIC_URL"] as const)
		: (["PUBLIC_URL", "MAIL_FROM"] as const);
	for (const name of needed)
		if (config[name] === undefined) context.addIssue({ code: "custom", path: [name], message: "is missing" });
});
export type Config = z.output<typeof configSchema>;
