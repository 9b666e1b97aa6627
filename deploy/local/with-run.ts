/**
 * Runs a service's program against the running system:
 *
 *     with-run.ts SERVICE FILE [ARGUMENT...]
 *
 * SERVICE is a service's name, or `owner`: the one that the arguments are about. Settings that are in the environment win (a deployed system has no run file). Paths are relative to where the user is.
 */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { extractOwners, extractSubject } from "#libs/contract/extracts.ts";
import { type EventName, events } from "#libs/contract/index.ts";
import { readRun } from "./run-file.ts";
import { runNode } from "./run-node.ts";
import { runProgram, Sentence } from "./sentence.ts";
import { programOf, services } from "./services.ts";

/** They tell that something happened: there is nothing to say again. */
const once: ReadonlySet<string> = new Set([
	"snapshot.applied",
	"list.drifted",
	"sample.left",
	"usage.exhausted",
	"usage.recorded",
]);

await runProgram(async () => {
	const [named = "", file = "", ...args] = process.argv.slice(2);
	const service = ownerOf(named, file, args);
	const running = environmentOf(service);
	// DATA_DIR may be relative in our environment, and the program runs in another folder.
	const env = { ...running, ...process.env, ...(running.DATA_DIR && { DATA_DIR: running.DATA_DIR }) };
	await runNode([programOf(service, file), ...args], env, process.env.INIT_CWD);
});

function environmentOf(service: string): Record<string, string> {
	const dataDir = resolve(process.env.DATA_DIR || ".data");
	const run = existsSync(dataDir) ? readRun(realpathSync(dataDir)) : undefined;
	const env = run?.services[service]?.env;
	if (env) return env;
	if (process.env.POSTGRES_URL) return {};
	throw new Sentence(`No system is running in ${dataDir}: start one with \`npm run up\`, or set POSTGRES_URL.`);
}

/** `queue-ingest` itself, or, where SERVICE is `owner`, the service that owns the named source (`ingest`) or event or extracts (`republish`). */
function ownerOf(service: string, file: string, args: readonly string[]): string {
	if (service !== "owner") return service;
	return file === "republish.ts" ? publisherOf(args[0]) : ownerOfSource(args);
}

function ownerOfSource(args: readonly string[]): string {
	const at = args.indexOf("--source");
	const source = at < 0 ? args.find((arg) => arg.startsWith("--source="))?.slice("--source=".length) : args[at + 1];
	return services.find(({ sources }) => source !== undefined && sources?.includes(source))?.name ?? "queue-ingest";
}

function publisherOf(event: string | undefined): string {
	const name = (Object.keys(events) as EventName[]).find((key) => events[key].name === event);
	if (name !== undefined) return events[name].publisher;
	const extracts = extractOwners.find((owner) => extractSubject(owner) === event);
	if (extracts !== undefined) return extracts;
	const known = (Object.keys(events) as EventName[]).map((key) => events[key].name).filter((one) => !once.has(one));
	throw new Sentence(`usage: npm run republish -- ${[...known, ...extractOwners.map(extractSubject)].join(" | ")}`);
}
