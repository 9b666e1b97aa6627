/**
 * Ingests snapshots by hand, into the running system's database:
 *
 *   ingest --region CAISO [--as-of 2026-07-20] [--accept] FILE [FILE...]
 *   ingest FILE [FILE...]                     recognizes the operator from the content
 *   ingest --region CAISO --accept            applies the newest snapshot that a guard has held back
 *   ingest --region CAISO --retract           retracts the newest list; the change feed lists the differences as corrections
 *   ingest --region CAISO --rebuild           reads all lists again with the current adapters (`npm run rebuild -- --region CAISO`)
 *   ingest --history [--region CAISO] FILE [FILE...]   lists older than the newest, each as of its own day
 *   ingest --source eia860 FILE [FILE...]     loads files other than operators' lists: see ingest-source.ts
 *   ingest --data DIR | --sample | --live     loads a folder, the bundled sample, or the operators' current lists
 *
 * With `--region`, `--source` or files alone, the last line on stdout is the outcome as JSON. Exit code: 0 applied or unchanged, 3 quarantined, 1 failed.
 */

import { basename, resolve } from "node:path";
import { SingleBar } from "cli-progress";
import { region as regionParam } from "#libs/contract/operations/projects/project.ts";
import { choice } from "#libs/contract/params.ts";
import { type ProjectRegion, projectRegions, utilityQueues } from "#libs/contract/vocabulary.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { formatCoverage, formatLbnlComparison, formatNewestLoad } from "../quality/coverage/coverage.ts";
import { ingestSnapshot } from "../queues/jobs/ingest-snapshot.ts";
import { ingestLate, rebuildAll, retractNewest } from "../queues/jobs/late-lists.ts";
import { exitCodes, findOwner, type PrintedResult, toRefusedResult } from "../queues/jobs/list-files.ts";
import { describeResult, loadFolder } from "../queues/jobs/load-folder.ts";
import { loadLbnl } from "../queues/jobs/load-lbnl.ts";
import { recordFailure } from "../queues/jobs/record-attempt.ts";
import { isPolled, refreshSource } from "../queues/jobs/refresh-source.ts";
import { sources, sourcesOf } from "../queues/sources/index.ts";
import { type IncomingFile, readQuarantined } from "../sources/archive.ts";
import { parseTime } from "../sources/as-of.ts";
import { loadSample } from "./sample/load.ts";
import { connectAs } from "./shared/connect.ts";
import {
	type IngestSource,
	ingestFolders,
	ingestSource,
	ingestSources,
	isDatasetSource,
} from "./shared/ingest-source.ts";

export async function ingest(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const options = readOptions(args, env);
	await using sql = connectAs("ingest", env, 4);
	const report = (line: string) => console.error(line);
	if (options.data !== undefined) {
		const { failed } = await loadFolder(sql, options.data, { asOf: options.asOf, now: () => new Date(), report });
		for (const line of [...(await formatCoverage(sql)), ...(await formatLbnlComparison(sql))]) report(line);
		const forms = await ingestFolders(sql, options.data, report);
		return failed + forms.failed === 0 ? 0 : exitCodes.quarantined;
	}
	if (options.sample) {
		const { failed } = await loadSample(sql, { now: () => new Date(), report });
		return failed === 0 ? 0 : exitCodes.failed;
	}
	// Awaited, because the connections are closed when this function returns.
	if (options.live) return await refreshAll(sql, report);
	if (options.history) return await ingestHistory(sql, options);
	if (options.source !== undefined)
		return await ingestSource(sql, options.source, options.files, { report, accept: options.accept });
	const result = await ingestByHand(sql, options);
	if (result.outcome !== "unchanged") for (const line of await formatNewestLoad(sql, result.region)) report(line);
	console.log(JSON.stringify(result));
	return exitCodes[result.outcome];
}

type Options = ReturnType<typeof readOptions>;

function readOptions(args: string[], env: NodeJS.ProcessEnv) {
	const { values, positionals } = readArguments({
		args,
		allowPositionals: true,
		options: {
			region: { type: "string" },
			source: { type: "string" },
			"as-of": { type: "string" },
			accept: { type: "boolean", default: false },
			retract: { type: "boolean", default: false },
			rebuild: { type: "boolean", default: false },
			data: { type: "string" },
			sample: { type: "boolean" },
			live: { type: "boolean" },
			history: { type: "boolean", default: false },
		},
	});
	if (values.history && (values.source !== undefined || values.retract || values.rebuild || values.region === "LBNL"))
		throw new UserError(
			"--history loads operators' lists and cannot be combined with --source, --retract, --rebuild or --region LBNL",
		);
	if (values.history && values["as-of"] !== undefined && positionals.length > 1)
		throw new UserError(
			"--as-of applies to one list: give one file, or omit --as-of for files whose names contain their days",
		);
	const cwd = env.INIT_CWD ?? process.cwd();
	const asOf = values["as-of"] === undefined ? null : parseTime(values["as-of"]);
	if (values["as-of"] !== undefined && asOf === null)
		throw new UserError(`--as-of: "${values["as-of"]}" is neither a day (2026-07-20) nor an ISO time`);
	const modes = [values.region, values.source, values.data, values.sample, values.live].filter(
		(mode) => mode !== undefined,
	);
	if (modes.length > 1 || (modes.length === 0 && positionals.length === 0))
		throw new UserError("give a file, or one of --region, --source, --data, --sample and --live");
	const region = values.region === undefined ? undefined : readRegion(values.region);
	const source = values.source === undefined ? undefined : readSource(values.source);
	const fromArchive =
		(region !== undefined && (values.accept || values.retract || values.rebuild)) ||
		(source !== undefined && isDatasetSource(source) && values.accept);
	if ((region !== undefined || source !== undefined) && !fromArchive && positionals.length === 0)
		throw new UserError("name the file to load");
	const files = positionals.map((path) => resolve(cwd, path));
	const data = values.data === undefined ? undefined : resolve(cwd, values.data);
	return { ...values, region, source, asOf, files, data };
}

function readRegion(text: string): ProjectRegion | "LBNL" {
	const found = regionParam()
		.or(choice([...utilityQueues, "LBNL"]))
		.safeParse(text);
	if (!found.success) throw new UserError(`--region: "${text}" is not one of ${projectRegions.join(", ")}, LBNL`);
	return found.data;
}

function readSource(text: string): IngestSource {
	const found = choice(ingestSources).safeParse(text);
	if (!found.success)
		throw new UserError(
			`--source: "${text}" is not one of ${ingestSources.join(", ")}, form-d, 8-k, news (signals), energy-communities, low-income, ic-costs (scoring)`,
		);
	return found.data;
}

/** Loads each file as a list of its own day, and prints each outcome on a separate line. */
async function ingestHistory(sql: Sql, options: Options): Promise<number> {
	let code: number = exitCodes.applied;
	for (const path of options.files) {
		const result = await ingestByHand(sql, { ...options, files: [path] });
		console.log(JSON.stringify({ file: basename(path), ...result }));
		code = Math.max(code, exitCodes[result.outcome]);
	}
	return code;
}

async function ingestByHand(sql: Sql, options: Options): Promise<PrintedResult> {
	const owner = options.region === undefined ? await findOwner(options.files) : { region: options.region };
	if ("reason" in owner) return toRefusedResult("unknown", options.asOf, owner.reason);
	const { region } = owner;
	const recordTooLarge = (reason: string) =>
		region === "LBNL"
			? toRefusedResult(region, options.asOf, reason)
			: recordFailure(sql, region, null, "quarantined", reason, options.asOf ?? new Date().toISOString(), new Date());
	const limit = Math.max(...(region === "LBNL" ? sources : sourcesOf(region)).map((source) => source.maxBytes));
	let files: IncomingFile[] = [];
	for (const path of options.files) {
		const read = await readRegularFile(path, limit);
		if (read.bytes === undefined)
			return read.isTooLarge
				? recordTooLarge(
						`${basename(path)}: ${read.reason.replace("are too many", `exceed the limit for a file of ${region}`)}`,
					)
				: toRefusedResult(region, options.asOf, `${path}: ${read.reason}`);
		files.push({ name: basename(path), path, bytes: read.bytes });
	}
	if (region === "LBNL") {
		if (options.history)
			return toRefusedResult(region, options.asOf, "--history loads operators' lists, and LBNL is not an operator");
		const [file] = files;
		if (file === undefined) throw new UserError("name the file to load");
		return loadLbnl(sql, file, new Date());
	}
	let asOf = options.asOf;
	if (options.retract || options.rebuild) {
		const now = asOf === null ? new Date() : new Date(asOf);
		try {
			return await (options.retract ? retractNewest : rebuildAll)(sql, region, now);
		} catch (error) {
			if (error instanceof StructureError) return toRefusedResult(region, asOf, error.message);
			throw error;
		}
	}
	if (files.length === 0) {
		const heldBack = await readQuarantined(sql, region);
		if (heldBack === undefined) return toRefusedResult(region, asOf, `${region} has no list that is held back`);
		files = heldBack.files;
		asOf ??= heldBack.asOf;
	}
	if (options.history) return ingestLate(sql, { region, files, asOf, accept: options.accept });
	const bar = progressBar();
	const result = await ingestSnapshot(sql, {
		region,
		files,
		asOf,
		accept: options.accept,
		onProgress: bar.show,
	});
	bar.stop();
	return result;
}

function progressBar(): { show: (step: string, share: number) => void; stop: () => void } {
	if (!process.stderr.isTTY) return { show: () => {}, stop: () => {} };
	const bar = new SingleBar({ format: "{bar} {percentage}% {step}", hideCursor: true, stream: process.stderr });
	bar.start(100, 0, { step: "start" });
	return { show: (step, share) => bar.update(Math.round(100 * share), { step }), stop: () => bar.stop() };
}

async function refreshAll(sql: Sql, report: (line: string) => void): Promise<number> {
	let failed = 0;
	for (const source of sources) {
		if (!isPolled(source)) continue;
		const result = await refreshSource(sql, source, { now: () => new Date(), signal: AbortSignal.timeout(600_000) });
		if (result.outcome === "failed" || result.outcome === "quarantined") failed++;
		report(`${source.title}: ${describeResult(result)}`);
	}
	return failed === 0 ? 0 : exitCodes.failed;
}

if (import.meta.main) await runProgram("ingest", ingest);
