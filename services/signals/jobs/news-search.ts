/** GDELT's search: what the last day's press says of developers by name, some names a turn, round after round. */
import { developerQuery } from "../domain/developer-query.ts";
import { moveCursor, readCursor } from "./cursors.ts";
import { takeIn } from "./take-in.ts";
import type { Tally, Turn } from "./turn.ts";

const feed = "news/search";
/** A question takes six seconds of waiting for one's turn. */
const maxQueries = 4;
const maxBytes = 16 * 1024 * 1024;

/** A question that GDELT does not like is passed by: the others shall have their turn. */
export async function searchNews(turn: Turn, tally: Tally): Promise<void> {
	const names = await developerNames(turn);
	const asked = new Set<string>();
	for (let query = 0; query < maxQueries; query++) {
		turn.signal.throwIfAborted();
		const next = developerQuery(names, (await readCursor(turn.sql, feed)) ?? "");
		// Once round.
		if (next === null || asked.has(next.query)) return;
		asked.add(next.query);
		const options = "mode=artlist&format=json&maxrecords=250&timespan=1d&sort=datedesc";
		const url = `${turn.hosts.gdelt}/api/v2/doc/doc?query=${encodeURIComponent(next.query)}&${options}`;
		const got = await turn.polite.get(url, { maxBytes });
		tally.answered++;
		if (got.kind === "file") await takeIn(turn, tally, [{ name: `search behind ${next.last}`, bytes: got.bytes }]);
		await moveCursor(turn.sql, feed, next.last, turn.now());
	}
}

/** Those of the curated list: of the others the bulk files tell. */
async function developerNames({ sql }: Turn): Promise<string[]> {
	const rows = await sql<{ name: string }[]>`select canonical_name as name from developers where known`;
	return rows.map(({ name }) => name);
}
