/**
 * `npm run admin -- COMMAND [ARGUMENT...]` runs a command of a service, which is a file `services/SERVICE/admin/COMMAND.ts`, against the
 * running system. Without a command it lists them. Settings in the environment win: a deployed system has no run file. Paths are relative to
 * the folder of the caller.
 */
import { existsSync, globSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { extractOwners, extractSubject } from "#libs/contract/exports/extracts.ts";
import { type EventName, events } from "#libs/contract/index.ts";
import { root } from "./data-dir.ts";
import { runNode, runProgram, UserError } from "./program.ts";
import { readRun } from "./run-file.ts";
import { programOf, services } from "./services.ts";

/** Events that report an occurrence, not a state, so that none can be published again. */
const occurrences: ReadonlySet<string> = new Set([
	"snapshot.applied",
	"list.drifted",
	"sample.left",
	"usage.reached",
	"usage.recorded",
]);
/** Commands that read bundled data only. */
const standalone: ReadonlySet<string> = new Set(["classify", "resolve"]);

const commands = Map.groupBy(
	globSync("services/*/admin/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).sort(),
	(path) => basename(path, ".ts"),
);

await runProgram(async () => {
	const [command = "", ...args] = process.argv.slice(2);
	if (command === "migrate") return migrate();
	const paths = commands.get(command);
	if (paths === undefined) throw new UserError(usage());
	const service = paths.length > 1 ? ownerOf(command, args) : paths[0]?.split("/")[1];
	await run(service ?? "", join("admin", `${command}.ts`), args, standalone.has(command));
});

function usage(): string {
	const lines = [...commands].map(([command, [path = ""]]) => `  ${command.padEnd(14)}${summaryOf(path)}`);
	return `usage: npm run admin -- COMMAND [ARGUMENT...]\n${lines.join("\n")}\n  ${"migrate".padEnd(14)}Brings every schema up to date`;
}

/** The first sentence of the comment at the head of a command. */
function summaryOf(path: string): string {
	const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(root, path), "utf8")) ?? [];
	return (
		comment
			.replaceAll(/\s*\n \*\s?/g, " ")
			.trim()
			.split(/[:.](?:\s|$)/)[0] ?? ""
	);
}

async function migrate(): Promise<void> {
	for (const { name, schema } of services) {
		if (schema === undefined || process.exitCode) continue;
		await run(name, "migrate.ts", []);
	}
}

async function run(service: string, file: string, args: string[], isStandalone = false): Promise<void> {
	const running = isStandalone ? {} : environmentOf(service);
	// DATA_DIR may be relative in the environment, and the program runs in another folder.
	const env = { ...running, ...process.env, ...(running.DATA_DIR && { DATA_DIR: running.DATA_DIR }) };
	await runNode([programOf(service, file), ...args], env, process.env.INIT_CWD);
}

function environmentOf(service: string): Record<string, string> {
	const dataDir = resolve(process.env.DATA_DIR || ".data");
	const run = existsSync(dataDir) ? readRun(realpathSync(dataDir)) : undefined;
	const env = run?.services[service]?.env;
	if (env) return env;
	if (process.env.POSTGRES_URL) return {};
	throw new UserError(`No system is running in ${dataDir}: start one with \`npm run up\`, or set POSTGRES_URL.`);
}

/** The service that owns the named source (`ingest`), event or extracts (`republish`). */
function ownerOf(command: string, args: readonly string[]): string {
	return command === "republish" ? publisherOf(args[0]) : ownerOfSource(args);
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
	const known = (Object.keys(events) as EventName[])
		.map((key) => events[key].name)
		.filter((one) => !occurrences.has(one));
	throw new UserError(`usage: npm run republish -- ${[...known, ...extractOwners.map(extractSubject)].join(" | ")}`);
}
