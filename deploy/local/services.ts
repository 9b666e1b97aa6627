/** The services of the system and what each may touch. A new service is one entry here. */
import { join } from "node:path";
import { root } from "./data-dir.ts";

export interface Service {
	name: string;
	/** Its PostgreSQL schema and the role that owns it; undefined for a service that stores nothing. */
	schema?: string;
	/** Beyond its own requests, events and announcements. */
	publishes?: string[];
	subscribes?: string[];
	/** What `npm run ingest -- --source` takes in here; everything else is the queues' (queue-ingest). */
	sources?: string[];
}

/** In the order of their start. */
export const services: readonly Service[] = [
	{ name: "queue-ingest", schema: "queue_ingest" },
	{ name: "signals", schema: "signals", sources: ["form-d", "8-k", "news"] },
	{ name: "scoring", schema: "scoring", sources: ["energy-communities", "low-income", "ic-costs"] },
	{ name: "billing", schema: "billing" },
	// What billing says of keys it hears as it is said: every replica must, and a durable consumer would share it out among them.
	{ name: "gateway", publishes: ["rpc.>"], subscribes: ["version.>", "event.billing.key.changed"] },
];

export function programOf(service: string, file: string): string {
	return join(root, "services", service, file);
}

/** Node's arguments for a service's main program: telemetry has to be loaded before everything else. */
export function mainArguments(service: string): string[] {
	return ["--import", join(root, "libs", "service", "telemetry.ts"), programOf(service, "main.ts")];
}
