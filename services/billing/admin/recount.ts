/**
 * Rebuilds the hourly sums of usage from the ledger of requests:
 *
 *   recount                      every month of the ledger
 *   recount --month YYYY-MM      one month
 *
 * Billing may run at the same time; only its recording of usage waits. The last line on stdout is the outcome as JSON.
 */
import { connect } from "#libs/postgres/connect.ts";
import { databaseUrl, readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { isMonth } from "../domain/months.ts";
import { recountUsage } from "../jobs/recount-usage.ts";
import { schema } from "../migrate.ts";

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const month = readMonth(args);
	await using sql = connect(databaseUrl(env), { schema, name: "recount", max: 1, statementTimeoutMs: 0 });
	const outcome = { months: 0, removed: 0, written: 0 };
	await recountUsage(sql, month, (done) => {
		console.error(`${done.month}: ${done.removed} sums removed, ${done.written} written`);
		outcome.months++;
		outcome.removed += done.removed;
		outcome.written += done.written;
	});
	console.log(JSON.stringify(outcome));
	return 0;
}

function readMonth(args: string[]): string | null {
	const { month } = readArguments({ args, options: { month: { type: "string" } } }).values;
	if (month === undefined || isMonth(month)) return month ?? null;
	throw new UserError("usage: recount [--month YYYY-MM]");
}

await runProgram("recount", main);
