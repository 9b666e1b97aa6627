import type { Handler, Reply } from "#libs/contract/index.ts";
import { missingFrom } from "../documents/missing.ts";
import { sampledDatabases } from "../documents/sample.ts";
import type { AskOwners } from "./ask-owners.ts";
import { partsOf } from "./parts.ts";

type Queues = Reply<"describeCoverage">;
type Signals = Reply<"describeSignalCoverage">;

/** What the owners count, and what follows from it for who looks for something that is not there. */
export function getCoverage(ask: AskOwners): Handler<"getCoverage"> {
	return async () => {
		const parts = partsOf();
		const none = { sources: [] };
		const [queues, signals, ages, sources] = await Promise.all([
			parts.of("queue-ingest", ask("describeCoverage"), noQueues),
			parts.of("signals", ask("describeSignalCoverage"), noSignals),
			parts.of("scoring", ask("listScoringPipelines"), { pipelines: [] }),
			Promise.all([
				parts.of("queue-ingest", ask("listSources"), { ...none, notes: {} }),
				parts.of("signals", ask("listSignalSources"), none),
				parts.of("scoring", ask("listScoringSources"), none),
			]),
		]);
		const known = sources.flatMap((part) => part.sources);
		const sampled = sampledDatabases(queues, signals);
		const reply: Reply<"getCoverage"> = {
			generated_at: new Date().toISOString(),
			...queues,
			...signals,
			scoring: referencesOf(known, ages),
			sample: sampled.length > 0,
			sample_databases: sampled,
			// Of an owner that is away nothing is known to be missing.
			missing: missingFrom({
				queues: parts.absent.has("queue-ingest") ? undefined : queues,
				signals: parts.absent.has("signals") ? undefined : signals,
				sources: known,
				sampled,
			}),
			not_available: [...parts.absent].sort(),
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}

function referencesOf(
	sources: Reply<"listSources">["sources"],
	{ pipelines }: Reply<"listScoringPipelines">,
): Reply<"getCoverage">["scoring"] {
	return sources
		.filter(({ database }) => database === "scoring")
		.map(({ source, records, last_checked, last_changed }) => {
			const freshness = pipelines.find(({ pipeline }) => pipeline === source)?.status ?? null;
			return { source, records, last_checked, last_changed, freshness };
		});
}

const noQueues: Queues = {
	queues: [],
	changes: { records: 0, first: null, last: null },
	developers: { developers: 0, curated: 0, requests_with_developer: 0 },
	eia860: [],
	dg: [],
	datacenters: [],
	load_requests: [],
	market: [],
	sample_databases: [],
};
const noSpan = { records: 0, matched: 0, first: null, last: null, by_type: {} };
const noSignals: Signals = {
	news: noSpan,
	capital_raises: noSpan,
	material_events: noSpan,
	ma_events: noSpan,
	sample_databases: [],
};
