/** The scoring service: computes, serves and publishes the tax credits and scores of requests and the ratings of developers. */
import { serve } from "#libs/bus/requests/serve.ts";
import { gaugeOf } from "#libs/bus/scrape.ts";
import { writeExtracts } from "#libs/parquet/write-extracts.ts";
import { routeReads } from "#libs/postgres/replies/replica-routing.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { measureSources } from "#libs/service/owner-metrics.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { scoreTables } from "./domain/score/version.ts";
import { databases } from "./extracts/scoring.ts";
import { serveCurrentVersion, startNewDays, startScoring } from "./jobs/scoring-worker.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations/index.ts";
import { startReactions } from "./reactions/index.ts";

await runService({
	name: "scoring",
	config: configSchema,
	async start(starting) {
		const { config, log, open } = starting;
		const now = () => new Date();
		// Fails at start if the model is missing.
		void scoreTables.model;
		const { NOTICE_2025_42: notice_2025_42 } = config;
		const { bus, sql, standby, background } = await openOwner(starting, { name: "scoring", schema, plansAnew: true });
		await serveCurrentVersion(sql);
		gaugeOf({
			name: "recompute_pending",
			help: "Requests and developers that wait to be recomputed",
			read: async () => {
				const [row] = await sql<{ waiting: number }[]>`
					select (select count(*) from project_recompute_queue) + (select count(*) from developer_recompute_queue) as waiting`;
				return row?.waiting ?? 0;
			},
		});
		const handlers = routeReads(standby, sql, (from) => operations({ sql: from, now, notice_2025_42 }));
		measureSources(handlers.listScoringPipelines);
		open(await serve(bus, "scoring", handlers));
		const extracts = { owner: "scoring", schema, databases, dir: config.EXTRACTS_DIR } as const;
		open(await writeExtracts(bus, background, extracts));
		open(await startScoring(background, { now, notice_2025_42, log }));
		open(startNewDays(background, log, now));
		for (const reacting of await startReactions(bus, background)) open(reacting);
	},
});
