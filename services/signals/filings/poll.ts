/** Polls SEC for 8-Ks: today's feed, the known issuers' lists of filings, and a search for reports of distress by any company. */
import { StructureError } from "#libs/files/structure-error.ts";
import { issuers } from "../companies/issuers.ts";
import { addDays, readLatestFilings, secDay } from "../edgar/latest-filings.ts";
import { dueUrls, moveCursor, readCursor, recordRequest } from "../polling/cursors.ts";
import type { Download } from "../polling/polite.ts";
import type { Step, StepRun } from "../polling/poll.ts";

export const eightKSteps: readonly Step[] = [
	{ name: "latest", everyMinutes: 10, run: (run) => readLatestFilings(run, "8-K") },
	{ name: "issuers", everyMinutes: 15, run: readIssuerLists },
	{ name: "search", everyMinutes: 60, run: searchDistress },
];

/** Bankruptcy, impairment, delisting. */
const distressItems = ["1.03", "2.06", "3.01"];
/** Days before today at which the first search begins. */
const firstSearchDays = 365;
/** Days covered by one search, because a search returns at most 10,000 hits. */
const sliceDays = 30;
const maxSlices = 6;
const pageSize = 100;
const maxPages = 30;
const maxPageBytes = 16 * 1024 * 1024;

async function searchDistress(run: StepRun): Promise<void> {
	const today = secDay(run.now());
	for (const item of distressItems) {
		const feed = `8-k/search/${item}`;
		let from = (await readCursor(run.sql, feed)) ?? addDays(today, -firstSearchDays);
		for (let slice = 0; slice < maxSlices && from < today; slice++) {
			const end = [addDays(from, sliceDays), today].sort()[0] ?? today;
			if (!(await searchSlice(run, item, from, addDays(end, -1)))) break;
			await moveCursor(run, feed, end);
			from = end;
		}
	}
}

async function searchSlice(run: StepRun, item: string, from: string, to: string): Promise<boolean> {
	for (let page = 0; page < maxPages; page++) {
		run.signal.throwIfAborted();
		const start = page * pageSize;
		const slice = `dateRange=custom&startdt=${from}&enddt=${to}&from=${start}`;
		const url = `${run.hosts.search}/LATEST/search-index?q=&forms=8-K&items=${item}&${slice}`;
		const download = await run.download(url, { maxBytes: maxPageBytes });
		if (download.kind !== "file") return false;
		const name = `search ${item} ${from} to ${to} from ${start}`;
		const ingested = await run.ingest([{ name, bytes: download.bytes }]);
		if (ingested === null) return false;
		if (ingested.rowsIn < pageSize) return true;
	}
	return true;
}

/** Long, because new filings appear first in the feed of the latest filings. */
const listIntervalMs = 12 * 3_600_000;
const maxLists = 25;
/** Maximum older pages read for one list. The most prolific filers have a dozen. */
const maxOlderPages = 40;
/** A page of a thousand filings is about half a megabyte. */
const maxListBytes = 32 * 1024 * 1024;

async function readIssuerLists(run: StepRun): Promise<void> {
	const urls = [...issuers.keys()].map((cik) => `${run.hosts.data}/submissions/CIK${cik.padStart(10, "0")}.json`);
	for (const url of (await dueUrls(run, urls, listIntervalMs)).slice(0, maxLists)) {
		run.signal.throwIfAborted();
		await readList(run, url);
	}
}

/** Reads a list, and each of its older pages once. The list is recorded last, so that an interrupted run continues with the pages. */
async function readList(run: StepRun, url: string): Promise<void> {
	const list = await downloadList(run, url, true);
	if (list?.kind !== "file") return recordRequest(run, url, null);
	const ingested = await run.ingest([{ name: fileName(url), bytes: list.bytes }]);
	const pages = ingested === null ? [] : findOlderPages(url, list.bytes);
	// With the time since 1970 as the interval, only pages that were never requested are due.
	const sinceEpochMs = run.now().getTime();
	for (const page of await dueUrls(run, pages, sinceEpochMs)) {
		run.signal.throwIfAborted();
		const olderPage = await downloadList(run, page, false);
		if (olderPage?.kind === "file") await run.ingest([{ name: fileName(page), bytes: olderPage.bytes }]);
		await recordRequest(run, page, null);
	}
	await recordRequest(run, url, ingested === null ? null : list.validators);
}

/** Returns null if the response is unusable, so that the run continues with the next list. */
async function downloadList(run: StepRun, url: string, conditional: boolean): Promise<Download | null> {
	try {
		return await run.download(url, { maxBytes: maxListBytes, conditional });
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		run.noteProblem(`${fileName(url)}: ${error.message}`);
		return null;
	}
}

const fileName = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

/** Addresses of the same company's older pages, by `filings.files[].name`. */
function findOlderPages(url: string, list: Uint8Array): string[] {
	const company = fileName(url).slice(0, "CIK0000000000".length);
	const text = new TextDecoder().decode(list);
	const names = [...text.matchAll(/"((CIK\d{10})-submissions-\d{3}\.json)"/g)].filter(
		([, , owner]) => owner === company,
	);
	const pages = new Set(names.map(([, name = ""]) => url.replace(fileName(url), name)));
	return [...pages].slice(0, maxOlderPages);
}
