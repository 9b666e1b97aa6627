/**
 * The bundled sample of invented headlines and filings. It is loaded with the real readers, and its days are moved so that the newest
 * headline is less than a day old.
 */
import { readdir, readFile } from "node:fs/promises";
import type { Reaction } from "#libs/bus/events/react.ts";
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { raiseNamesVersion } from "../companies/copies.ts";
import { lockMaEvents, settleMaEvents } from "../deals/ma-events.ts";
import { type Content, type FileGroup, newestOf, type Pipeline, pipelineNames } from "../records/records.ts";
import { describeFiles, fileReport, recordFile } from "../records/source-files.ts";
import { readGroups } from "./read-files.ts";
import { removeSample, sampleFolder, storeRecords } from "./store.ts";

const folder = new URL(`../${sampleFolder}`, import.meta.url);
/** Publication of the newest headline in the files. */
const newest = "2026-11-20T09:40:00Z";
const dayMs = 86_400_000;

/** Does nothing if anything is stored. */
export async function loadSample(
	sql: Sql,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<void> {
	const [stored] = await sql<{ any: boolean }[]>`
		select exists (select from articles) or exists (select from raises) or exists (select from filings)
			or exists (select from indexed_filings) as any`;
	if (stored?.any !== false) {
		report("Headlines and filings are loaded already: the sample is left out.");
		return;
	}
	const days = Math.floor((now().getTime() - Date.parse(newest)) / dayMs);
	for (const source of pipelineNames) {
		const groups = await sampleFiles(source);
		const contents = await readGroups({ source, groups, now: newest });
		for (const [at, read] of contents.entries()) {
			if ("refused" in read) throw new Error(read.refused);
			const content = moveDays(read, days);
			const files = groups[at] ?? [];
			const done = await storeRecords(sql, content);
			const name = `${sampleFolder}${source}/${describeFiles(files).name}`;
			const file = { ...fileReport(files, content, done), name, newest: newestOf(content) };
			await recordFile(sql, source, file, now());
			report(`${name}: ${content.rowsIn} rows, ${done.stored} stored`);
		}
	}
}

async function sampleFiles(source: Pipeline): Promise<FileGroup[]> {
	const directory = new URL(`${source}/`, folder);
	const names = (await readdir(directory)).sort();
	return Promise.all(names.map(async (name) => [{ name, bytes: await readFile(new URL(name, directory)) }]));
}

function moveDays(content: Content, days: number): Content {
	const moment = (iso: string) => new Date(Date.parse(iso) + days * dayMs).toISOString().replace(".000Z", "Z");
	const day = (iso: string) => moment(iso).slice(0, 10);
	const dayOrNull = (iso: string | null) => (iso === null ? null : day(iso));
	return {
		...content,
		articles: content.articles.map((article) => ({ ...article, publishedAt: moment(article.publishedAt) })),
		raises: content.raises.map((raise) => ({
			...raise,
			filing_date: day(raise.filing_date),
			date_of_first_sale: dayOrNull(raise.date_of_first_sale),
		})),
		filings: content.filings.map((filing) => ({
			...filing,
			filingDate: day(filing.filingDate),
			reportDate: dayOrNull(filing.reportDate),
		})),
	};
}

/** Removes what was derived from the invented queues: copies, deals, and the sample of headlines and filings itself. */
export const removeSampleData: Reaction<typeof sampleLeft> = {
	service: "signals",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		await lockMaEvents(tx);
		// Without a developer the event concerns installations only, and the requests of the sample are still there.
		if (events.some(({ developer_ids }) => developer_ids.length > 0)) await removeSample(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const plants = events.flatMap(({ plant_ids }) => plant_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		await removeTransfers(tx, projects, plants);
		await tx`delete from projects where project_id = any(${projects}::text[])`;
		// Developers that published records were matched to are retained.
		await tx`
			delete from developers d where developer_id = any(${developers}::int[])
				and not exists (select from article_matches m where m.developer_id = d.developer_id)
				and not exists (select from raises r where r.developer_id = d.developer_id)
				and not exists (select from filings f where f.developer_id = d.developer_id)`;
		await raiseNamesVersion(tx);
		await raiseDataVersion(tx);
	},
};

/** Subscribers receive the retraction of each deal. */
async function removeTransfers(tx: Transaction, projects: string[], plants: number[]): Promise<void> {
	const current = await tx<{ key: string }[]>`
		select key from ma_events where not retracted
			and (project_id = any(${projects}::text[]) or plant_id = any(${plants}::int[]))`;
	await settleMaEvents(
		tx,
		[],
		current.map(({ key }) => key),
	);
	await tx`delete from ma_reviews where project_ids && ${projects}::text[]`;
	await tx`delete from transfer_candidates where project_id = any(${projects}::text[])`;
	await tx`delete from queue_developers where project_id = any(${projects}::text[])`;
	await tx`delete from generator_ownership where plant_id = any(${plants}::int[])`;
}
