/** The program behind `npm run ingest`, for services that ingest the files of named sources: arguments, JSON output and exit code. */
import { resolve } from "node:path";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databaseUrl, readArguments, UserError } from "./program.ts";

const exitCodes = { applied: 0, unchanged: 0, refused: 3, failed: 1 } as const;

/** The result of a run, printed as one line of JSON on stdout. */
export interface IngestOutcome {
	outcome: keyof typeof exitCodes;
}

/** The outcome of a file. `refused`: none of its rows was stored. */
export interface FileOutcome {
	rows_in: number;
	stored: number;
	known: number;
	dropped: readonly { count: number }[];
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
}

/**
 * Sums the reports of a run. The outcome is `refused` if any file was refused, and `failed` if there was no file. `dropped` counts rows from
 * which no record was made.
 */
export function sumFiles<S extends string>(source: S, reports: readonly FileOutcome[]) {
	const total = (count: (report: FileOutcome) => number) => reports.reduce((sum, report) => sum + count(report), 0);
	const refused = reports.find(({ outcome }) => outcome === "refused");
	const applied = reports.some(({ outcome }) => outcome === "applied") ? "applied" : "unchanged";
	const outcome: IngestOutcome["outcome"] = refused ? "refused" : reports.length === 0 ? "failed" : applied;
	return {
		source,
		files: reports.length,
		rows_in: total((report) => report.rows_in),
		stored: total((report) => report.stored),
		known: total((report) => report.known),
		dropped: total(({ dropped }) => dropped.reduce((sum, { count }) => sum + count, 0)),
		outcome,
		reason: reports.length === 0 ? `no file of ${source} was found` : (refused?.reason ?? null),
	};
}

interface LoadOptions {
	now(): Date;
	report(line: string): void;
}

export interface FileIngest<S extends string> {
	schema: string;
	sources: readonly S[];
	/** Ingests files and folders, given by absolute paths. */
	ingestFiles(sql: Sql, source: S, paths: string[]): Promise<IngestOutcome>;
	/** Downloads and ingests the files published now (`--live`); absent if nothing is published. */
	ingestPublished?(sql: Sql, source: S, env: NodeJS.ProcessEnv): Promise<IngestOutcome>;
	/** Loads the folder given by `--data DIR`. Returns the number of refused files. */
	loadFolder(sql: Sql, folder: string, options: LoadOptions): Promise<{ refused: number }>;
	loadSample(sql: Sql, options: LoadOptions): Promise<unknown>;
}

/** Returns the exit code. @throws errors that the files did not cause */
export async function ingest<S extends string>(
	program: FileIngest<S>,
	args: string[],
	env: NodeJS.ProcessEnv,
): Promise<number> {
	const call = readCall(program, args, env.INIT_CWD ?? process.cwd());
	await using sql = connect(databaseUrl(env), {
		schema: program.schema,
		name: "ingest",
		max: 4,
		statementTimeoutMs: 0,
	});
	if ("data" in call) return await load(program, sql, call.data);
	const { source, paths } = call;
	const outcome = await (paths.length === 0 && program.ingestPublished
		? program.ingestPublished(sql, source, env)
		: program.ingestFiles(sql, source, paths));
	console.log(JSON.stringify(outcome));
	return exitCodes[outcome.outcome];
}

async function load<S extends string>(program: FileIngest<S>, sql: Sql, data: string | null): Promise<number> {
	const options = { now: () => new Date(), report: (line: string) => console.error(line) };
	if (data !== null)
		return (await program.loadFolder(sql, data, options)).refused === 0 ? exitCodes.applied : exitCodes.refused;
	await program.loadSample(sql, options);
	return exitCodes.applied;
}

/** The data to load: a folder (null: the bundled sample), or files of a source. If `paths` is empty, the files published now are downloaded. */
type Call<S> = { data: string | null } | { source: S; paths: string[] };

function readCall<S extends string>({ sources, ingestPublished }: FileIngest<S>, args: string[], cwd: string): Call<S> {
	const common = { source: { type: "string" }, sample: { type: "boolean" }, data: { type: "string" } } as const;
	const { values, positionals: paths } = readArguments({
		args,
		allowPositionals: true,
		options: ingestPublished ? { ...common, live: { type: "boolean" } } : common,
	});
	const { source, data, sample = false } = values;
	const live = "live" in values && values.live === true;
	if (sample || data !== undefined) {
		if ([source !== undefined, live, paths.length > 0, sample && data !== undefined].includes(true))
			throw new UserError("--sample and --data DIR cannot be combined with other arguments");
		return { data: data === undefined ? null : resolve(cwd, data) };
	}
	const known = sources.find((name) => name === source?.trim().toLowerCase());
	if (known === undefined) throw new UserError(`--source: "${source ?? ""}" is not one of ${sources.join(", ")}`);
	if (live && paths.length > 0) throw new UserError("--live and files cannot be combined");
	if (!live && paths.length === 0)
		throw new UserError(`the file or folder to load is missing${ingestPublished ? ": name one, or use --live" : ""}`);
	return { source: known, paths: paths.map((path) => resolve(cwd, path)) };
}
