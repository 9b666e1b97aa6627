/**
 * Runs a service's program against the running system:
 *
 *     with-run.ts SERVICE FILE [ARGUMENT...]
 *
 * SERVICE is a service's name, or `owner`: the one that the arguments are about. Settings that are in the environment win (a deployed system has no run file). Paths are relative to where the user is.
 */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { ownerOf } from "./owner.ts";
import { readRun } from "./run-file.ts";
import { runNode } from "./run-node.ts";
import { runProgram, Sentence } from "./sentence.ts";
import { programOf } from "./services.ts";

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
