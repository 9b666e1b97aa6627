/** Queues every open request to be scored again. The last line on stdout is the outcome as JSON. */
import { connect } from "#libs/postgres/connect.ts";
import { databaseUrl, readArguments, runProgram } from "#libs/service/program.ts";
import { rescore } from "../jobs/scoring-worker.ts";
import { schema } from "../migrate.ts";

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	readArguments({ args, options: {} });
	await using sql = connect(databaseUrl(env), { schema, name: "rescore", max: 2, statementTimeoutMs: 0 });
	console.log(JSON.stringify({ requests: await rescore(sql) }));
	return 0;
}

await runProgram("rescore", main);
