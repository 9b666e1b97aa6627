/** Polls SEC for Form D: today's feed, the indexes of past days, the documents of the filings they list, and the quarterly data sets. */
import { StructureError } from "#libs/files/structure-error.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import { addDays, readLatestFilings, secDay, workingDays } from "../edgar/latest-filings.ts";
import { moveCursor, readCursor } from "../polling/cursors.ts";
import type { Step, StepRun } from "../polling/poll.ts";
import type { SourceFile } from "../records/records.ts";

export const formDSteps: readonly Step[] = [
	{ name: "latest", everyMinutes: 10, run: (run) => readLatestFilings(run, "D") },
	{ name: "daily-index", everyMinutes: 60, run: readDailyIndexes },
	{ name: "documents", everyMinutes: 10, run: fetchDocuments },
	{ name: "data-sets", everyMinutes: 60, run: loadDataSet },
];

const dailyIndexFeed = "form-d/daily-index";
/** Age (days) of the first index to read: the newest data set may have ended this long ago. */
const firstIndexAgeDays = 120;
const maxIndexes = 20;
/** A missing or incomplete index may still appear for this many days. If it does not, the day had no filings. */
const maxIndexDelayDays = 4;
const maxIndexBytes = 32 * 1024 * 1024;

/** Reads the index of each working day until yesterday. The cursor moves past a recent day without an index only after a later index. */
async function readDailyIndexes(run: StepRun): Promise<void> {
	const today = secDay(run.now());
	const first = (await readCursor(run.sql, dailyIndexFeed)) ?? addDays(today, -firstIndexAgeDays);
	for (const day of workingDays(first, today, maxIndexes)) {
		run.signal.throwIfAborted();
		const name = `master.${day.replaceAll("-", "")}.idx`;
		const quarter = `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
		const url = `${run.hosts.sec}/Archives/edgar/daily-index/${quarter}/${name}`;
		const download = await run.download(url, { maxBytes: maxIndexBytes });
		const isFinal = day < addDays(today, -maxIndexDelayDays);
		if (download.kind === "file") {
			const ingested = await run.ingest([{ name, bytes: download.bytes }]);
			// The next run reads the index again, because nothing else lists the filings of a past day.
			if (ingested === null && !isFinal) return;
			if (ingested?.rowsIn === 0 && !isFinal) continue;
		} else if (!isFinal) continue;
		await moveCursor(run, dailyIndexFeed, addDays(day, 1));
	}
}

/** Maximum filings fetched in one run. About 250 are filed per day. */
const maxFilings = 300;
const filingsBatch = 50;
/** Attempts before a filing counts as missing: the second an hour after the first, the third two hours after the second, and so on. */
const maxAttempts = 5;
/** A filing with 200 persons takes 200 KB. */
const maxDocumentBytes = 8 * 1024 * 1024;

interface WantedFiling {
	accession_number: string;
	cik: string;
}

/** Fetches the documents of listed filings that are not stored yet, newest first. */
async function fetchDocuments(run: StepRun): Promise<void> {
	const wanted = await run.sql<WantedFiling[]>`
		select accession_number, cik from indexed_filings
		where state = 'known' and (attempted_at is null
			or attempted_at <= ${run.now().toISOString()}::timestamptz - make_interval(hours => attempts)
			or ${writtenAhead(run.sql, run.sql`attempted_at`, run.now())})
		order by filing_date desc, accession_number desc limit ${maxFilings}`;
	for (let at = 0; at < wanted.length; at += filingsBatch) await fetchBatch(run, wanted.slice(at, at + filingsBatch));
}

/** Stores the fetched documents even if the host becomes busy or the service stops. */
async function fetchBatch(run: StepRun, wanted: readonly WantedFiling[]): Promise<void> {
	const files: SourceFile[] = [];
	const attemptedNumbers: string[] = [];
	try {
		for (const filing of wanted) {
			run.signal.throwIfAborted();
			const file = await fetchDocument(run, filing);
			attemptedNumbers.push(filing.accession_number);
			if (file !== null) files.push(file);
		}
	} finally {
		if (files.length > 0) await run.ingest(files);
		await recordAttempts(run, attemptedNumbers);
	}
}

async function fetchDocument(run: StepRun, { accession_number, cik }: WantedFiling): Promise<SourceFile | null> {
	const folder = `${run.hosts.sec}/Archives/edgar/data/${cik}/${accession_number.replaceAll("-", "")}`;
	try {
		const download = await run.download(`${folder}/primary_doc.xml`, { maxBytes: maxDocumentBytes });
		return download.kind === "file" ? { name: `${accession_number}/primary_doc.xml`, bytes: download.bytes } : null;
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		run.noteProblem(`${accession_number}: ${error.message}`);
		return null;
	}
}

/** Counts an attempt for filings that are still not stored. Stored filings have already left the state `known`. */
async function recordAttempts({ sql, now }: StepRun, accessions: readonly string[]): Promise<void> {
	await sql`
		update indexed_filings set attempts = attempts + 1, attempted_at = ${now().toISOString()},
			state = case when attempts + 1 >= ${maxAttempts} then 'missing' else state end
		where accession_number = any(${[...accessions]}) and state = 'known'`;
}

const maxListingBytes = 4 * 1024 * 1024;
const maxSetBytes = 64 * 1024 * 1024;

/** Loads the oldest data set not loaded yet. The sets contain the filings older than the first index. A refused set is retried after a day. */
async function loadDataSet(run: StepRun): Promise<void> {
	const listing = `${run.hosts.sec}/data-research/sec-markets-data/form-d-data-sets`;
	const page = await run.download(listing, { maxBytes: maxListingBytes });
	if (page.kind !== "file") return run.noteProblem("the list of Form D data sets has moved");
	const sets = dataSetLinks(page.bytes, listing);
	if (sets.length === 0) return run.noteProblem("the list of Form D data sets contains no link to a set");
	const handled = await readHandledSets(run);
	const next = sets.find(({ name }) => !handled.has(name));
	if (next === undefined) return;
	const download = await run.download(next.url, { maxBytes: maxSetBytes });
	const { name } = next;
	if (download.kind === "file") await run.ingest([{ name, bytes: download.bytes }], { always: true });
	else
		await run.refuse(
			{ name, bytes: new Uint8Array() },
			`${name}: the list of data sets links to it, but it does not exist`,
		);
}

/** Returns the page's links to data sets on its own site, oldest first. The addresses are not fixed: SEC has moved the folders before. */
function dataSetLinks(page: Uint8Array, pageUrl: string): { name: string; url: string }[] {
	const links = new Map<string, { name: string; url: string }>();
	const text = new TextDecoder().decode(page);
	const link = /href\s{0,3}=\s{0,3}["']([^"'\s<>]{1,500}?\/(\d{4}q[1-4]_d(?:_\d)?\.zip))["']/gi;
	for (const [, href = "", file = ""] of text.matchAll(link)) {
		const url = URL.parse(href, pageUrl);
		const name = file.toLowerCase();
		if (url?.origin === new URL(pageUrl).origin) links.set(name, { name, url: url.href });
	}
	return [...links.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the names of the sets that were stored, or refused within the last day. */
async function readHandledSets({ sql, now }: StepRun): Promise<Set<string>> {
	const yesterday = new Date(now().getTime() - 86_400_000).toISOString();
	const rows = await sql<{ name: string }[]>`
		select distinct name from source_files
		where source = 'form-d' and name like '%.zip' and (outcome <> 'refused' or received_at > ${yesterday}::timestamptz)`;
	return new Set(rows.map(({ name }) => name.toLowerCase()));
}
