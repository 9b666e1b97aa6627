/**
 * Loads reference lists by hand, against the running system's database:
 *
 *   ingest --source energy-communities FILE...   IRS county lists (.tsv), Treasury's workbooks (.xlsx), lists of some places (.csv)
 *   ingest --source low-income FILE...           CDFI's tracts (.json), the 48E(h) program's workbook (.xlsx)
 *   ingest --source ic-costs FILE...             interconnection costs of requests (.csv)
 *   ingest --sample | --data DIR                 the bundled sample, or DIR/energy_communities, DIR/geography and DIR/ic_costs
 *
 * What became of each file goes to stderr; with `--source` the last line on stdout is the sum as JSON. Exit code: 0 when every file was
 * loaded or was known already, 3 when a file was refused, 1 when there was none or the system failed.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { choice } from "#libs/contract/params.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { asProgram } from "#libs/service/telemetry.ts";
import { loadReferenceFiles, sumOf } from "./jobs/load-references.ts";
import { loadSample } from "./jobs/load-sample.ts";
import type { FileReport } from "./jobs/record-file.ts";
import { loadFolder } from "./jobs/ref-folder.ts";
import { schema } from "./migrate.ts";
import { type ReferenceSource, referenceSources } from "./sources/reference.ts";

const exitCodes = { applied: 0, unchanged: 0, refused: 3, failed: 1 } as const;

class Usage extends Error {}

/** Answers the exit code. Throws what is not the files' fault. */
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const called = readOptions(args, env.INIT_CWD ?? process.cwd());
	if (env.POSTGRES_URL === undefined) throw new Usage("POSTGRES_URL is not set: is the system running (npm run up)?");
	await using sql = connect(env.POSTGRES_URL, { schema, name: "ingest", max: 4, statementTimeoutMs: 0 });
	if (called.kind === "load") return await load(sql, called.data);
	const reports = await loadReferenceFiles(sql, called.source, called.paths, {
		now: () => new Date(),
		report: (report) => console.error(lineOf(report)),
		leftOut: (path, reason) => console.error(`${path}: ${reason}: left out`),
	});
	const sum = sumOf(called.source, reports);
	console.log(JSON.stringify(sum));
	return exitCodes[sum.outcome];
}

/** The sample where no folder is named. */
async function load(sql: Sql, data: string | null): Promise<number> {
	const options = { now: () => new Date(), report: (line: string) => console.error(line) };
	if (data !== null) return (await loadFolder(sql, data, options)).refused === 0 ? 0 : exitCodes.refused;
	await loadSample(sql, options);
	return 0;
}

type Called = { kind: "load"; data: string | null } | { kind: "take in"; source: ReferenceSource; paths: string[] };

function readOptions(args: string[], cwd: string): Called {
	const { source, paths, sample, data } = parse(args);
	if (sample || data !== undefined) {
		if ([source !== undefined, paths.length > 0, sample && data !== undefined].includes(true))
			throw new Usage("--sample and --data DIR stand alone");
		return { kind: "load", data: data === undefined ? null : resolve(cwd, data) };
	}
	const known = choice(referenceSources).safeParse(source);
	if (!known.success) throw new Usage(`--source: "${source ?? ""}" is none of ${referenceSources.join(", ")}`);
	if (paths.length === 0) throw new Usage("name the file or folder to take in");
	return { kind: "take in", source: known.data, paths: paths.map((path) => resolve(cwd, path)) };
}

function parse(args: string[]) {
	try {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: { source: { type: "string" }, sample: { type: "boolean" }, data: { type: "string" } },
		});
		const { source, data, sample = false } = values;
		return { source, data, sample, paths: positionals };
	} catch (error) {
		throw new Usage(error instanceof Error ? error.message : String(error));
	}
}

function lineOf({ name, outcome, holds, rows_in, stored, known, dropped, noted, reason }: FileReport): string {
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const lost = dropped.map(({ reason: why, count, examples }) => `; dropped ${count}: ${why} (${examples.join(", ")})`);
	const notes = noted.map((note) => `; ${note}`);
	const what = holds === null ? "" : `${holds}, `;
	return `${name}: ${outcome}, ${what}${rows_in} rows, ${stored} stored, ${known} known already${[...lost, ...notes].join("")}`;
}

/** For the command line: a wrong call is one sentence. */
export async function run(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	try {
		return await main(args, env);
	} catch (error) {
		console.error(error instanceof Usage ? error.message : error);
		return exitCodes.failed;
	}
}

if (import.meta.main) process.exitCode = await asProgram("ingest", () => run(process.argv.slice(2), process.env));
