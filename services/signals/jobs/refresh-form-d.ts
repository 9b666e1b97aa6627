/** Form D as SEC publishes it: the indexes of past days, today's feed, the filings that these name, and the quarterly data sets. */

import { addDays, secDay, workingDays } from "../domain/sec-days.ts";
import { moveCursor, readCursor } from "./cursors.ts";
import { documentsPart } from "./form-d-documents.ts";
import { dataSetsPart } from "./form-d-sets.ts";
import { readLatestFilings } from "./latest-filings.ts";
import { takeIn } from "./take-in.ts";
import type { Part, Tally, Turn } from "./turn.ts";

/** Where the indexes begin that are read at first (days ago): about as far back as the newest data set may end. */
const firstDays = 120;
/** Days that a turn asks for. */
const maxDays = 20;
/** An index that is not there, or not whole, may still come for this many days; then the day had none. */
const lateDays = 4;
/** A busy day's index is 2 MB. */
const maxIndexBytes = 32 * 1024 * 1024;

const dailyIndexFeed = "form-d/daily-index";

export const formDParts: readonly Part[] = [
	{ name: "latest", everyMinutes: 10, run: (turn, tally) => readLatestFilings(turn, tally, "D") },
	{ name: "daily-index", everyMinutes: 60, run: readDailyIndexes },
	documentsPart,
	dataSetsPart,
];

/**
 * Every day up to yesterday, weekends left out. A day without an index had no filings; as long as it may be late, only a later index
 * moves the cursor past it.
 */
async function readDailyIndexes(turn: Turn, tally: Tally): Promise<void> {
	const today = secDay(turn.now());
	const first = (await readCursor(turn.sql, dailyIndexFeed)) ?? addDays(today, -firstDays);
	for (const day of workingDays(first, today, maxDays)) {
		turn.signal.throwIfAborted();
		const name = `master.${day.replaceAll("-", "")}.idx`;
		const got = await turn.polite.get(`${folderOf(turn, day)}/${name}`, { maxBytes: maxIndexBytes });
		tally.answered++;
		const isOver = day < addDays(today, -lateDays);
		if (got.kind === "file") {
			const taken = await takeIn(turn, tally, [{ name, bytes: got.bytes }]);
			// Not passed by: what it names is named nowhere else after today.
			if (taken === null && !isOver) return;
			if (taken?.rowsIn === 0 && !isOver) continue;
		} else if (!isOver) continue;
		await moveCursor(turn.sql, dailyIndexFeed, addDays(day, 1), turn.now());
	}
}

function folderOf(turn: Turn, day: string): string {
	const quarter = Math.ceil(Number(day.slice(5, 7)) / 3);
	return `${turn.hosts.sec}/Archives/edgar/daily-index/${day.slice(0, 4)}/QTR${quarter}`;
}
