/** The services of the system and what each may publish, receive and store. A new service is one entry here. */
import { join } from "node:path";
import { type EventShape, streamOf } from "#libs/contract/events/event.ts";
import { events } from "#libs/contract/index.ts";
import { root } from "./data-dir.ts";

export interface Service {
	name: string;
	/** Its PostgreSQL schema and the role that owns it; undefined for a service that stores nothing. */
	schema?: string;
	/** Subjects beyond those of its own requests, events and announcements. */
	publishes?: string[];
	subscribes?: string[];
	/** Its reactions and the event that each consumes. */
	consumes?: Record<string, EventShape>;
	readsExtracts?: true;
	/** Sources that `npm run ingest -- --source` loads here; queue-ingest loads all others. */
	sources?: string[];
}

/** The gateway streams events of these services from JetStream. */
const streamed = ["signals", "scoring"] as const;

/** In the order of their start. */
export const services: readonly Service[] = [
	{
		name: "queue-ingest",
		schema: "queue_ingest",
		// Answers about a past day include the scores of that day; answers about provenance include where scores come from.
		publishes: ["readScoresOn", "readOrigins", "sumActiveCredits", "summariseCosts", "in-flight", "in-flight.*"].map(
			(asked) => `rpc.scoring.${asked}`,
		),
		consumes: { "copy-scores": events.projectScored, "copy-ratings": events.developerRated },
	},
	{
		name: "signals",
		schema: "signals",
		sources: ["form-d", "8-k", "news"],
		consumes: {
			"copy-developers": events.developerChanged,
			"copy-projects": events.projectChanged,
			"record-ownership": events.ownershipRecorded,
			"record-transfers": events.projectChanged,
			"judge-transfers": events.snapshotApplied,
			"confirm-deals": events.newsRecorded,
			"forget-sample": events.sampleLeft,
		},
	},
	{
		name: "scoring",
		schema: "scoring",
		sources: ["energy-communities", "low-income", "ic-costs"],
		consumes: {
			"copy-projects": events.projectChanged,
			"copy-developers": events.developerChanged,
			"record-news": events.newsRecorded,
			"record-raises": events.raiseRecorded,
			"record-filings": events.filingRecorded,
			"record-transfers": events.ownershipChanged,
			"forget-sample": events.sampleLeft,
		},
	},
	{ name: "billing", schema: "billing", consumes: { "record-usage": events.usageRecorded } },
	{ name: "query", subscribes: ["extracts.>"], readsExtracts: true },
	{
		name: "subscriptions",
		schema: "subscriptions",
		// It reads the log of changes when a new data version is announced, and query checks statements before they are saved.
		publishes: [
			...["readNewestSeq", "listChanges", "listProjects", "in-flight", "in-flight.*"].map(
				(asked) => `rpc.queue-ingest.${asked}`,
			),
			...["checkStatement", "in-flight", "in-flight.*"].map((asked) => `rpc.query.${asked}`),
		],
		subscribes: ["version.queue-ingest"],
		consumes: { "queue-usage": events.usageReached },
	},
	// Each replica of the gateway must receive billing's events about keys, so it subscribes to them: a durable consumer would share them out.
	// For event streams it reads earlier events from JetStream by their number, and subscribes to new ones.
	{
		name: "gateway",
		publishes: ["rpc.>", ...streamed.map((publisher) => `$JS.API.STREAM.MSG.GET.${streamOf(publisher)}`)],
		subscribes: ["version.>", "event.billing.key.changed", ...streamed.map((publisher) => `event.${publisher}.>`)],
	},
];

/**
 * The settings of `env` that configure payments, each empty, which services treat as absent. Only the gateway may have them, and not even it
 * if stand-ins take the payments.
 */
export function withoutRails(env: NodeJS.ProcessEnv): Record<string, string> {
	const names = Object.keys(env).filter((name) => /^(X402|MPP|STRIPE)_/.test(name));
	return Object.fromEntries(names.map((name) => [name, ""]));
}

export function programOf(service: string, file: string): string {
	return join(root, "services", service, file);
}

/**
 * Settings that keep memory small, at no measurable cost of time. V8 gets little room for young objects (MB; by itself it takes up to 64 a
 * process), and may be asked to collect (libs/service/idle-collection.ts). The C library (glibc) gets two arenas rather than eight a core,
 * and returns freed memory to the system at once. The Dockerfile has the same settings; the gateway's are in its command there, in
 * deploy/compose.yaml and in deploy/k8s/base/gateway.yaml.
 */
export const memory = {
	// The requests that the gateway has under way do not fit into 4 MB: each collection would copy them, which cost a fifth of its time.
	flags: (service: string) => [`--max-semi-space-size=${service === "gateway" ? 16 : 4}`, "--expose-gc"],
	settings: { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" },
};

/** Node's arguments for a service's main program: telemetry has to be loaded before everything else. */
export function mainArguments(service: string): string[] {
	return [
		...memory.flags(service),
		"--import",
		join(root, "libs", "service", "telemetry.ts"),
		programOf(service, "main.ts"),
	];
}
