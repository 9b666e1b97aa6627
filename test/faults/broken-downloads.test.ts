/** Broken files of every operator. The same for every layout, and every fault at both ages: broken-downloads.long.test.ts. */
import { expect, test } from "vitest";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import { queueFeeds, queueLayouts } from "../support/queue-files.ts";
import { cutAt, faults } from "./broken-files.ts";
import { replay } from "./replay.ts";

test("every list of every operator is replayed", () =>
	expect(new Set(queueFeeds)).toEqual(
		new Set(sources.filter(({ region }) => region !== null).map((source) => source.feed)),
	));

for (const feed of queueFeeds) {
	const [layout = ""] = queueLayouts(feed);
	await replay(feed, layout, [
		{ days: 1, faults },
		// Beyond three cadences of any list.
		{ days: 200, faults: [cutAt(50), cutAt(99.9), ...faults.filter((fault) => fault.wellFormed)] },
	]);
}
