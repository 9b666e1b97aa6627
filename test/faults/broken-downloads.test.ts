/**
 * Broken files of every operator. The reader alone rejects structural damage; only the guards' decisions need a database, and
 * they judge rows, whatever the file: two lists are enough. broken-downloads.long.test.ts runs every fault through
 * the database, for every operator, 1 and 200 days after the good list, in every layout.
 */
import { describe, expect, it, test } from "vitest";
import { recognise } from "../../services/queue-ingest/queues/jobs/files/recognise.ts";
import { sources } from "../../services/queue-ingest/queues/sources/index.ts";
import { type QueueFeed, queueFeeds, queueFile, queueLayouts, queueRows } from "../support/queue-files.ts";
import { cutAt, cutBetweenLines, type Fault, faults, faultsOf, isCsv } from "./broken-files.ts";
import { regionOf } from "./ingest-world.ts";
import { replay } from "./replay.ts";

test("the selected faults exist", () => expect([refused.length, shared.length, lost.length]).toEqual([1, 4, 2]));

test("every list of every operator is replayed", () =>
	expect(new Set(queueFeeds)).toEqual(
		new Set(
			sources
				.filter(({ region, completes }) => region !== null && completes === undefined)
				.map((source) => source.feed),
		),
	));

/** Shows that what the reader refuses is quarantined. */
const refused = faults.filter(({ title }) => title === "that is an HTML page");
/** Faults that are refused before any operator's reader sees them, so one operator is enough. */
const shared = faults.filter(({ title }) => /bomb|another operator's workbook/.test(title));
/** Cuts at other places say no more about a reader. */
const cuts = [cutAt(20), cutAt(90)].map(({ title }) => title);
const isExtraCut = ({ title }: Fault) => title.startsWith("cut at") && !cuts.includes(title);
/** A list that keeps finished requests, and one that may lose them. */
const guardedFeeds: QueueFeed[] = ["miso", "spp"];
/** The guards decide, however old the list before is. */
const lost = faults.filter(({ title }) => /^(with half of its rows|without a row)$/.test(title));

for (const feed of queueFeeds) {
	const [layout = ""] = queueLayouts(feed);
	const good = await queueFile(feed, queueRows(feed), { layout });
	// A CSV file that is cut can be a whole one with fewer rows.
	const isGuarded = ({ wellFormed, mayApply }: Fault) => wellFormed || (mayApply && isCsv(good));
	const structural = faultsOf(good, feed, faults).filter(
		(fault) =>
			!isGuarded(fault) &&
			!isExtraCut(fault) &&
			(feed === "caiso" || !shared.includes(fault)) &&
			!/column [2-9]/.test(fault.title),
	);
	const guarded = [cutAt(99.9), cutBetweenLines(99), ...lost];

	describe(`${feed}: a list`, () => {
		it.each(structural)("$title is refused by the adapter", async ({ make }) => {
			const broken = await make(good, feed);
			const read = async () => (await recognise(regionOf(feed), broken)).parse(broken);
			await expect(read()).rejects.toThrow(/\S{3}/);
		});
	});
	if (!guardedFeeds.includes(feed)) continue;
	await replay(feed, layout, [
		{ days: 1, faults: [...refused, ...guarded.filter(isGuarded)] },
		// More than three publication intervals of any list.
		{ days: 200, faults: lost },
	]);
}
