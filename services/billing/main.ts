/** The billing service: API keys, plans and quotas, the usage ledger, payments and prepaid credits. Publishes key changes, and mails links to accounts. */
import { serve } from "#libs/bus/requests/serve.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { deleteOld } from "./jobs/delete-old.ts";
import { releaseForgotten } from "./jobs/release-forgotten.ts";
import { startMails } from "./jobs/send-mails.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { startReactions } from "./reactions/record-usage.ts";

await runService({
	name: "billing",
	config: configSchema,
	async start(starting) {
		const { config, log, open } = starting;
		const now = () => new Date();
		const { bus, sql, background } = await openOwner(starting, { name: "billing", schema, backgroundConnections: 6 });
		const { SMTP_URL: smtpUrl, MAIL_FROM: from = "", PUBLIC_URL: publicUrl = "" } = config;
		open(await serve(bus, "billing", operations({ sql, now, sendsMail: smtpUrl !== undefined })));
		if (smtpUrl !== undefined) open(await startMails(background, { smtpUrl, from, publicUrl, log, now }));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		open(releaseForgotten(background, { log, now }));
		open(deleteOld(background, { log, now, keepDays: config.USAGE_KEEP_DAYS }));
	},
});
