/** EDGAR's feed of the latest filings of a form, newest first, a hundred entries a page. */

import { takeIn } from "./take-in.ts";
import type { Tally, Turn } from "./turn.ts";

const pageSize = 100;
/** About two thousand filings: more than a day has of any form. */
const maxPages = 20;
const maxBytes = 8 * 1024 * 1024;

/**
 * Reads page by page until one says nothing new, or ends the feed. `type` is a prefix for EDGAR (D brings DEF 14A along), so that a
 * page without any filing of ours is no end.
 */
export async function readLatestFilings(turn: Turn, tally: Tally, type: "D" | "8-K"): Promise<void> {
	for (let page = 0; page < maxPages; page++) {
		turn.signal.throwIfAborted();
		const query = `action=getcurrent&type=${type}&count=${pageSize}&start=${page * pageSize}&owner=include&output=atom`;
		// Past its last page the feed answers 503.
		const got = await turn.polite.get(`${turn.hosts.sec}/cgi-bin/browse-edgar?${query}`, {
			maxBytes,
			...(page > 0 && { absentStatus: 503 }),
		});
		tally.answered++;
		if (got.kind !== "file") return;
		const file = { name: `getcurrent ${type} from ${page * pageSize}`, bytes: got.bytes };
		const taken = await takeIn(turn, tally, [file], { reader: "8-k" });
		if (taken === null || taken.rowsIn < pageSize) return;
		if (taken.stored === 0 && taken.known > 0) return;
	}
}
