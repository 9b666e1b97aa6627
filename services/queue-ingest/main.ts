/** The queues: takes in the operators' lists, keeps their history, answers for them, and tells others what changed. */
import { serve } from "#libs/bus/serve.ts";
import { answersFrom } from "#libs/postgres/reads.ts";
import { openSandbox } from "#libs/postgres/sandbox/sandbox.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { measureSandbox, measureSources } from "#libs/service/owner-metrics.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { refreshJobs } from "./jobs/refresh-jobs.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { Moments } from "./operations/moments.ts";
import { startReactions } from "./reactions/index.ts";

await runService({
	name: "queue-ingest",
	config: configSchema,
	async start(starting) {
		const { config, log, open } = starting;
		const now = () => new Date();
		const { bus, sql, standby, background } = await openOwner(starting, {
			name: "queue-ingest",
			schema,
			plansAnew: true,
		});
		const sandbox = open(
			openSandbox({ url: config.POSTGRES_URL, password: config.QUERY_PASSWORD, owner: "queue-ingest" }),
		);
		const moments = open(new Moments(sql));
		const resources = { now, moments, sandbox };
		const handlers = answersFrom(standby, sql, (from) => operations({ sql: from, ...resources }), ["queryQueues"]);
		measureSources(handlers.listPipelines);
		measureSandbox(sandbox);
		open(await serve(bus, "queue-ingest", handlers, { maxStreams: 16 }));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		if (config.REFRESH_SOURCES) for (const job of refreshJobs(background, log, now)) open(job);
	},
});
