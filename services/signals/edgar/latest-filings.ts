/** Reads EDGAR's feed of the latest filings of a form (newest first, a hundred entries per page), and computes SEC's days. */
import { moveCursor, readCursor } from "../polling/cursors.ts";
import type { StepRun } from "../polling/poll.ts";

const pageSize = 100;
/** Two thousand entries: no form has so many filings in a day. */
const maxPages = 20;
const maxBytes = 8 * 1024 * 1024;
/** Tolerance, because a filing appears in the feed some minutes after its stated time, and EDGAR's clock may differ from ours. */
const lagMs = 15 * 60_000;

/**
 * Reads pages back to the start of the last complete run, or to the end of the feed. A page of known filings does not end the run,
 * because an incomplete run may have stored them. Nor does a page without our forms, because EDGAR treats `type` as a prefix (D
 * includes DEF 14A).
 */
export async function readLatestFilings(run: StepRun, type: "D" | "8-K"): Promise<void> {
	const feed = `${run.poll.pipeline}/latest`;
	const startedAt = run.now();
	const readUntil = Date.parse((await readCursor(run.sql, feed)) ?? "") - lagMs;
	for (let page = 0; page < maxPages; page++) {
		run.signal.throwIfAborted();
		const start = page * pageSize;
		const query = `action=getcurrent&type=${type}&count=${pageSize}&start=${start}&owner=include&output=atom`;
		// Beyond its end the feed returns 503, as if EDGAR were overloaded. A short page therefore ends the run.
		const download = await run.download(`${run.hosts.sec}/cgi-bin/browse-edgar?${query}`, { maxBytes });
		if (download.kind !== "file") return;
		const file = { name: `getcurrent ${type} from ${start}`, bytes: download.bytes };
		const ingested = await run.ingest([file]);
		if (ingested === null) return;
		if (ingested.rowsIn < pageSize || newestEntry(download.bytes) < readUntil) break;
	}
	await moveCursor(run, feed, startedAt.toISOString());
}

/** Time (ms) of a page's newest entry; NaN if it has none. Skips the time of the feed itself, which precedes the entries. */
function newestEntry(page: Uint8Array): number {
	const text = new TextDecoder().decode(page);
	const entries = text.slice(Math.max(0, text.indexOf("<entry")));
	const times = [...entries.matchAll(/<updated>([^<]{1,40})<\/updated>/g)].map(([, stated = ""]) => Date.parse(stated));
	const known = times.filter((time) => !Number.isNaN(time));
	return known.length === 0 ? Number.NaN : Math.max(...known);
}

const newYork = new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" });

/** The day (`YYYY-MM-DD`) in New York, where SEC completes each day's index in the evening. */
export const secDay = (time: Date): string => newYork.format(time);

export function addDays(day: string, days: number): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The days from Monday to Friday between `first` and the day before `end`; at most `limit` days. */
export function workingDays(first: string, end: string, limit: number): string[] {
	const days: string[] = [];
	for (let day = first; day < end && days.length < limit; day = addDays(day, 1)) {
		const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
		if (weekday !== 0 && weekday !== 6) days.push(day);
	}
	return days;
}
