/**
 * Loads the bundled sample through the real adapters: each list as of yesterday and as of today, so that the change feed has rows; two
 * years of form EIA-860; and the related datasets, whose prices end today. All of it is invented.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { readSeed } from "#libs/names/seed.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type DatasetSource, loadDatasets } from "../../datasets/load-datasets.ts";
import { resolveOwners } from "../../developers/jobs/link-names.ts";
import { syncRegister } from "../../developers/jobs/register.ts";
import { sponsors } from "../../history/events/remove-sample.ts";
import { loadEia860 } from "../../plants/jobs/load-eia860.ts";
import { followEvidence } from "../../queues/jobs/apply-evidence.ts";
import { ingestSnapshot } from "../../queues/jobs/ingest-snapshot.ts";
import { describeResult, type Report } from "../../queues/jobs/load-folder.ts";
import { sources } from "../../queues/sources/index.ts";
import { type IncomingFile, sampleUrl } from "../../sources/archive.ts";
import type { Feed } from "../../sources/source.ts";
import { datedFiles } from "./dated.ts";

const folder = new URL("./files/", import.meta.url);
const days = ["yesterday", "today"] as const;

/** Does nothing if data is already loaded: the sample is never mixed with operators' lists. */
export async function loadSample(sql: Sql, options: { now: () => Date; report: Report }): Promise<{ failed: number }> {
	const [loaded] = await sql<{ n: number }[]>`select count(*) as n from feeds where applied_as_of is not null`;
	if ((loaded?.n ?? 0) > 0) {
		options.report("Data is already loaded, so the sample is not.", null);
		return { failed: 0 };
	}
	await syncRegister(sql, [...readSeed(), ...sponsors]);
	let failed = 0;
	for (const day of days) {
		const asOf = new Date(options.now().getTime() - (day === "yesterday" ? 86_400_000 : 0)).toISOString();
		for (const { feed, region } of sources) {
			const file = region === null ? undefined : await readSampleFile(feed, day);
			if (region === null || file === undefined) continue;
			const result = await ingestSnapshot(sql, { region, files: [file], asOf, now: options.now });
			if (result.outcome !== "applied") failed++;
			options.report(`sample ${feed}, ${day}: ${describeResult(result)}`, result);
		}
	}
	const forms = await loadEia860(sql, await readFilesBelow("eia860"), {
		resolve: resolveOwners,
		follow: followEvidence,
		now: options.now,
	});
	if (forms.outcome !== "applied") failed++;
	for (const { year, outcome, linked_projects } of forms.years)
		options.report(`sample eia860, ${year}: ${outcome}, ${linked_projects} requests linked to plants`, null);
	for (const source of sampledSources) {
		const { files } = await loadDatasets(sql, source, await readDatasetFiles(source, options.now()), {
			now: options.now,
		});
		for (const { file, outcome, reason, rows_stored } of files) {
			if (outcome !== "applied") failed++;
			options.report(
				`sample ${source}, ${file}: ${outcome}, ${rows_stored} rows${reason === null ? "" : `, ${reason}`}`,
				null,
			);
		}
	}
	return { failed };
}

/** Reads the sample's file of a list for one of the days. It has the operator's file name, by which some files are recognized. */
async function readSampleFile(feed: Feed, day: (typeof days)[number]) {
	const directory = new URL(`${feed}/${day}/`, folder);
	const [name] = await readdir(directory).catch(() => []);
	if (name === undefined) return undefined;
	return { name, path: `${feed}/${day}/${name}`, url: sampleUrl, bytes: await readFile(new URL(name, directory)) };
}

const sampledSources = ["dg", "datacenters", "market"] as const satisfies DatasetSource[];

/** Loads the bundled files, dated by their folder (a list of installations has no date of its own), and those that are generated for today. */
async function readDatasetFiles(source: (typeof sampledSources)[number], now: Date): Promise<IncomingFile[]> {
	const today = now.toISOString().slice(0, 10);
	const bundled = (await readFilesBelow(source)).map((file) => ({ ...file, path: `${source}/${today}/${file.name}` }));
	const dated = datedFiles(today)[source].map((file) => ({ ...file, path: `${source}/${file.name}`, url: sampleUrl }));
	return [...bundled, ...dated];
}

async function readFilesBelow(directory: string): Promise<IncomingFile[]> {
	const entries = await readdir(new URL(`${directory}/`, folder), { recursive: true }).catch(() => []);
	const files = entries.filter((name) => /\.(xlsx|csv)$/.test(name)).sort();
	return Promise.all(
		files.map(async (name) => {
			const path = `${directory}/${name}`;
			return { name: basename(name), path, url: sampleUrl, bytes: await readFile(new URL(path, folder)) };
		}),
	);
}
