/**
 * Takes in files by hand, or what is published now, against the running system's database:
 *
 *   ingest --source form-d|8-k|news (FILE|FOLDER... | --live)
 *   ingest --sample | --data DIR      the bundled sample, or DIR/news and DIR/sec
 *
 * What became of each file goes to stderr; with `--source` the last line on stdout is the sum as JSON. Exit code: 0 when every file was taken in or
 * was known already, 3 when a file was refused, 1 when there was none, a publisher could not be reached or the system failed.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { choice } from "#libs/contract/params.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { asProgram } from "#libs/service/telemetry.ts";
import { contact } from "./config.ts";
import { type Pipeline, pipelineNames } from "./domain/pipelines.ts";
import { ingestFiles, sumOf } from "./jobs/ingest-files.ts";
import { loadFolder } from "./jobs/load-folder.ts";
import { loadSample } from "./jobs/load-sample.ts";
import type { FileReport } from "./jobs/record-file.ts";
import { needsContact, refreshNow } from "./jobs/refresh-jobs.ts";
import type { Look } from "./jobs/take-turn.ts";
import { schema } from "./migrate.ts";

const exitCodes = { applied: 0, unchanged: 0, refused: 3, failed: 1 } as const;

class Usage extends Error {}

/** Answers the exit code. Throws what is not the files' fault. */
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const called = readOptions(args, env.INIT_CWD ?? process.cwd());
	if (env.POSTGRES_URL === undefined) throw new Usage("POSTGRES_URL is not set: is the system running (npm run up)?");
	await using sql = connect(env.POSTGRES_URL, { schema, name: "ingest", max: 4, statementTimeoutMs: 0 });
	if (called.kind === "load") return await load(sql, called.data);
	const { source, paths, live } = called;
	if (live) return await takeInPublished(sql, source, env.CONTACT);
	const reports = await ingestFiles(sql, source, paths, {
		now: () => new Date(),
		report: (report) => console.error(lineOf(report)),
		leftOut: (path, reason) => console.error(`${path}: ${reason}: left out`),
	});
	const sum = sumOf(source, reports);
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

/** One turn of the live job, its parts due or not. */
async function takeInPublished(sql: Sql, source: Pipeline, declared: string | undefined): Promise<number> {
	const who = contact.optional().safeParse(declared || undefined);
	if (!who.success) throw new Usage(`CONTACT ${who.error.issues[0]?.message}`);
	if (who.data === undefined && needsContact(source))
		throw new Usage("CONTACT is not set: SEC asks every program for an organisation and an e-mail address");
	const log = createLogger({ name: "ingest", level: "silent" });
	const options = { log, now: () => new Date(), contact: who.data };
	const looks = await refreshNow(sql, source, options, new AbortController().signal);
	if (looks === undefined) throw new Usage("the running system is at it: look again in a few minutes");
	for (const { feed, outcome, stored, known, reason } of looks)
		console.error(
			`${feed}: ${outcome}, ${stored} stored, ${known} known already${reason === null ? "" : `; ${reason}`}`,
		);
	const outcome = worstOf(looks);
	console.log(JSON.stringify({ source, looks, outcome }));
	return exitCodes[outcome];
}

/** A host that may not be asked now is no failure. */
function worstOf(looks: readonly Look[]): keyof typeof exitCodes {
	const outcomes = new Set(looks.map(({ outcome }) => outcome));
	return (["failed", "refused", "applied"] as const).find((outcome) => outcomes.has(outcome)) ?? "unchanged";
}

type Called =
	| { kind: "load"; data: string | null }
	| { kind: "take in"; source: Pipeline; paths: string[]; live: boolean };

function readOptions(args: string[], cwd: string): Called {
	const { source, paths, live, sample, data } = parse(args);
	if (sample || data !== undefined) {
		if ([source !== undefined, live, paths.length > 0, sample && data !== undefined].includes(true))
			throw new Usage("--sample and --data DIR stand alone");
		return { kind: "load", data: data === undefined ? null : resolve(cwd, data) };
	}
	const known = choice(pipelineNames).safeParse(source);
	if (!known.success) throw new Usage(`--source: "${source ?? ""}" is none of ${pipelineNames.join(", ")}`);
	if (live && paths.length > 0) throw new Usage("--live and files exclude each other");
	if (!live && paths.length === 0) throw new Usage("name the file or folder to take in, or --live");
	return { kind: "take in", source: known.data, paths: paths.map((path) => resolve(cwd, path)), live };
}

function parse(args: string[]) {
	try {
		const { values, positionals } = parseArgs({
			args,
			allowPositionals: true,
			options: {
				source: { type: "string" },
				live: { type: "boolean" },
				sample: { type: "boolean" },
				data: { type: "string" },
			},
		});
		const { source, data, live = false, sample = false } = values;
		return { source, data, live, sample, paths: positionals };
	} catch (error) {
		throw new Usage(error instanceof Error ? error.message : String(error));
	}
}

function lineOf({ name, outcome, rows_in, stored, known, dropped, notes, reason }: FileReport): string {
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const lost = dropped.map(({ reason: why, count }) => `; dropped ${count}: ${why}`).join("");
	const noted = notes.map(({ reason: why, count }) => `; noted ${count}: ${why}`).join("");
	return `${name}: ${outcome}, ${rows_in} rows, ${stored} stored, ${known} known already${lost}${noted}`;
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
