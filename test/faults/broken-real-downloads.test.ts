/** Broken copies of each operator's newest real list withdraw no request. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { snapshotFiles } from "../../services/queue-ingest/queues/jobs/load-folder.ts";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { type QueueFeed, queueFeeds } from "../support/queue-files.ts";
import { cutAt, cutBetweenLines, type Fault, faults, faultsOf } from "./broken-files.ts";
import { daysLater, expectHarmless, openWorld, stateOf, type World } from "./ingest-world.ts";
import { hasRealData, realData } from "./real-lists.ts";

/** Those that are made of the list itself: what has nothing of it is refused alike beside the small lists, in broken-downloads.test.ts. */
const titles = /^(with half|whose required column [12])/;
const chosen: Fault[] = [cutAt(60), cutAt(99.9), ...faults.filter(({ title }) => titles.test(title))];
const later: Fault[] = faults.filter(({ title }) => /^with half/.test(title));
/** The guard accepts a loss of 2 % from a list that keeps finished requests, of 8 % from any other. */
const slight = cutBetweenLines(98.5);

/** Feeds without a real list here: there is a sample of Bonneville's line and load requests, and nothing of SPP's summary. */
const withoutRealList: ReadonlySet<QueueFeed> = new Set(["bpa-line-load", "spp-summary"]);

async function newestOf(feed: QueueFeed): Promise<{ feed: QueueFeed; good: IncomingFile }[]> {
	const newest = (await snapshotFiles(realData)).files.filter(({ source }) => source.feed === feed).at(-1);
	if (newest === undefined && withoutRealList.has(feed)) return [];
	if (newest === undefined) throw new Error(`${realData} holds no file of ${feed}`);
	const { path } = newest;
	return [{ feed, good: { name: basename(path), path, bytes: await readFile(join(realData, path)) } }];
}

const lists = hasRealData ? (await Promise.all(queueFeeds.map(newestOf))).flat() : [];
if (!hasRealData) test.skip("the newest real lists: there are none here");

// A text file that keeps finished requests stands for all in CI.
for (const { feed, good } of lists)
	describe(`${feed}: the newest real list`, { tags: feed === "spp" ? [] : ["campaign"] }, () => {
		let world: World;
		beforeAll(async () => {
			world = await openWorld(feed, good);
		});
		afterAll(() => world?.[Symbol.asyncDispose]());

		const ofThis = (some: Fault[], days: number) => faultsOf(good, feed, some).map((fault) => ({ ...fault, days }));
		const cases = [...ofThis(chosen, 1), ...ofThis(later, 200)];
		it.each(cases)("$title withdraws no request after $days days", async ({ make, days }) => {
			const broken = await make(good, feed);
			const before = await stateOf(world.sql);
			await expectHarmless(world, before, await world.ingest(broken, daysLater(days)));
		});

		it.each(faultsOf(good, feed, [slight]))(
			"$title publishes nothing, and nothing is missing after a complete download",
			async ({ make }) => {
				const broken = await make(good, feed);
				const before = await stateOf(world.sql);
				const result = await world.ingest(broken, daysLater(1));
				await expectHarmless(world, before, result, { mayApply: true });
				await world.ingest(good, daysLater(2));
				const [after] = await world.sql<{ missing: number; changes: number }[]>`
			select (select count(*) from projects where missing_since is not null) as missing, (select count(*) from changes where change_type not in ('first_listed', 'raw_update')) as changes`;
				expect(after).toEqual({ missing: 0, changes: 0 });
				expect(await stateOf(world.sql)).toMatchObject({ served: before.served, statuses: before.statuses });
			},
		);
	});
