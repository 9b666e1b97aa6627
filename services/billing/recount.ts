/**
 * Makes the sums of usage again from the ledger of answered requests, in which they can be read one by one:
 *
 *   recount                      every month of the ledger
 *   recount --month YYYY-MM      that month
 *
 * Billing may run meanwhile: who is answered waits for nothing. The last line on stdout is the outcome as JSON.
 */
import { parseArgs } from "node:util";
import { connect } from "#libs/postgres/connect.ts";
import { isMonth } from "./domain/usage.ts";
import { recountUsage } from "./jobs/recount-usage.ts";
import { schema } from "./migrate.ts";

class Usage extends Error {}

/** Throws what is not the caller's fault, and `Usage` for what is. */
async function main(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
	const month = readMonth(args);
	if (env.POSTGRES_URL === undefined) throw new Usage("POSTGRES_URL is not set: is the system running (npm run up)?");
	await using sql = connect(env.POSTGRES_URL, { schema, name: "recount", max: 1, statementTimeoutMs: 0 });
	const outcome = { months: 0, removed: 0, written: 0 };
	await recountUsage(sql, month, (done) => {
		console.error(`${done.month}: ${done.removed} sums removed, ${done.written} written`);
		outcome.months++;
		outcome.removed += done.removed;
		outcome.written += done.written;
	});
	console.log(JSON.stringify(outcome));
}

function readMonth(args: string[]): string | null {
	try {
		const { month } = parseArgs({ args, options: { month: { type: "string" } } }).values;
		if (month === undefined || isMonth(month)) return month ?? null;
	} catch (error) {
		throw new Usage(error instanceof Error ? error.message : String(error));
	}
	throw new Usage("usage: recount [--month YYYY-MM]");
}

try {
	await main(process.argv.slice(2), process.env);
} catch (error) {
	console.error(error instanceof Usage ? error.message : error);
	process.exitCode = 1;
}
