/** What is made of the facts: tax credits and scores of requests, standings of developers; answers for them and tells others. */
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
import { keepScored } from "./jobs/keep-scored.ts";
import { noticeNewDay } from "./jobs/notice-new-day.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { startReactions } from "./reactions/index.ts";

await runService({
	name: "scoring",
	config: configSchema,
	async start({ config, log, health, open }) {
		const now = () => new Date();
		const { NOTICE_2025_42: notice_2025_42 } = config;
		const sql = open(connect(config.POSTGRES_URL, { schema, name: "scoring", max: config.POSTGRES_CONNECTIONS }));
		// Of its own, without a statement timeout: computing must not wait for readers, nor readers for what is computed.
		const background = open(
			connect(config.POSTGRES_URL, { schema, name: "scoring-jobs", max: 16, statementTimeoutMs: 0, plansAnew: true }),
		);
		const sandbox = open(openSandbox({ url: config.POSTGRES_URL, password: config.QUERY_PASSWORD, owner: "scoring" }));
		health.register("postgres", () => sql`select 1 from data_version`);
		const bus = open(
			await connectBus({
				url: config.NATS_URL,
				...(config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" }),
				name: "scoring",
				log,
			}),
		);
		health.register("bus", () => bus.connected);
		await ensureStream(bus, "scoring", { replicas: config.STREAM_REPLICAS });
		const outbox = open(relay(bus, background, schema));
		measure("outbox_pending", "Events that no acknowledgement has removed yet", () => outbox.pending());
		measure("touched_pending", "Requests and developers that wait to be computed again", async () => {
			const [row] = await sql<{ waiting: number }[]>`
				select (select count(*) from touched_projects) + (select count(*) from touched_developers) as waiting`;
			return row?.waiting ?? 0;
		});
		open(await announceVersions(bus, background, schema, "scoring"));
		open(await serve(bus, "scoring", operations({ sql, now, notice_2025_42, sandbox })));
		open(await keepScored(background, { now, notice_2025_42, log }));
		open(noticeNewDay(background, log, now));
		for (const reacting of await startReactions(bus, background)) open(reacting);
	},
});
