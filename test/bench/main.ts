/**
 * `npm run bench [-- --only parsing,sources,names,ingest,reads,history,map,streams,kept,access,query,capacity,export,signals,memory,scoring,scale]`: how fast the service is, against what
 * one would otherwise do. Starts what it needs and takes it away again. Absolute figures are this machine's at this moment; the ratios
 * are what counts, their sides having been measured in turn in one run. The table is also written to bench.log, the figures of each part that was
 * run to bench/results.json and bench/results.svg.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../deploy/local/data-dir.ts";
import { runProgram, Sentence } from "../../deploy/local/sentence.ts";
import { measureAccess } from "./access.ts";
import { measureCapacity } from "./capacity.ts";
import { measureExport } from "./export.ts";
import { measureHistory } from "./history.ts";
import { measureIngest } from "./ingest.ts";
import { measureKept } from "./kept.ts";
import { measureMap } from "./map.ts";
import { measureServiceMemory } from "./memory.ts";
import { measureNames } from "./names.ts";
import { measureParsing } from "./parsing.ts";
import { measureQuery } from "./query.ts";
import { measureReads } from "./reads.ts";
import { haveRealData, realData } from "./real-data.ts";
import { type Row, render } from "./report.ts";
import { writeResults } from "./results.ts";
import { measureScale } from "./scale.ts";
import { measureScoring } from "./scoring.ts";
import { measureSignals } from "./signals.ts";
import { measureSources } from "./sources.ts";
import { measureStreams } from "./streams.ts";
import { type Bench, startBench } from "./system.ts";

type Say = (line: string) => void;
/** In the order of running: the export grows the table that the reads are measured on, scoring empties it. */
const parts: Record<string, (bench: Bench, say: Say) => Promise<Row[]>> = {
	parsing: (_, say) => measureParsing(say),
	sources: (_, say) => measureSources(say),
	names: (_, say) => measureNames(say),
	ingest: measureIngest,
	reads: measureReads,
	history: measureHistory,
	map: measureMap,
	streams: measureStreams,
	kept: measureKept,
	access: measureAccess,
	query: measureQuery,
	capacity: measureCapacity,
	export: measureExport,
	signals: measureSignals,
	memory: measureServiceMemory,
	scoring: measureScoring,
	scale: measureScale,
};

await runProgram(async () => {
	const chosen = chooseParts(process.argv.slice(2));
	const started = performance.now();
	const say: Say = (line) => process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0)} s  ${line}\n`);
	await using bench = await startBench(say);
	const measured: Record<string, Row[]> = {};
	for (const name of chosen) {
		measured[name] = (await parts[name]?.(bench, say)) ?? [];
		writeResults({ [name]: measured[name] });
	}
	const lists = haveRealData ? `lists of ${realData}` : `made up lists (${realData} does not exist)`;
	const text = `${cpus().length} cores, Node.js ${process.version}, ${lists}\n\n${render(Object.values(measured).flat())}\n`;
	process.stdout.write(`\n${text}`);
	writeFileSync(join(root, "bench.log"), text);
});

function chooseParts(args: string[]): string[] {
	const names = Object.keys(parts);
	const { only } = parseArgs({ args, options: { only: { type: "string" } } }).values;
	// Scale takes an hour: it runs only when named.
	const wanted = only?.split(",") ?? names.filter((name) => name !== "scale");
	const unknown = wanted.filter((name) => !names.includes(name));
	if (unknown.length > 0)
		throw new Sentence(`--only: there is no ${unknown.join(", ")}; parts are ${names.join(", ")}.`);
	return names.filter((name) => wanted.includes(name));
}
