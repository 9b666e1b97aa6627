/** Work of DuckDB in a process of its own: its memory is given back when it ends. */
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { EncodeTask } from "./encode.ts";

const encoder = new URL("./encode.ts", import.meta.url);

/** In one process for all files of a run. @returns the rows of each. */
export const encode = (tasks: readonly EncodeTask[], signal: AbortSignal): Promise<number[]> =>
	runChild(encoder, tasks, signal);

/** Runs a program that reads `tasks` as JSON and says of each, as JSON, how many rows its file has. */
export async function runChild(program: URL, tasks: readonly object[], signal: AbortSignal): Promise<number[]> {
	if (tasks.length === 0) return [];
	const child = spawn(process.execPath, ["--no-warnings", fileURLToPath(program)], {
		env: {},
		stdio: ["pipe", "pipe", "pipe"],
		signal,
		killSignal: "SIGKILL",
	});
	if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
	let errors = "";
	child.stderr.on("data", (chunk: Buffer) => {
		errors = (errors + chunk.toString()).slice(-2_000);
	});
	const ended = new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("exit", resolve);
	});
	const written = text(child.stdout);
	child.stdin.on("error", () => {});
	child.stdin.end(JSON.stringify(tasks));
	const code = await ended;
	if (code !== 0) throw new Error(`extracts could not be encoded (exit code ${code}): ${errors}`);
	return JSON.parse(await written) as number[];
}
