/** Ingests news and filings about developers, matches them to developers, and publishes them. */
import { serve } from "#libs/bus/requests/serve.ts";
import { writeExtracts } from "#libs/parquet/write-extracts.ts";
import { routeReads } from "#libs/postgres/replies/replica-routing.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { measureSources } from "#libs/service/owner-metrics.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { databases } from "./extracts/index.ts";
import { refreshJobs } from "./ingest/refresh.ts";
import { startMatching } from "./ingest/rematch.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations.ts";
import { startReactions } from "./reactions.ts";

await runService({
	name: "signals",
	config: configSchema,
	async start(starting) {
		const { config, log, open } = starting;
		const now = () => new Date();
		const { bus, sql, standby, background } = await openOwner(starting, { name: "signals", schema });
		const handlers = routeReads(standby, sql, (from) => operations({ sql: from, now }));
		measureSources(handlers.listSignalPipelines);
		open(await serve(bus, "signals", handlers));
		const extracts = { owner: "signals", schema, databases, dir: config.EXTRACTS_DIR } as const;
		open(await writeExtracts(bus, background, extracts));
		open(await startMatching(background, log));
		for (const reacting of await startReactions(bus, background)) open(reacting);
		if (config.REFRESH_SOURCES)
			for (const job of refreshJobs(background, { log, now, contact: config.CONTACT })) open(job);
	},
});
