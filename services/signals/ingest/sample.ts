/**
 * Loads the bundled sample of invented headlines and filings with the real readers, and shifts its dates so that the newest headline is
 * less than a day old.
 */
import { readdir, readFile } from "node:fs/promises";
import type { Reaction } from "#libs/bus/events/react.ts";
import { sampleLeft } from "#libs/contract/events/queue-ingest.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { raiseNamesVersion } from "../companies/copies.ts";
import { lockMaEvents, settleMaEvents } from "../deals/ma-events.ts";
import { type Content, type FileGroup, newestOf, type Pipeline, pipelineNames } from "../records/records.ts";
import { createReport, describeFiles, recordFile } from "../records/source-files.ts";
import { readGroups } from "./read-files.ts";
import { removeSample, sampleFolder, storeRecords } from "./store.ts";

const folder = new URL(`../${sampleFolder}`, import.meta.url);
/** Publication time of the newest headline in the files. */
const newestHeadlineAt = "2026-11-20T09:40:00Z";
const dayMs = 86_400_000;

/** Does nothing if headlines or filings are already stored. */
export async function loadSample(
	sql: Sql,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<void> {
	const [stored] = await sql<{ any: boolean }[]>`
		select exists (select from articles) or exists (select from raises) or exists (select from filings)
			or exists (select from indexed_filings) as any`;
	if (stored?.any !== false) {
		report("The sample was not loaded, because headlines or filings are already stored.");
		return;
	}
	const days = Math.floor((now().getTime() - Date.parse(newestHeadlineAt)) / dayMs);
	for (const source of pipelineNames) {
		const groups = await sampleFiles(source);
		const contents = await readGroups({ source, groups, now: newestHeadlineAt });
		for (const [at, original] of contents.entries()) {
			if ("refused" in original) throw new Error(original.refused);
			const content = shiftDates(original, days);
			const files = groups[at] ?? [];
			const stored = await storeRecords(sql, content);
			const name = `${sampleFolder}${source}/${describeFiles(files).name}`;
			const file = { ...createReport(files, content, stored), name, newest: newestOf(content) };
			await recordFile(sql, source, file, now());
			report(`${name}: ${content.rowsIn} rows, ${stored.stored} stored`);
		}
	}
}

async function sampleFiles(source: Pipeline): Promise<FileGroup[]> {
	const directory = new URL(`${source}/`, folder);
	const names = (await readdir(directory)).sort();
	return Promise.all(names.map(async (name) => [{ name, bytes: await readFile(new URL(name, directory)) }]));
}

function shiftDates(content: Content, days: number): Content {
	const shiftTime = (iso: string) => new Date(Date.parse(iso) + days * dayMs).toISOString().replace(".000Z", "Z");
	const shiftDay = (iso: string) => shiftTime(iso).slice(0, 10);
	const shiftDayOrNull = (iso: string | null) => (iso === null ? null : shiftDay(iso));
	return {
		...content,
		articles: content.articles.map((article) => ({ ...article, publishedAt: shiftTime(article.publishedAt) })),
		raises: content.raises.map((raise) => ({
			...raise,
			filing_date: shiftDay(raise.filing_date),
			date_of_first_sale: shiftDayOrNull(raise.date_of_first_sale),
		})),
		filings: content.filings.map((filing) => ({
			...filing,
			filingDate: shiftDay(filing.filingDate),
			reportDate: shiftDayOrNull(filing.reportDate),
		})),
	};
}

/** Removes the copies and deals derived from the sample queues, and the sample of headlines and filings. */
export const removeSampleData: Reaction<typeof sampleLeft> = {
	service: "signals",
	name: "forget-sample",
	event: sampleLeft,
	async handler(tx, events) {
		await lockMaEvents(tx);
		// An event without developers removes only distributed installations; the sample's requests remain, and so do its headlines.
		if (events.some(({ developer_ids }) => developer_ids.length > 0)) await removeSample(tx);
		const projects = events.flatMap(({ project_ids }) => project_ids);
		const plants = events.flatMap(({ plant_ids }) => plant_ids);
		const developers = events.flatMap(({ developer_ids }) => developer_ids);
		await removeTransfers(tx, projects, plants);
		await tx`delete from projects where project_id = any(${projects}::text[])`;
		// Developers that are matched to published records are retained.
		await tx`
			delete from developers d where developer_id = any(${developers}::int[])
				and not exists (select from article_matches m where m.developer_id = d.developer_id)
				and not exists (select from raises r where r.developer_id = d.developer_id)
				and not exists (select from filings f where f.developer_id = d.developer_id)`;
		await raiseNamesVersion(tx);
		await raiseDataVersion(tx);
	},
};

/** Retracts the deals, so that subscribers receive each retraction, and deletes what they were derived from. */
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
