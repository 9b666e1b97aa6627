/**
 * Loads the bundled sample of headlines and filings, all of it invented, through the real readers. The files state days around
 * `newest`; they are moved by whole days, so that the newest headline is less than a day old whenever the sample is loaded.
 */
import { readdir, readFile } from "node:fs/promises";
import type { Sql } from "#libs/postgres/connect.ts";
import { type Pipeline, pipelineNames } from "../domain/pipelines.ts";
import { sampleFolder } from "./leave-sample.ts";
import { readGroups } from "./read-file.ts";
import { type Content, type FileGroup, newestOf } from "./read-task.ts";
import { aboutFiles, recordFile } from "./record-file.ts";
import { storeRecords } from "./store-content.ts";

const folder = new URL(`../${sampleFolder}`, import.meta.url);
/** When the newest headline of the files appeared. */
const newest = "2026-11-20T09:40:00Z";
const dayMs = 86_400_000;

/** Does nothing where anything is stored: the sample never mixes with what was published. */
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
		for (const [at, content] of contents.entries()) {
			if ("refused" in content) throw new Error(content.refused);
			const { rowsIn, dropped, notes, ...records } = moved(content, days);
			const done = await storeRecords(sql, records);
			const about = aboutFiles(groups[at] ?? []);
			const name = `${sampleFolder}${source}/${about.name}`;
			const outcome = {
				rows_in: rowsIn,
				dropped,
				notes,
				...done,
				outcome: "applied",
				reason: null,
				newest: newestOf(records),
			} as const;
			await recordFile(sql, source, { ...about, name, ...outcome }, now());
			report(`${name}: ${rowsIn} rows, ${done.stored} stored`);
		}
	}
}

/** Each by itself, in the order of their names. */
async function sampleFiles(source: Pipeline): Promise<FileGroup[]> {
	const directory = new URL(`${source}/`, folder);
	const names = (await readdir(directory)).sort();
	return Promise.all(names.map(async (name) => [{ name, bytes: await readFile(new URL(name, directory)) }]));
}

/** The same as if it had happened so many days later. */
function moved(content: Content, days: number): Content {
	const moment = (iso: string) => new Date(Date.parse(iso) + days * dayMs).toISOString().replace(".000Z", "Z");
	const day = (iso: string) => moment(iso).slice(0, 10);
	const dayOrNull = (iso: string | null) => (iso === null ? null : day(iso));
	return {
		...content,
		articles: content.articles.map((article) => ({ ...article, publishedAt: moment(article.publishedAt) })),
		raises: content.raises.map((raise) => ({
			...raise,
			filingDate: day(raise.filingDate),
			dateOfFirstSale: dayOrNull(raise.dateOfFirstSale),
		})),
		filings: content.filings.map((filing) => ({
			...filing,
			filingDate: day(filing.filingDate),
			reportDate: dayOrNull(filing.reportDate),
		})),
	};
}
