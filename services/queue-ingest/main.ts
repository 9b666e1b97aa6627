/** Ingests the operators' lists, stores their history, serves them, and publishes changes. */
import { bucket } from "#libs/bus/objects.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { archiveBucket } from "#libs/contract/exports/archive.ts";
import { writeExtracts } from "#libs/parquet/write-extracts.ts";
import { routeReads } from "#libs/postgres/replies/replica-routing.ts";
import { openOwner } from "#libs/service/open-owner.ts";
import { measureSources } from "#libs/service/owner-metrics.ts";
import { runService } from "#libs/service/run-service.ts";
import { configSchema } from "./config.ts";
import { databases, listsSql } from "./extracts/index.ts";
import { archiveJob } from "./history/dated-files/archive-days.ts";
import { createScoreReader } from "./history/past-scores.ts";
import { schema } from "./migrate.ts";
import { operations } from "./operations.ts";
import { createComputedReader, createCostReader, createCreditSumsReader } from "./provenance/computed-values.ts";
import { reconcileJob } from "./quality/reconciliation/reconcile.ts";
import { refreshJobs } from "./queues/jobs/refresh-source.ts";
import { startReactions } from "./reactions.ts";
import { measureDrift } from "./sources/structure/get-source-contracts.ts";

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
		const archive = bucket(bus, archiveBucket);
		const readers = {
			scores: createScoreReader(bus),
			computed: createComputedReader(bus),
			creditSums: createCreditSumsReader(bus),
			costs: createCostReader(bus),
		};
		const handlers = routeReads(standby, sql, (from) => operations({ sql: from, now, archive, ...readers }));
		measureSources(handlers.listPipelines);
		measureDrift(handlers.getSourceContracts);
		open(await serve(bus, "queue-ingest", handlers));
		const extracts = { owner: "queue-ingest", schema, databases, listsSql, dir: config.EXTRACTS_DIR } as const;
		open(await writeExtracts(bus, background, extracts));
		open(archiveJob({ bus, sql: background, log, now, dir: config.EXTRACTS_DIR }));
		open(reconcileJob(background, log, now));
		for (const reaction of await startReactions(bus, background)) open(reaction);
		if (config.REFRESH_SOURCES) for (const job of refreshJobs(background, log, now)) open(job);
	},
});
