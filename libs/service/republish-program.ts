/** The program behind `npm run republish`: the same for every service that publishes. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databaseUrl, runProgram, UserError } from "./program.ts";

export interface Republishing {
	/** The service's own schema. */
	schema: string;
	/** Names of the events that can be said again. */
	names: readonly string[];
	/** How many events are on their way; undefined for a name that is none of them. */
	republish(sql: Sql, name: string): Promise<number | undefined>;
}

/** Publishes the event that the first argument names again, and sets the exit code. */
export const runRepublish = ({ schema, names, republish }: Republishing): Promise<void> =>
	runProgram("republish", async ([name = ""], env) => {
		await using sql = connect(databaseUrl(env), { schema, name: "republish", max: 1, statementTimeoutMs: 0 });
		const count = await republish(sql, name);
		if (count === undefined) throw new UserError(`usage: republish ${names.join(" | ")}`);
		console.log(`${count} events are on their way`);
		return 0;
	});
