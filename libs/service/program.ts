/** Command-line programs of services: arguments, database address, error output and exit code. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { type ExtractOwner, extractSubject } from "#libs/contract/exports/extracts.ts";
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";
import { extractsChannel, wakeRelay } from "#libs/postgres/events/outbox.ts";
import { traceProgram } from "./telemetry.ts";

/** An error that the user can correct: only its message is printed, without a stack trace. */
export class UserError extends Error {}

/** Returns the exit code. @throws UserError for wrong arguments, other errors for failures */
export type Main = (args: string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** Runs `main` as one trace with this process's arguments and environment, and sets the exit code. */
export async function runProgram(name: string, main: Main): Promise<void> {
	process.exitCode = await traceProgram(name, () => exitCodeOf(main, process.argv.slice(2), process.env));
}

/** Returns the exit code of `main`; a failure is printed to stderr and gives 1. */
export async function exitCodeOf(main: Main, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	try {
		return await main(args, env);
	} catch (error) {
		console.error(error instanceof UserError ? error.message : error);
		return 1;
	}
}

/** `parseArgs` of Node.js. @throws UserError for an argument that `config` does not declare */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new UserError(error instanceof Error ? error.message : String(error));
	}
}

/** Returns the URL of the service's database. @throws UserError if POSTGRES_URL is not set */
export function databaseUrl({ POSTGRES_URL: url }: NodeJS.ProcessEnv): string {
	if (url === undefined) throw new UserError("POSTGRES_URL is not set: is the system running (npm run up)?");
	return url;
}

/**
 * The program behind `npm run migrate`. `migrate` applies missing migrations to the database at a URL, whose role owns the schema, and
 * returns their names. The program is not traced, because migrations run at every start.
 */
export async function runMigrate(schema: string, migrate: (url: string) => Promise<string[]>): Promise<void> {
	const main = async (_args: string[], env: NodeJS.ProcessEnv) => {
		const applied = await migrate(databaseUrl(env));
		console.log(`${schema}: ${applied.length === 0 ? "nothing to migrate" : applied.join(", ")}`);
		return 0;
	};
	process.exitCode = await exitCodeOf(main, [], process.env);
}

/**
 * Functions by event name. Each puts an event with every current payload into the outbox, and returns the number of events. `idSuffix` makes
 * their IDs new, so that no inbox drops them as duplicates.
 */
export type Republishers = Readonly<Record<string, (tx: Transaction, idSuffix: string) => Promise<number>>>;

/**
 * Returns a function that republishes the event of a name. That function returns the number of events, or undefined if the service publishes
 * no event of this name.
 */
export const republishBy =
	(republishers: Republishers) =>
	async (sql: Sql, name: string): Promise<number | undefined> =>
		sql.begin(async (tx) => {
			const count = await republishers[name]?.(tx, `:again:${Date.now()}`);
			await wakeRelay(tx);
			return count;
		});

interface Republishing {
	schema: string;
	republishers: Republishers;
	/** The service, if it writes extracts; absent otherwise. */
	extracts?: ExtractOwner;
}

/** The program behind `npm run republish`: republishes the named event, or makes the running service check its extracts. */
export const runRepublish = ({ schema, republishers, extracts }: Republishing): Promise<void> =>
	runProgram("republish", async ([name = ""], env) => {
		await using sql = connect(databaseUrl(env), { schema, name: "republish", max: 1, statementTimeoutMs: 0 });
		const extractNames = extracts === undefined ? [] : [extractSubject(extracts)];
		if (extractNames.includes(name)) {
			await sql`select pg_notify(${extractsChannel(schema)}, '')`;
			console.log("requested a check of the extracts; damaged ones are rewritten");
			return 0;
		}
		const count = await republishBy(republishers)(sql, name);
		if (count === undefined)
			throw new UserError(`usage: republish ${[...Object.keys(republishers), ...extractNames].join(" | ")}`);
		console.log(`${count} events were put into the outbox`);
		return 0;
	});
