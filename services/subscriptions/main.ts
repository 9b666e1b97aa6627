/** The subscriptions service: stores accounts' webhooks, watchlists and saved queries, follows the change log, and sends changes to webhooks. */
import { openOwner } from "#libs/service/open-owner.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { schema } from "./migrate.ts";
import { openSubscriptions } from "./open.ts";

await runService({
	name: "subscriptions",
	config: configSchema,
	async start(starting) {
		const { config, log, health, open } = starting;
		const owner = await openOwner(starting, { name: "subscriptions", schema, backgroundConnections: 8 });
		const { bus, sql, background } = owner;
		const now = () => new Date();
		const subscriptions = open(await openSubscriptions({ bus, sql, background, config, log, now }));
		health.register("deliveries", () => !subscriptions.isStuck());
	},
});
