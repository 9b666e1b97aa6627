/** The program behind `npm run migrate`: the same for every service that stores something. */
import { databaseUrl, exitCodeOf } from "./program.ts";

/**
 * Sets the exit code. `migrate` applies what is missing to the database at an address, whose role owns the schema, and answers its names. No trace:
 * migrations run at every start.
 */
export async function runMigrate(schema: string, migrate: (url: string) => Promise<string[]>): Promise<void> {
	const main = async (_args: string[], env: NodeJS.ProcessEnv) => {
		const applied = await migrate(databaseUrl(env));
		console.log(`${schema}: ${applied.length === 0 ? "nothing to migrate" : applied.join(", ")}`);
		return 0;
	};
	process.exitCode = await exitCodeOf(main, [], process.env);
}
