/** The one runner of a service's command-line programs: arguments, the database's address, what is printed when it goes wrong, the exit code. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { asProgram } from "./telemetry.ts";

/** An error that the person at the command line can correct: printed as it is, without a stack. */
export class UserError extends Error {}

/** Answers the exit code. Throws `UserError` for a wrong call, anything else for what failed. */
export type Main = (args: string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** Runs `main` as one trace with the arguments and the environment of this process, and sets its exit code. */
export async function runProgram(name: string, main: Main): Promise<void> {
	process.exitCode = await asProgram(name, () => exitCodeOf(main, process.argv.slice(2), process.env));
}

/** Failures are printed to stderr and give exit code 1. */
export async function exitCodeOf(main: Main, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	try {
		return await main(args, env);
	} catch (error) {
		console.error(error instanceof UserError ? error.message : error);
		return 1;
	}
}

/** `parseArgs` of Node.js. Throws `UserError` for an argument that is none of `config`. */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new UserError(error instanceof Error ? error.message : String(error));
	}
}

/** Address of the service's database. Throws `UserError` where none is set. */
export function databaseUrl({ POSTGRES_URL: url }: NodeJS.ProcessEnv): string {
	if (url === undefined) throw new UserError("POSTGRES_URL is not set: is the system running (npm run up)?");
	return url;
}
