/** 8-Ks as SEC publishes them: today's feed, the lists of the issuers that are known, and a search for signs of distress. */

import { addDays, secDay } from "../domain/sec-days.ts";
import { moveCursor, readCursor } from "./cursors.ts";
import { issuersPart } from "./issuer-lists.ts";
import { readLatestFilings } from "./latest-filings.ts";
import { takeIn } from "./take-in.ts";
import type { Part, Tally, Turn } from "./turn.ts";

/** Bankruptcy, impairment, delisting: of any company, so that those count that no list of ours names. */
const distressItems = ["1.03", "2.06", "3.01"];
/** Where the search begins at first (days ago). */
const firstDays = 365;
/** Days of one search: it answers 10,000 hits at most. */
const sliceDays = 30;
/** Searches of a turn for each item. */
const maxSlices = 6;
const pageSize = 100;
const maxPages = 30;
const maxPageBytes = 16 * 1024 * 1024;

export const eightKParts: readonly Part[] = [
	{ name: "latest", everyMinutes: 10, run: (turn, tally) => readLatestFilings(turn, tally, "8-K") },
	issuersPart,
	{ name: "search", everyMinutes: 60, run: searchDistress },
];

/** Days up to yesterday that no search has covered yet. */
async function searchDistress(turn: Turn, tally: Tally): Promise<void> {
	const today = secDay(turn.now());
	for (const item of distressItems) {
		const feed = `8-k/search/${item}`;
		let from = (await readCursor(turn.sql, feed)) ?? addDays(today, -firstDays);
		for (let slice = 0; slice < maxSlices && from < today; slice++) {
			const end = [addDays(from, sliceDays), today].sort()[0] ?? today;
			if (!(await searchSlice(turn, tally, item, from, addDays(end, -1)))) break;
			await moveCursor(turn.sql, feed, end, turn.now());
			from = end;
		}
	}
}

/** Answers whether every page of it was read. */
async function searchSlice(turn: Turn, tally: Tally, item: string, from: string, to: string): Promise<boolean> {
	for (let page = 0; page < maxPages; page++) {
		turn.signal.throwIfAborted();
		const slice = `dateRange=custom&startdt=${from}&enddt=${to}&from=${page * pageSize}`;
		const url = `${turn.hosts.search}/LATEST/search-index?q=&forms=8-K&items=${item}&${slice}`;
		const got = await turn.polite.get(url, { maxBytes: maxPageBytes });
		tally.answered++;
		if (got.kind !== "file") return false;
		const name = `search ${item} ${from} to ${to} from ${page * pageSize}`;
		const taken = await takeIn(turn, tally, [{ name, bytes: got.bytes }]);
		if (taken === null) return false;
		if (taken.rowsIn < pageSize) return true;
	}
	return true;
}
