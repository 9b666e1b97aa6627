/**
 * Prints, for each operator, how much late-stage capacity has or could have a known developer, and how often the developers found agree with
 * those that operators publish: `npm run admin -- links` while the system is running.
 */
import { runProgram } from "#libs/service/program.ts";
import { measureCoverage, measurePrecision } from "../developers/jobs/measure-links.ts";
import { connectAs } from "./shared/connect.ts";

async function main(_args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	await using sql = connectAs("links", env, 1);
	await sql.begin(async (tx) => {
		console.table(await measureCoverage(tx));
		const agreements = await measurePrecision(tx);
		console.table(agreements.map(({ differing, ...counts }) => counts));
		for (const line of agreements.flatMap(({ differing }) => differing)) console.log(line);
	});
	return 0;
}

await runProgram("links", main);
