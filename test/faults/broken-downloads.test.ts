/** Broken files of every operator: whatever they are, they withdraw nobody. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IncomingFile } from "../../services/queue-ingest/jobs/archive.ts";
import { queueFeeds, queueFile, queueLayouts, queueRows } from "../support/queue-files.ts";
import { faults } from "./broken-files.ts";
import { daysLater, expectHarmless, expectRecovery, nextFile, openWorld, stateOf, type World } from "./ingest-world.ts";

const cases = queueFeeds.flatMap((feed) => queueLayouts(feed).map((layout) => ({ feed, layout })));
/** A day on every guard asks; beyond three cadences of any list only its structure and the number of its rows count. */
const ages = [1, 200];

describe.each(cases)("$feed ($layout): a list", ({ feed, layout }) => {
	let good: IncomingFile;
	let world: World;
	beforeAll(async () => {
		good = await queueFile(feed, queueRows(feed), { layout });
		world = await openWorld(feed, good);
	});
	afterAll(() => world?.[Symbol.asyncDispose]());

	describe.each(ages)("%d days after the good one", (days) => {
		it.each(faults)("$title withdraws nobody", async ({ make, mayApply = false }) => {
			const broken = await make(good, feed);
			if (broken === undefined) return;
			const before = await stateOf(world.sql);
			const result = await world.ingest(broken, daysLater(days));
			await expectHarmless(world, before, result, { mayApply });
			if (result.outcome !== "applied") return;
			// Applied with rows missing: they are back with the next list, and nothing was ever told of them.
			expect(await world.ingest(await nextFile(feed, layout), daysLater(days + 1))).toMatchObject({
				outcome: "applied",
				withdrawn: 0,
				disappeared: 0,
			});
			expect(await stateOf(world.sql)).toMatchObject({ withdrawals: 0, disappeared: 0 });
			await world[Symbol.asyncDispose]();
			world = await openWorld(feed, good);
		});
	});

	it("that is whole again is taken in for what it is, and so are other operators'", async () => {
		const next = await world.ingest(await nextFile(feed, layout), daysLater(201));
		await expectRecovery(world, next, daysLater(201));
	});
});
