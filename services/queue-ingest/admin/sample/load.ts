/**
 * Loads the bundled sample through the real adapters: of each list what it was yesterday and what it is today, by the clock, so
 * that the change feed has something to say; two years of form EIA-860, as they state them; and the related datasets, whose prices end
 * today. Everything in it is invented.
 */
import { readdir, readFile } from "node:fs/promises";
import { readSeed } from "#libs/names/seed.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { type DatasetSource, loadDatasets } from "../../datasets/load-datasets.ts";
import { resolveOwners } from "../../developers/jobs/owner-names.ts";
import { syncRegister } from "../../developers/jobs/register.ts";
import { loadEia860 } from "../../plants/jobs/load-eia860.ts";
import { followEvidence } from "../../queues/jobs/apply-evidence.ts";
import { ingestSnapshot } from "../../queues/jobs/ingest-snapshot.ts";
import { describe, type Report } from "../../queues/jobs/load-folder.ts";
import { sources } from "../../queues/sources/index.ts";
import { sampleUrl } from "../../sample/leave-sample.ts";
import { sponsors } from "../../sample/sponsors.ts";
import type { IncomingFile } from "../../sources/archive.ts";
import type { Feed } from "../../sources/source.ts";
import { datedFiles } from "./dated.ts";

const folder = new URL("../../sample/", import.meta.url);
const days = ["yesterday", "today"] as const;

/** Does nothing where data is loaded already: a sample never mixes with an operator's own list. */
export async function loadSample(sql: Sql, options: { now: () => Date; report: Report }): Promise<{ failed: number }> {
	const [loaded] = await sql<{ n: number }[]>`select count(*) as n from feeds where applied_as_of is not null`;
	if ((loaded?.n ?? 0) > 0) {
		options.report("Data is loaded already: the sample is left out.", null);
		return { failed: 0 };
	}
	await syncRegister(sql, [...readSeed(), ...sponsors]);
	let failed = 0;
	for (const day of days) {
		const asOf = new Date(options.now().getTime() - (day === "yesterday" ? 86_400_000 : 0)).toISOString();
		for (const { feed, region } of sources) {
			const file = region === null ? undefined : await sampleFile(feed, day);
			if (region === null || file === undefined) continue;
			const result = await ingestSnapshot(sql, { region, files: [file], asOf, now: options.now });
			if (result.outcome !== "applied") failed++;
			options.report(`sample ${feed}, ${day}: ${describe(result)}`, result);
		}
	}
	const forms = await loadEia860(sql, await sampleForms(), {
		resolve: resolveOwners,
		follow: followEvidence,
		now: options.now,
	});
	if (forms.outcome !== "applied") failed++;
	for (const { year, outcome, linked_projects } of forms.years)
		options.report(`sample eia860, ${year}: ${outcome}, ${linked_projects} requests linked to plants`, null);
	for (const source of sampledSources) {
		const { files } = await loadDatasets(sql, source, await datasetFiles(source, options.now()), { now: options.now });
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

/** A file keeps the operator's own name: workbooks are recognised by it. */
async function sampleFile(feed: Feed, day: (typeof days)[number]) {
	const directory = new URL(`${feed}/${day}/`, folder);
	const [name] = await readdir(directory).catch(() => []);
	if (name === undefined) return undefined;
	return { name, path: `${feed}/${day}/${name}`, url: sampleUrl, bytes: await readFile(new URL(name, directory)) };
}

/** The workbooks of all years. */
const sampleForms = () => filesBelow("eia860");

/** The related datasets that the sample holds a part of. */
const sampledSources = ["dg", "datacenters", "market"] as const satisfies DatasetSource[];
type SampledSource = (typeof sampledSources)[number];

/** What is bundled, of which the folder states the day (a list of installations has none of its own), and what is written by the clock. */
async function datasetFiles(source: SampledSource, now: Date): Promise<IncomingFile[]> {
	const today = now.toISOString().slice(0, 10);
	const bundled = (await filesBelow(source)).map((file) => ({ ...file, path: `${source}/${today}/${file.name}` }));
	const dated = datedFiles(today)[source].map((file) => ({ ...file, path: `${source}/${file.name}`, url: sampleUrl }));
	return [...bundled, ...dated];
}

async function filesBelow(directory: string): Promise<IncomingFile[]> {
	const entries = await readdir(new URL(`${directory}/`, folder), { recursive: true }).catch(() => []);
	const paths = entries
		.filter((name) => /\.(xlsx|csv)$/.test(name))
		.sort()
		.map((name) => `${directory}/${name}`);
	return Promise.all(
		paths.map(async (path) => ({
			name: path.slice(path.lastIndexOf("/") + 1),
			path,
			url: sampleUrl,
			bytes: await readFile(new URL(path, folder)),
		})),
	);
}
