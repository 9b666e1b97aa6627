/** EDGAR's feed of the latest filings of a form, newest first, a hundred entries a page. */

import { moveCursor, readCursor } from "./cursors.ts";
import { takeIn } from "./take-in.ts";
import type { Tally, Turn } from "./turn.ts";

const pageSize = 100;
/** About two thousand filings: more than a day has of any form. */
const maxPages = 20;
const maxBytes = 8 * 1024 * 1024;
/** A filing stands in the feed some minutes after the moment that is stated, and EDGAR's clock is not ours. */
const lagMs = 15 * 60_000;

/**
 * Reads page by page down to what the last whole look has read, or to the end of the feed. What was stored says nothing of the pages
 * behind it: the look before may have ended there. `type` is a prefix for EDGAR (D brings DEF 14A along), so that a page without any
 * filing of ours is no end.
 */
export async function readLatestFilings(turn: Turn, tally: Tally, type: "D" | "8-K"): Promise<void> {
	const feed = `${turn.pipeline}/latest`;
	const began = turn.now();
	const read = Date.parse((await readCursor(turn.sql, feed)) ?? "") - lagMs;
	for (let page = 0; page < maxPages; page++) {
		turn.signal.throwIfAborted();
		const query = `action=getcurrent&type=${type}&count=${pageSize}&start=${page * pageSize}&owner=include&output=atom`;
		// Past its end the feed answers 503, as EDGAR does when it has too much to do: nothing behind a short page is asked for.
		const got = await turn.polite.get(`${turn.hosts.sec}/cgi-bin/browse-edgar?${query}`, { maxBytes });
		tally.answered++;
		if (got.kind !== "file") return;
		const file = { name: `getcurrent ${type} from ${page * pageSize}`, bytes: got.bytes };
		const taken = await takeIn(turn, tally, [file], { reader: "8-k" });
		if (taken === null) return;
		if (taken.rowsIn < pageSize || newestOf(got.bytes) < read) break;
	}
	await moveCursor(turn.sql, feed, began.toISOString(), turn.now());
}

/** Moment (ms) of the newest entry of a page; NaN when none says one. The feed's own moment stands before its entries. */
function newestOf(page: Uint8Array): number {
	const text = new TextDecoder().decode(page);
	const entries = text.slice(Math.max(0, text.indexOf("<entry")));
	let newest = Number.NaN;
	for (const [, stated = ""] of entries.matchAll(/<updated>([^<]{1,40})<\/updated>/g)) {
		const moment = Date.parse(stated);
		if (moment > newest || Number.isNaN(newest)) newest = moment;
	}
	return newest;
}
