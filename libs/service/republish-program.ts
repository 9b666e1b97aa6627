/** The program behind `npm run republish`: the same for every service that publishes. */
import { type ExtractOwner, extractSubject } from "#libs/contract/exports/extracts.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { extractsChannel } from "#libs/postgres/republish.ts";
import { databaseUrl, runProgram, UserError } from "./program.ts";

export interface Republishing {
	/** The service's own schema. */
	schema: string;
	/** Names of the events that can be said again. */
	names: readonly string[];
	/** The service, where it writes extracts. */
	extracts?: ExtractOwner;
	/** How many events are on their way; undefined for a name that is none of them. */
	republish(sql: Sql, name: string): Promise<number | undefined>;
}

/** Publishes the event that the first argument names again, or has the running service check its extracts; sets the exit code. */
export const runRepublish = ({ schema, names, extracts, republish }: Republishing): Promise<void> =>
	runProgram("republish", async ([name = ""], env) => {
		await using sql = connect(databaseUrl(env), { schema, name: "republish", max: 1, statementTimeoutMs: 0 });
		const extractNames = extracts === undefined ? [] : [extractSubject(extracts)];
		if (extractNames.includes(name)) {
			await sql`select pg_notify(${extractsChannel(schema)}, '')`;
			console.log("the extracts are checked, and those that are damaged written again");
			return 0;
		}
		const count = await republish(sql, name);
		if (count === undefined) throw new UserError(`usage: republish ${[...names, ...extractNames].join(" | ")}`);
		console.log(`${count} events are on their way`);
		return 0;
	});
