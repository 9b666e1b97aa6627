/**
 * `npm run bench [-- --only PART,PART] [--smoke]`: how fast the service is, against what one would otherwise do (`parts.ts` lists the parts).
 * Starts what it needs and takes it away again. Absolute figures are this machine's at this moment; the ratios are what counts, their sides
 * having been measured in turn in one run. The table is also written to bench.log, the figures of each part to bench/results.json and
 * bench/results.svg. `--smoke` only shows that each part works: tiny data, no file is written.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../deploy/local/data-dir.ts";
import { runProgram, UserError } from "../../deploy/local/program.ts";
import { checkRows, parts } from "./parts.ts";
import { type Row, render } from "./report.ts";
import { readCommit, writeResults } from "./results.ts";
import { fullSize, smokeSize, startBench } from "./system.ts";

await runProgram(async () => {
	const { smoke, chosen } = readArguments(process.argv.slice(2));
	const started = performance.now();
	const say = (line: string) =>
		process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0)} s  ${line}\n`);
	// Before anything is written.
	const commit = readCommit();
	const size = smoke ? smokeSize : fullSize;
	await using bench = await startBench(say, size);
	const measured: Row[] = [];
	const failed: string[] = [];
	for (const name of chosen) {
		const begun = performance.now();
		try {
			const rows = (await parts[name]?.(bench, say)) ?? [];
			measured.push(...rows);
			// A full run leaves out what needs a program that is not here.
			if (smoke || rows.length > 0) checkRows(name, rows);
			if (!smoke && rows.length > 0) writeResults(name, rows, commit);
		} catch (error) {
			// A failure must not discard the hours of the other parts.
			failed.push(name);
			say(`${name}: ${error instanceof Error ? error.stack : error}`);
		}
		say(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
	}
	const lists = size.realData ? `lists of ${size.realData}` : "made-up lists";
	const text = `${cpus().length} cores, Node.js ${process.version}, commit ${commit}, ${lists}\n\n${render(measured)}\n`;
	process.stdout.write(`\n${text}`);
	if (!smoke) writeFileSync(join(root, "bench.log"), text);
	if (failed.length > 0) throw new UserError(`Failed: ${failed.join(", ")}.`);
});

function readArguments(args: string[]): { smoke: boolean; chosen: string[] } {
	const names = Object.keys(parts);
	const options = { only: { type: "string" }, smoke: { type: "boolean", default: false } } as const;
	const { only, smoke } = parseArgs({ args, options }).values;
	// The full run of scale takes an hour: it runs only when named.
	const wanted = only?.split(",") ?? names.filter((name) => smoke || name !== "scale");
	const unknown = wanted.filter((name) => !names.includes(name));
	if (unknown.length > 0)
		throw new UserError(`--only: there is no ${unknown.join(", ")}; parts are ${names.join(", ")}.`);
	return { smoke, chosen: names.filter((name) => wanted.includes(name)) };
}
