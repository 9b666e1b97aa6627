/** Polls for news: GDELT's bulk files of each quarter of an hour, its search for developers' names, and the feeds of the trade press. */
import { energyRule } from "../companies/energy.ts";
import { type Matchers, matchersOf } from "../companies/matchers.ts";
import { dueUrls, moveCursor, readCursor, recordRequest } from "../polling/cursors.ts";
import type { Feed } from "../polling/hosts.ts";
import { Busy, type Download } from "../polling/polite.ts";
import { type PollResult, recordResult, type Step, type StepRun } from "../polling/poll.ts";
import type { Article, Content } from "../records/records.ts";
import { lockWriters } from "../records/storing.ts";

export const newsSteps: readonly Step[] = [
	{ name: "gkg", everyMinutes: 10, run: readBulkFiles },
	{ name: "feeds", everyMinutes: 10, run: readFeeds },
	// GDELT refuses most searches, however few there are.
	{ name: "search", everyMinutes: 15, bestEffort: true, run: searchNews },
];

const bulkFeed = "news/gkg";
/** Files of one run; four are published an hour. */
const maxBulkFiles = 12;
const quarterHourMs = 15 * 60_000;
const reachMs = 24 * 3_600_000;
/** A file that is still missing then (after four polls) is skipped: some are never published. */
const lateMs = 3_600_000;
/** A file has 5 MB; one of 2015 had 11 MB. */
const maxBulkBytes = 64 * 1024 * 1024;
const bulkTimeoutMs = 180_000;
const maxExamples = 5;

async function readBulkFiles(run: StepRun): Promise<void> {
	const now = run.now().getTime();
	const oldest = now - reachMs;
	const cursor = Date.parse((await readCursor(run.sql, bulkFeed)) ?? "");
	// A cursor in the future was written while the clock was ahead, and would skip files.
	const from = cursor >= oldest && cursor - now <= lateMs ? cursor : oldest;
	for (const { name, time } of bulkFiles(from, now).slice(0, maxBulkFiles)) {
		run.signal.throwIfAborted();
		const download = await downloadBulkFile(run, name);
		if (download.kind === "file") {
			const matchers = await currentMatchers(run);
			const select = (content: Content) => selectRelevant(content, matchers);
			await run.ingest([{ name, bytes: download.bytes }], { select });
		} else {
			if (now - time < lateMs) return;
			await run.refuse({ name, bytes: new Uint8Array() }, `${name} was never published: skipped`);
		}
		await moveCursor(run, bulkFeed, new Date(time + quarterHourMs).toISOString());
	}
}

/** The files from one time (ms) until just before another: `20260918031500.gkg.csv.zip`, one for each quarter of an hour in UTC. */
export function bulkFiles(from: number, to: number): { name: string; time: number }[] {
	const files: { name: string; time: number }[] = [];
	for (let time = Math.ceil(from / quarterHourMs) * quarterHourMs; time < to; time += quarterHourMs) {
		const stamp = new Date(time).toISOString().slice(0, 19).replace(/\D/g, "");
		files.push({ name: `${stamp}.gkg.csv.zip`, time });
	}
	return files;
}

/** The file is absent only if no folder contains it: a folder that could not be reached may have it. */
async function downloadBulkFile(run: StepRun, name: string): Promise<Download> {
	let unreachable: { cause: unknown } | undefined;
	for (const folder of run.hosts.gkg) {
		try {
			const download = await run.download(`${folder}${name}`, { maxBytes: maxBulkBytes, timeoutMs: bulkTimeoutMs });
			if (download.kind === "file") return download;
		} catch (cause) {
			run.signal.throwIfAborted();
			unreachable ??= { cause };
		}
	}
	if (unreachable !== undefined) throw unreachable.cause;
	return { kind: "absent" };
}

function currentMatchers({ sql }: StepRun): Promise<Matchers> {
	return sql.begin(async (tx) => {
		await lockWriters(tx);
		return matchersOf(sql, tx);
	});
}

/** A bulk file contains the world's press. */
function selectRelevant(content: Content, matchers: Matchers): Content {
	const byRelevance = Map.groupBy(content.articles, (article) => isRelevant(article, matchers));
	const others = byRelevance.get(false) ?? [];
	if (others.length === 0) return content;
	const reason = "mentions neither energy nor a developer";
	const examples = others.slice(0, maxExamples).map(({ url }) => url.slice(0, 200));
	return {
		...content,
		articles: byRelevance.get(true) ?? [],
		dropped: [...content.dropped, { reason, count: others.length, examples }],
	};
}

const isRelevant = (article: Article, matchers: Matchers): boolean =>
	energyRule({ names: [article.title] }) !== null || matchers.matchArticle({ ...article, bodyNames: [] }).length > 0;

/** One request an hour is allowed. */
const feedIntervalMs = 3_600_000;
const maxFeedBytes = 16 * 1024 * 1024;

/** A publisher that refuses or cannot be reached does not stop the others. */
async function readFeeds(run: StepRun): Promise<void> {
	const { feeds } = run.hosts;
	const urls = feeds.map(({ url }) => url);
	const due = new Set(await dueUrls(run, urls, feedIntervalMs));
	for (const feed of feeds.filter(({ url }) => due.has(url))) {
		run.signal.throwIfAborted();
		const note = (outcome: PollResult["outcome"], reason: string | null = null) =>
			recordResult(run.poll, { feed: `news/feeds/${feed.name}`, outcome, reason });
		try {
			await note(await readFeed(run, feed));
		} catch (error) {
			run.signal.throwIfAborted();
			const reason = error instanceof Error ? error.message : String(error);
			await note(error instanceof Busy ? "busy" : "failed", reason);
			if (error instanceof Busy) continue;
			run.noteProblem(`${feed.name}: ${reason}`);
			await recordRequest(run, feed.url, null);
		}
	}
}

async function readFeed(run: StepRun, feed: Feed): Promise<PollResult["outcome"]> {
	const download = await run.download(feed.url, { maxBytes: maxFeedBytes, conditional: true });
	if (download.kind === "absent") run.noteProblem(`${feed.name}: the feed has moved`);
	if (download.kind === "unchanged") run.accepted++;
	const file = download.kind === "file" ? { name: feed.name, bytes: download.bytes, feed } : null;
	const isIngested = file !== null && (await run.ingest([file])) !== null;
	await recordRequest(run, feed.url, isIngested && download.kind === "file" ? download.validators : null);
	return isIngested ? "applied" : download.kind === "unchanged" ? "unchanged" : "refused";
}

const searchFeed = "news/search";
/** The rate limit makes each request wait for six seconds. */
const maxQueries = 4;
const maxSearches = 12;
/** A response never has more articles, so one with as many may have left some out. */
const fullPage = 250;
const shortestWindowMs = 3_600_000;
const maxSearchBytes = 16 * 1024 * 1024;

/** Searches the last day's press for developers by name, some names a run. A query that GDELT refuses is skipped. */
async function searchNews(run: StepRun): Promise<void> {
	// For developers outside the curated list the bulk files suffice.
	const rows = await run.sql<{ name: string }[]>`select canonical_name as name from developers where known`;
	const names = rows.map(({ name }) => name);
	const sent = new Set<string>();
	const budget = { left: maxSearches };
	while (sent.size < maxQueries && budget.left > 0) {
		run.signal.throwIfAborted();
		const next = developerQuery(names, (await readCursor(run.sql, searchFeed)) ?? "");
		if (next === null || sent.has(next.query)) return;
		sent.add(next.query);
		const until = run.now().getTime();
		await searchWindow(run, next, [until - reachMs, until], budget);
		await moveCursor(run, searchFeed, next.last);
	}
}

/** Reads the articles between two times (ms). If they do not fit on a page, each half is searched separately. */
async function searchWindow(
	run: StepRun,
	{ query, last }: { query: string; last: string },
	[from, to]: [number, number],
	budget: { left: number },
): Promise<void> {
	const name = `search behind ${last}`;
	if (budget.left-- <= 0) return run.noteProblem(`${name}: more articles than one poll may read`);
	const stamp = (time: number) => new Date(time).toISOString().slice(0, 19).replace(/\D/g, "");
	const options = `mode=artlist&format=json&maxrecords=${fullPage}&startdatetime=${stamp(from)}&enddatetime=${stamp(to)}&sort=datedesc`;
	const url = `${run.hosts.gdelt}/api/v2/doc/doc?query=${encodeURIComponent(query)}&${options}`;
	const download = await run.download(url, { maxBytes: maxSearchBytes });
	const read = download.kind === "file" ? await run.ingest([{ name, bytes: download.bytes }]) : null;
	if (read === null || read.rowsIn < fullPage || to - from < 2 * shortestWindowMs) return;
	const middle = (from + to) / 2;
	await searchWindow(run, { query, last }, [middle, to], budget);
	await searchWindow(run, { query, last }, [from, middle], budget);
}

const maxQueryLength = 250;
/** GDELT refuses shorter names as too common, and headlines do not contain longer ones. */
const nameLength = { min: 5, max: 60 };

/**
 * A query for the names that follow `after` alphabetically, wrapping around at the end, and the last name in the query.
 * Null when no name can be searched for.
 */
export function developerQuery(names: readonly string[], after: string): { query: string; last: string } | null {
	const sorted = [...new Set(names)].filter((name) => isSearchable(searchTerm(name))).sort();
	const start = Math.max(
		0,
		sorted.findIndex((name) => name > after),
	);
	const chosen: string[] = [];
	for (const name of [...sorted.slice(start), ...sorted.slice(0, start)]) {
		if (queryFor([...chosen, name]).length > maxQueryLength) break;
		chosen.push(name);
	}
	const last = chosen.at(-1);
	return last === undefined ? null : { query: queryFor(chosen), last };
}

/** GDELT accepts brackets around alternatives only. */
function queryFor(names: readonly string[]): string {
	const phrases = [...new Set(names.map(searchTerm))].map((name) => `"${name}"`);
	const either = phrases.length === 1 ? phrases.join("") : `(${phrases.join(" OR ")})`;
	return `${either} (solar OR wind OR energy OR storage OR power) sourcelang:eng`;
}

/** Without the characters that have a meaning in a query. */
const searchTerm = (name: string): string =>
	name
		.replace(/[^\p{L}\p{N}&.' -]/gu, " ")
		.replace(/\s+/g, " ")
		.trim();

const isSearchable = (name: string): boolean => name.length >= nameLength.min && name.length <= nameLength.max;
