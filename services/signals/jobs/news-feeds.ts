/** The feeds of the trade press, each asked once an hour and only for what is new. */
import type { Validators } from "#libs/files/download.ts";
import { Busy } from "../http/polite.ts";
import { type Feed, feedIntervalMinutes } from "../sources/news/feeds.ts";
import { notAskedSince, noteFetched } from "./cursors.ts";
import { takeIn } from "./take-in.ts";
import type { Tally, Turn } from "./turn.ts";

const maxBytes = 16 * 1024 * 1024;

/** One publisher that refuses, or cannot be reached, does not stop the others. */
export async function readNewsFeeds(turn: Turn, tally: Tally): Promise<void> {
	const { feeds } = turn.hosts;
	const since = new Date(turn.now().getTime() - feedIntervalMinutes * 60_000);
	const due = new Set(
		await notAskedSince(
			turn.sql,
			feeds.map(({ url }) => url),
			since,
			turn.now(),
		),
	);
	for (const feed of feeds.filter(({ url }) => due.has(url))) {
		turn.signal.throwIfAborted();
		try {
			await readFeed(turn, tally, feed);
		} catch (error) {
			turn.signal.throwIfAborted();
			if (error instanceof Busy) continue;
			tally.complain(`${feed.name}: ${error instanceof Error ? error.message : String(error)}`);
			await noteFetched(turn.sql, feed.url, null, turn.now());
		}
	}
}

async function readFeed(turn: Turn, tally: Tally, feed: Feed): Promise<void> {
	const got = await turn.polite.get(feed.url, { maxBytes, conditional: true });
	tally.answered++;
	if (got.kind === "absent") tally.complain(`${feed.name}: the feed is not where it was`);
	if (got.kind === "unchanged") tally.accepted++;
	let validators: Validators | null = null;
	if (got.kind === "file") {
		const file = { name: feed.name, bytes: got.bytes, feed };
		if ((await takeIn(turn, tally, [file])) !== null) validators = got.validators;
	}
	await noteFetched(turn.sql, feed.url, validators, turn.now());
}
