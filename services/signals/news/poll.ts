/** Polls for news: GDELT's bulk file of each quarter hour, its search for developers' names, and the feeds of the trade press. */
import { isAboutEnergy } from "../companies/energy.ts";
import { loadMatchers, type Matchers } from "../companies/matchers.ts";
import { dueUrls, moveCursor, readCursor, recordRequest } from "../polling/cursors.ts";
import type { Feed } from "../polling/hosts.ts";
import { Busy, type Download } from "../polling/polite.ts";
import { type PollResult, recordResult, type Step, type StepRun } from "../polling/poll.ts";
import type { Article, Content } from "../records/records.ts";
import { lockWriters } from "../records/storing.ts";

export const newsSteps: readonly Step[] = [
	{ name: "gkg", everyMinutes: 10, run: readBulkFiles },
	{ name: "feeds", everyMinutes: 10, run: readFeeds },
	// GDELT refuses most searches, even if there are few.
	{ name: "search", everyMinutes: 15, bestEffort: true, run: searchNews },
];

const bulkFeed = "news/gkg";
/** Maximum files read in one run. Four are published per hour. */
const maxBulkFiles = 12;
const quarterHourMs = 15 * 60_000;
/** Older news is not read. */
const maxAgeMs = 24 * 3_600_000;
/** A bulk file that is still missing after this time is skipped: some are never published. */
const publicationGraceMs = 3_600_000;
/** A file is about 5 MB; one of 2015 was 11 MB. */
const maxBulkBytes = 64 * 1024 * 1024;
const bulkTimeoutMs = 180_000;
const maxExamples = 5;

async function readBulkFiles(run: StepRun): Promise<void> {
	const now = run.now().getTime();
	const oldest = now - maxAgeMs;
	const cursor = Date.parse((await readCursor(run.sql, bulkFeed)) ?? "");
	// A cursor in the future was written while the clock was ahead. Reading from it would skip files.
	const from = cursor >= oldest && cursor - now <= publicationGraceMs ? cursor : oldest;
	for (const { name, time } of listBulkFiles(from, now).slice(0, maxBulkFiles)) {
		run.signal.throwIfAborted();
		const download = await downloadBulkFile(run, name);
		if (download.kind === "file") {
			const matchers = await currentMatchers(run);
			const select = (content: Content) => selectRelevant(content, matchers);
			await run.ingest([{ name, bytes: download.bytes }], { select });
		} else {
			if (now - time < publicationGraceMs) return;
			await run.refuse({ name, bytes: new Uint8Array() }, `${name} was never published: skipped`);
		}
		await moveCursor(run, bulkFeed, new Date(time + quarterHourMs).toISOString());
	}
}

/** Lists the files, such as `20260918031500.gkg.csv.zip`, of each quarter hour (UTC) from `from` until just before `to` (ms). */
export function listBulkFiles(from: number, to: number): { name: string; time: number }[] {
	const files: { name: string; time: number }[] = [];
	for (let time = Math.ceil(from / quarterHourMs) * quarterHourMs; time < to; time += quarterHourMs) {
		const stamp = new Date(time).toISOString().slice(0, 19).replace(/\D/g, "");
		files.push({ name: `${stamp}.gkg.csv.zip`, time });
	}
	return files;
}

/** Tries each folder. Returns `absent` only if every folder could be reached and none contains the file. */
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
		return loadMatchers(sql, tx);
	});
}

/** Drops articles about neither energy nor a developer: a bulk file covers the press of the whole world. */
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
	isAboutEnergy({ names: [article.title] }) || matchers.matchArticle({ ...article, bodyNames: [] }).length > 0;

/** Each feed is requested at most once an hour. */
const feedIntervalMs = 3_600_000;
const maxFeedBytes = 16 * 1024 * 1024;

/** Reads the feeds that are due. The failure of one does not stop the others. */
async function readFeeds(run: StepRun): Promise<void> {
	const { feeds } = run.hosts;
	const urls = feeds.map(({ url }) => url);
	const due = new Set(await dueUrls(run, urls, feedIntervalMs));
	for (const feed of feeds.filter(({ url }) => due.has(url))) {
		run.signal.throwIfAborted();
		const record = (outcome: PollResult["outcome"], reason: string | null = null) =>
			recordResult(run.poll, { feed: `news/feeds/${feed.name}`, outcome, reason });
		try {
			await record(await readFeed(run, feed));
		} catch (error) {
			run.signal.throwIfAborted();
			const reason = error instanceof Error ? error.message : String(error);
			await record(error instanceof Busy ? "busy" : "failed", reason);
			if (error instanceof Busy) continue;
			run.noteProblem(`${feed.name}: ${reason}`);
			await recordRequest(run, feed.url, null);
		}
	}
}

async function readFeed(run: StepRun, feed: Feed): Promise<PollResult["outcome"]> {
	const download = await run.download(feed.url, { maxBytes: maxFeedBytes, conditional: true });
	if (download.kind === "absent")
		run.noteProblem(`${feed.name} has no feed at ${feed.url}; correct or remove the address`);
	if (download.kind === "unchanged") run.accepted++;
	const file = download.kind === "file" ? { name: feed.name, bytes: download.bytes, feed } : null;
	const isIngested = file !== null && (await run.ingest([file])) !== null;
	await recordRequest(run, feed.url, isIngested && download.kind === "file" ? download.validators : null);
	return isIngested ? "applied" : download.kind === "unchanged" ? "unchanged" : "refused";
}

const searchFeed = "news/search";
/** Maximum queries of one run. Few, because the rate limit delays each request by six seconds. */
const maxQueries = 4;
const maxSearches = 12;
/** Maximum articles in a response. A response with this many may be incomplete. */
const fullPage = 250;
const minWindowMs = 3_600_000;
const maxSearchBytes = 16 * 1024 * 1024;

/** Searches the last day's news for some of the developers by name; the next run continues with the following names. */
async function searchNews(run: StepRun): Promise<void> {
	// Only developers of the curated list are searched for; for the others, the bulk files suffice.
	const rows = await run.sql<{ name: string }[]>`select canonical_name as name from developers where known`;
	const names = rows.map(({ name }) => name);
	const sentQueries = new Set<string>();
	const budget = { left: maxSearches };
	while (sentQueries.size < maxQueries && budget.left > 0) {
		run.signal.throwIfAborted();
		const next = buildDeveloperQuery(names, (await readCursor(run.sql, searchFeed)) ?? "");
		if (next === null || sentQueries.has(next.query)) return;
		sentQueries.add(next.query);
		const until = run.now().getTime();
		await searchWindow(run, next, [until - maxAgeMs, until], budget);
		await moveCursor(run, searchFeed, next.last);
	}
}

/** Reads the articles between two times (ms). If a response cannot contain all of them, each half is searched separately. */
async function searchWindow(
	run: StepRun,
	{ query, last }: { query: string; last: string },
	[from, to]: [number, number],
	budget: { left: number },
): Promise<void> {
	const name = `search up to ${last}`;
	if (budget.left-- <= 0) return run.noteProblem(`${name}: more articles than one poll may read`);
	const stamp = (time: number) => new Date(time).toISOString().slice(0, 19).replace(/\D/g, "");
	const options = `mode=artlist&format=json&maxrecords=${fullPage}&startdatetime=${stamp(from)}&enddatetime=${stamp(to)}&sort=datedesc`;
	const url = `${run.hosts.gdelt}/api/v2/doc/doc?query=${encodeURIComponent(query)}&${options}`;
	const download = await run.download(url, { maxBytes: maxSearchBytes });
	const ingested = download.kind === "file" ? await run.ingest([{ name, bytes: download.bytes }]) : null;
	if (ingested === null || ingested.rowsIn < fullPage || to - from < 2 * minWindowMs) return;
	const middle = (from + to) / 2;
	await searchWindow(run, { query, last }, [middle, to], budget);
	await searchWindow(run, { query, last }, [from, middle], budget);
}

const maxQueryLength = 250;
/** GDELT refuses shorter names as too common, and headlines do not contain longer ones. */
const nameLength = { min: 5, max: 60 };

/**
 * Returns a query for the names that follow `after` alphabetically, wrapping around at the end, and the last name in the query.
 * Null if no name can be searched for.
 */
export function buildDeveloperQuery(names: readonly string[], after: string): { query: string; last: string } | null {
	const sorted = [...new Set(names)].filter((name) => isSearchable(searchTerm(name))).sort();
	const start = Math.max(
		0,
		sorted.findIndex((name) => name > after),
	);
	const queryNames: string[] = [];
	for (const name of [...sorted.slice(start), ...sorted.slice(0, start)]) {
		if (buildQuery([...queryNames, name]).length > maxQueryLength) break;
		queryNames.push(name);
	}
	const last = queryNames.at(-1);
	return last === undefined ? null : { query: buildQuery(queryNames), last };
}

/** GDELT accepts brackets only around several alternatives. */
function buildQuery(names: readonly string[]): string {
	const phrases = [...new Set(names.map(searchTerm))].map((name) => `"${name}"`);
	const anyName = phrases.length === 1 ? phrases.join("") : `(${phrases.join(" OR ")})`;
	return `${anyName} (solar OR wind OR energy OR storage OR power) sourcelang:eng`;
}

/** The name without characters that have a meaning in a query. */
const searchTerm = (name: string): string =>
	name
		.replace(/[^\p{L}\p{N}&.' -]/gu, " ")
		.replace(/\s+/g, " ")
		.trim();

const isSearchable = (name: string): boolean => name.length >= nameLength.min && name.length <= nameLength.max;
