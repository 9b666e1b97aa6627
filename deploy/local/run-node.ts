import { spawn } from "node:child_process";
import { constants } from "node:os";

/** Runs Node.js in our place: its input and output, the signals we are sent, and its exit code are ours. */
export async function runNode(args: string[], env: NodeJS.ProcessEnv, cwd = process.cwd()): Promise<void> {
	const child = spawn(process.execPath, args, { cwd, env, stdio: "inherit" });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
	process.exitCode = await new Promise<number>((ended) => {
		child.on("exit", (code, signal) => ended(code ?? 128 + (signal ? constants.signals[signal] : 0)));
	});
}
