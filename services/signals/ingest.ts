/**
 * Takes in files by hand, against the running system's database:
 *
 *   ingest --source form-d|8-k|news FILE|FOLDER...
 *
 * What became of each file goes to stderr; the last line on stdout is the sum as JSON. Exit code: 0 when every file was taken in or
 * was known already, 3 when a file was refused, 1 when there was none or the system failed.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { choice } from "#libs/contract/params.ts";
import { connect } from "#libs/postgres/connect.ts";
import { type Pipeline, pipelineNames } from "./domain/pipelines.ts";
import { ingestFiles, sumOf } from "./jobs/ingest-files.ts";
import type { FileReport } from "./jobs/record-file.ts";
import { schema } from "./migrate.ts";

const exitCodes = { applied: 0, unchanged: 0, refused: 3, failed: 1 } as const;

class Usage extends Error {}

/** Answers the exit code. Throws what is not the files' fault. */
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const { source, paths } = readOptions(args, env.INIT_CWD ?? process.cwd());
	if (env.POSTGRES_URL === undefined) throw new Usage("POSTGRES_URL is not set: is the system running (npm run up)?");
	await using sql = connect(env.POSTGRES_URL, { schema, name: "ingest", max: 4, statementTimeoutMs: 0 });
	const reports = await ingestFiles(sql, source, paths, {
		now: () => new Date(),
		report: (report) => console.error(lineOf(report)),
		leftOut: (path) => console.error(`${path}: no file of ${source}, left out`),
	});
	const sum = sumOf(source, reports);
	console.log(JSON.stringify(sum));
	return exitCodes[sum.outcome];
}

function readOptions(args: string[], cwd: string): { source: Pipeline; paths: string[] } {
	const { source, paths } = parse(args);
	const known = choice(pipelineNames).safeParse(source);
	if (!known.success) throw new Usage(`--source: "${source ?? ""}" is none of ${pipelineNames.join(", ")}`);
	if (paths.length === 0) throw new Usage("name the file or folder to take in");
	return { source: known.data, paths: paths.map((path) => resolve(cwd, path)) };
}

function parse(args: string[]): { source: string | undefined; paths: string[] } {
	try {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: { source: { type: "string" } },
		});
		return { source: values.source, paths: positionals };
	} catch (error) {
		throw new Usage(error instanceof Error ? error.message : String(error));
	}
}

function lineOf({ name, outcome, rows_in, stored, known, dropped, reason }: FileReport): string {
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const lost = dropped.map(({ reason: why, count }) => `; dropped ${count}: ${why}`).join("");
	return `${name}: ${outcome}, ${rows_in} rows, ${stored} stored, ${known} known already${lost}`;
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

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env);
