/**
 * Broken files of every operator. Structural damage is refused by the reader alone; a database is needed only for what the guards decide. Every
 * fault through the database, at both ages and in every layout: broken-downloads.long.test.ts.
 */
import { describe, expect, it, test } from "vitest";
import { recognise } from "../../services/queue-ingest/queues/jobs/recognise.ts";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import { queueFeeds, queueFile, queueLayouts, queueRows } from "../support/queue-files.ts";
import { cutAt, cutBetweenLines, type Fault, faults, faultsOf, isCsv } from "./broken-files.ts";
import { regionOf } from "./ingest-world.ts";
import { replay } from "./replay.ts";

test("every list of every operator is replayed", () =>
	expect(new Set(queueFeeds)).toEqual(
		new Set(sources.filter(({ region }) => region !== null).map((source) => source.feed)),
	));

/** What the guards decide, however old the list before is. */
const decisive = /^(with half of its rows|without a row)$/;
/** Shows that what the reader refuses is quarantined. */
const refused = faults.filter(({ title }) => title === "that is an HTML page");

for (const feed of queueFeeds) {
	const [layout = ""] = queueLayouts(feed);
	const good = await queueFile(feed, queueRows(feed), { layout });
	// A CSV file that is cut can be a whole one with fewer rows.
	const isGuarded = ({ wellFormed, mayApply }: Fault) => wellFormed || (mayApply && isCsv(good));
	// A bomb is refused before a reader sees it, whosever the file is.
	const structural = faultsOf(good, feed, faults).filter(
		(fault) => !isGuarded(fault) && (feed === "caiso" || !fault.title.includes("bomb")),
	);
	const guarded = [cutAt(99.9), cutBetweenLines(99), ...faults.filter(({ title }) => decisive.test(title))];

	describe(`${feed}: a list`, () => {
		it.each(structural)("$title is refused by its reader", async ({ make }) => {
			const broken = await make(good, feed);
			const read = async () => (await recognise(regionOf(feed), broken)).parse(broken);
			await expect(read()).rejects.toThrow(/\S{3}/);
		});
	});
	await replay(feed, layout, [
		{ days: 1, faults: [...refused, ...guarded.filter(isGuarded)] },
		// Beyond three cadences of any list.
		{ days: 200, faults: guarded.filter(({ title }) => decisive.test(title)) },
	]);
}
