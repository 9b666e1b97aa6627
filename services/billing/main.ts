/** Who may call and how much, what was called, and what was paid for by itself; answers for it and tells others of keys. */
import { connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/relay.ts";
import { serve } from "#libs/bus/serve.ts";
import { ensureStream } from "#libs/bus/topology.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { connect } from "#libs/postgres/connect.ts";
import { measure } from "#libs/service/health.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { forgetOld } from "./jobs/forget-old.ts";
import { releaseForgotten } from "./jobs/release-forgotten.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { startReactions } from "./reactions/index.ts";

await runService({
	name: "billing",
	config: configSchema,
	async start({ config, log, health, open }) {
		const now = () => new Date();
		const sql = open(connect(config.POSTGRES_URL, { schema, name: "billing", max: config.POSTGRES_CONNECTIONS }));
		// Of its own: the ledger must not wait for what is asked, nor a payment for the ledger.
		const background = open(
			connect(config.POSTGRES_URL, { schema, name: "billing-jobs", max: 6, statementTimeoutMs: 0 }),
		);
		health.register("postgres", () => sql`select 1 from data_version`);
		const bus = open(
			await connectBus({
				url: config.NATS_URL,
				...(config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" }),
				name: "billing",
				log,
			}),
		);
		health.register("bus", () => bus.connected);
		await ensureStream(bus, "billing", { replicas: config.STREAM_REPLICAS });
		const outbox = open(relay(bus, background, schema));
		measure("outbox_pending", "Events that no acknowledgement has removed yet", () => outbox.pending());
		open(await announceVersions(bus, background, schema, "billing"));
		open(await serve(bus, "billing", operations({ sql, now })));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		open(releaseForgotten(background, { log, now }));
		open(forgetOld(background, { log, now, keepDays: config.USAGE_KEEP_DAYS }));
	},
});
