/**
 * Scores everything under another version of the weights and tables, while the present one is served, and then serves it:
 *
 *   rescore --version N     prepares version N beside the one in use, then serves it
 *   rescore                 computes everything again under the version in use
 *
 * If it is interrupted, the present version stays in use until the next call. The last line on stdout is the outcome as JSON.
 */
import { integer } from "#libs/contract/params.ts";
import { connect } from "#libs/postgres/connect.ts";
import { databaseUrl, readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { scoreVersions } from "../domain/score/versions/index.ts";
import { rescore } from "../jobs/rescore.ts";
import { schema } from "../migrate.ts";

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const version = readVersion(args);
	await using sql = connect(databaseUrl(env), { schema, name: "rescore", max: 2, statementTimeoutMs: 0 });
	const outcome = await rescore(sql, version, { now: () => new Date(), report: (line) => console.error(line) });
	console.log(JSON.stringify(outcome));
	return 0;
}

function readVersion(args: string[]): number | null {
	const { version } = readArguments({ args, options: { version: { type: "string" } } }).values;
	if (version === undefined) return null;
	const read = integer(1).safeParse(version);
	if (read.success && scoreVersions.has(read.data)) return read.data;
	throw new UserError(`--version: "${version}" is not one of ${[...scoreVersions.keys()].join(", ")}`);
}

await runProgram("rescore", main);
