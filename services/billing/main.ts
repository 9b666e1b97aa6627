/** The billing service: API keys, plans and quotas, the usage ledger, payments and prepaid credits. Publishes changes of keys. */
import { serve } from "#libs/bus/requests/serve.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { deleteOld } from "./jobs/delete-old.ts";
import { releaseForgotten } from "./jobs/release-forgotten.ts";
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
		open(await serve(bus, "billing", operations({ sql, now })));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		open(releaseForgotten(background, { log, now }));
		open(deleteOld(background, { log, now, keepDays: config.USAGE_KEEP_DAYS }));
	},
});
