/** Programs of the command line: how they end, and how they run Node.js in their place. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** A failure that the user can act on. Its message is printed without a stack. */
export class UserError extends Error {}

/** Runs a program of the command line, and ends it with a readable sentence if it fails for a known reason. */
export async function runProgram(main: () => Promise<void>): Promise<void> {
	try {
		await main();
	} catch (error) {
		process.stderr.write(`${describe(error)}\n`);
		process.exitCode = 1;
	}
}

export function describe(error: unknown): string {
	if (error instanceof UserError) return error.message;
	if (!(error instanceof Error)) return String(error);
	const { code, path } = error as NodeJS.ErrnoException;
	if ((code === "EACCES" || code === "EPERM") && path) {
		return `${path} belongs to another user; was the system started by another user (root?) in this folder before?`;
	}
	if (code === "ENOSPC") return "The disk is full.";
	return error.stack ?? error.message;
}

/** Runs Node.js in place of this process, with its input, output and signals; this process then ends with the same exit code. */
export async function runNode(args: string[], env: NodeJS.ProcessEnv, cwd = process.cwd()): Promise<void> {
	const child = spawn(process.execPath, args, { cwd, env, stdio: "inherit" });
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
	process.exitCode = await new Promise<number>((ended) => {
		child.on("exit", (code, signal) => ended(code ?? 128 + (signal ? constants.signals[signal] : 0)));
	});
}
