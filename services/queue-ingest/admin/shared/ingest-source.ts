/**
 * Ingests files other than operators' lists by hand:
 *
 *   ingest --source eia860 FILE...        Form EIA-860: workbooks, or the published archive of a year
 *   ingest --source developers FILE...    owners of companies: EIA-861, Global Energy Monitor, Exhibit 21, SEC's listed companies
 *   ingest --source dg|datacenters|market|eia-units [--accept] FILE...    related datasets; --accept skips the guards
 *   ingest --source reports FILE...       operators' reports of months without a list: built and cancelled requests
 *   ingest --source dg --accept           applies the newest file of a related dataset that a guard has held back
 */

import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { datasets } from "../../datasets/index.ts";
import { type DatasetSource, type DatasetsReport, loadDatasets, releaseDataset } from "../../datasets/load-datasets.ts";
import { resolveOwners } from "../../developers/jobs/link-names.ts";
import { linkCompanies } from "../../developers/jobs/link-requests.ts";
import { type DevelopersReport, loadDevelopers } from "../../developers/jobs/load-developers.ts";
import { loadEia860 } from "../../plants/jobs/load-eia860.ts";
import type { Eia860Report } from "../../plants/jobs/load-eia860-year.ts";
import { followEvidence } from "../../queues/jobs/apply-evidence.ts";
import { rebuildAll } from "../../queues/jobs/late-lists.ts";
import { exitCodes } from "../../queues/jobs/list-files.ts";
import type { IncomingFile } from "../../sources/archive.ts";

export const ingestSources = ["eia860", "developers", "dg", "datacenters", "market", "eia-units", "reports"] as const;
export type IngestSource = (typeof ingestSources)[number];
export const isDatasetSource = (source: IngestSource): source is DatasetSource =>
	source !== "eia860" && source !== "developers";

const sourceFolders: Record<IngestSource, readonly string[]> = {
	eia860: ["eia860", "eia860_later"],
	developers: ["developers", "sec/company_tickers.json"],
	dg: ["dg"],
	datacenters: ["datacenters"],
	market: ["market"],
	"eia-units": ["eia_epm", "eia860m"],
	reports: ["reports"],
};

type IngestReport = Eia860Report | DevelopersReport | DatasetsReport;

interface LoadOptions {
	report: (line: string) => void;
	/** For related datasets only: skips the guards. */
	accept?: boolean;
	lenient?: boolean;
}

/** Maximum size of a file, more than any valid one has, so that a huge file given by mistake is not read into memory. */
const maxBytes = 128 * 1024 * 1024;

/** The last line on stdout is the outcome as JSON. Returns the exit code: 0 applied or unchanged, 3 quarantined, 1 failed. */
export async function ingestSource(
	sql: Sql,
	source: IngestSource,
	paths: readonly string[],
	options: LoadOptions,
): Promise<number> {
	if (paths.length === 0 && isDatasetSource(source)) {
		const released = await releaseDataset(sql, source, () => new Date());
		return printResult(released, options.report);
	}
	const files = (await Promise.all(paths.map(filesBelow))).flat();
	if (files.length === 0) return printFailure(source, `${paths.join(", ")}: no .xlsx, .zip, .csv or .json file found`);
	const incoming: IncomingFile[] = [];
	for (const path of files) {
		const read = await readRegularFile(path, maxBytes);
		if (read.bytes === undefined) return printFailure(source, `${path}: ${read.reason}`);
		incoming.push({ name: basename(path), path, bytes: read.bytes });
	}
	return printResult(await loadFiles(sql, source, incoming, options), options.report);
}

function printResult(result: IngestReport, report: (line: string) => void): number {
	for (const line of reportLines(result)) report(line);
	console.log(JSON.stringify(result));
	return exitCodes[result.outcome];
}

function printFailure(source: IngestSource, reason: string): number {
	console.log(JSON.stringify({ source, outcome: "failed", files: [], reason }));
	return exitCodes.failed;
}

/**
 * Loads the files of all sources from the folders in `sourceFolders`, one subfolder (for example, a year) at a time. An unknown table is only
 * reported, unless it is in a folder of Form EIA-860. @returns the number of subfolders with an error
 */
export async function ingestFolders(
	sql: Sql,
	root: string,
	report: (line: string) => void,
): Promise<{ failed: number }> {
	let failed = 0;
	for (const source of ingestSources) {
		const folders = sourceFolders[source].map((name) => join(root, name)).filter((folder) => existsSync(folder));
		const paths = (await Promise.all(folders.map(filesBelow))).flat();
		for (const [, files] of Map.groupBy(paths, dirname)) {
			const incoming: IncomingFile[] = [];
			for (const path of files) incoming.push({ name: basename(path), path, bytes: await readFile(path) });
			const result = await loadFiles(sql, source, incoming, { report, lenient: true });
			for (const line of reportLines(result)) report(line);
			if (result.outcome === "failed" || (result.outcome === "quarantined" && source !== "developers")) failed++;
		}
	}
	return { failed };
}

async function filesBelow(path: string): Promise<string[]> {
	if (!(await stat(path).catch(() => null))?.isDirectory()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	const named = entries.filter((entry) => entry.isFile() && /\.(xlsx|zip|csv|json)$/i.test(entry.name));
	return named.map((entry) => join(entry.parentPath, entry.name)).sort();
}

async function loadFiles(
	sql: Sql,
	source: IngestSource,
	incoming: IncomingFile[],
	{ accept = false, lenient = false }: LoadOptions,
): Promise<IngestReport> {
	const now = () => new Date();
	if (source === "developers") return loadDevelopers(sql, incoming, now);
	const report =
		source === "eia860"
			? await loadEia860(sql, incoming, { resolve: resolveOwners, follow: followEvidence, now })
			: await loadDatasets(sql, source, incoming, { now, accept, lenient });
	// Runs even if no file is new, because an earlier process may have ended before this step.
	if (source === "eia860" || source === "eia-units") await linkCompanies(sql, followEvidence);
	if (source === "reports") await readListsAgain(sql, report.files);
	return report;
}

/** Reads the lists of the files' regions again, because a reported outcome applies from the first list that lacks its request. */
async function readListsAgain(sql: Sql, files: IngestReport["files"]): Promise<void> {
	const regions = datasets.flatMap(({ feed, region }) =>
		region !== undefined && files.some((file) => "feed" in file && file.feed === feed) ? [region] : [],
	);
	for (const region of new Set(regions)) {
		const [loaded] = await sql`select from feeds where region = ${region} and applied_as_of is not null limit 1`;
		if (loaded !== undefined) await rebuildAll(sql, region, new Date());
	}
}

function reportLines(result: IngestReport): string[] {
	const fileLines = result.files.flatMap((file) => [
		`${file.file}: ${file.outcome}${file.holds === null ? "" : `, ${file.holds}`}, ${file.rows_in} rows, ${file.rows_stored} stored${file.reason === null ? "" : `, ${file.reason}`}`,
		...file.reported.map((note) => `  left out ${note.count}: ${note.reason}${formatExamples(note.examples)}`),
		...file.notes.map((note) => `  stored ${note.count}: ${note.reason}${formatExamples(note.examples)}`),
	]);
	const years = "years" in result ? result.years : [];
	return [
		...fileLines,
		...years.map(
			(year) =>
				`${year.year}: ${year.outcome}, owners of ${year.stated} generators stated and ${year.inferred} inferred, ${year.announced} announced, ` +
				`${year.linked_projects} requests linked to plants; loaded ${year.loaded.join(", ")}; missing ${year.missing.join(", ") || "nothing"}`,
		),
	];
}

const formatExamples = (labels: string[]): string => (labels.length === 0 ? "" : ` (${labels.join(", ")})`);
