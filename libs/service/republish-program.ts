/** The program behind `npm run republish`: the same for every service that publishes. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { asProgram } from "./telemetry.ts";

export interface Republishing {
	/** The service's own schema. */
	schema: string;
	/** Names of the events that can be said again. */
	names: readonly string[];
	/** How many events are on their way; undefined for a name that is none of them. */
	republish(sql: Sql, name: string): Promise<number | undefined>;
}

/** Says the event that the first argument names again, and sets the exit code. */
export const runRepublish = (what: Republishing): Promise<void> => asProgram("republish", () => say(what));

async function say({ schema, names, republish }: Republishing): Promise<void> {
	const [name = ""] = process.argv.slice(2);
	if (process.env.POSTGRES_URL === undefined) {
		console.error("POSTGRES_URL is not set: is the system running (npm run up)?");
		process.exitCode = 1;
		return;
	}
	await using sql = connect(process.env.POSTGRES_URL, { schema, name: "republish", max: 1, statementTimeoutMs: 0 });
	const said = await republish(sql, name);
	if (said === undefined) {
		console.error(`usage: republish ${names.join(" | ")}`);
		process.exitCode = 1;
	} else console.log(`${said} events are on their way`);
}
