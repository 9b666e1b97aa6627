/** What the public record says of developers: takes in news and filings, matches them, answers for them, and tells others. */
import { connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/relay.ts";
import { serve } from "#libs/bus/serve.ts";
import { ensureStream } from "#libs/bus/topology.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { connect } from "#libs/postgres/connect.ts";
import { openSandbox } from "#libs/postgres/sandbox/sandbox.ts";
import { measure } from "#libs/service/health.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { keepMatched } from "./jobs/match-again.ts";
import { refreshJobs } from "./jobs/refresh-jobs.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { startReactions } from "./reactions/index.ts";

await runService({
	name: "signals",
	config: configSchema,
	async start({ config, log, health, open }) {
		const now = () => new Date();
		const sql = open(connect(config.POSTGRES_URL, { schema, name: "signals", max: config.POSTGRES_CONNECTIONS }));
		// Of its own, without a statement timeout: taking in must not wait for readers, nor readers for what is taken in.
		const background = open(
			connect(config.POSTGRES_URL, { schema, name: "signals-jobs", max: 16, statementTimeoutMs: 0 }),
		);
		const sandbox = open(openSandbox({ url: config.POSTGRES_URL, password: config.QUERY_PASSWORD, owner: "signals" }));
		health.register("postgres", () => sql`select 1 from data_version`);
		const bus = open(
			await connectBus({
				url: config.NATS_URL,
				...(config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" }),
				name: "signals",
				log,
			}),
		);
		health.register("bus", () => bus.connected);
		await ensureStream(bus, "signals", { replicas: config.STREAM_REPLICAS });
		const outbox = open(relay(bus, background, schema));
		measure("outbox_pending", "Events that no acknowledgement has removed yet", () => outbox.pending());
		open(await announceVersions(bus, background, schema, "signals"));
		open(await serve(bus, "signals", operations({ sql, now, sandbox })));
		open(await keepMatched(background, log));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		if (config.REFRESH_SOURCES)
			for (const job of refreshJobs(background, { log, now, contact: config.CONTACT })) open(job);
	},
});
