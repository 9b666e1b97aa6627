/**
 * The program of every container. It runs in this very process, so that signals reach it without a middleman:
 *
 *     node deploy/container/run.ts gateway | queue-ingest | signals | scoring | billing | query | subscriptions
 *
 * Other programs are run by their files: `node services/billing/admin/keys.ts list`, `node deploy/container/prepare.ts`.
 */
import { readdirSync } from "node:fs";

const folder = new URL("../../services/", import.meta.url);
const names = readdirSync(folder);
const service = names.find((name) => name === process.argv[2]);
if (service === undefined) {
	process.stderr.write(`Which service? node deploy/container/run.ts ${names.join(" | ")}\n`);
	process.exit(1);
}
// Traces are called like the service, which its program's folder says elsewhere.
process.env.OTEL_SERVICE_NAME ??= service;
// Before everything else: what is loaded first cannot be traced.
await import("../../libs/service/telemetry.ts");
await import(new URL(`${service}/main.ts`, folder).href);
