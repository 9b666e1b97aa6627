/** Replays broken files on a feed: whatever they are, they withdraw no request. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { type QueueFeed, queueFile, queueRows } from "../support/queue-files.ts";
import { type Fault, faultsOf } from "./broken-files.ts";
import { daysLater, expectHarmless, expectRecovery, nextFile, openWorld, stateOf, type World } from "./ingest-world.ts";

/** Faults so many days after the good list. */
export type Plan = { days: number; faults: Fault[] }[];

export async function replay(feed: QueueFeed, layout: string, plan: Plan): Promise<void> {
	const good = await queueFile(feed, queueRows(feed), { layout });
	describe(`${feed} (${layout}): a list`, () => {
		let world: World;
		beforeAll(async () => {
			world = await openWorld(feed, good);
		});
		afterAll(() => world?.[Symbol.asyncDispose]());

		describe.each(plan)("$days days after the good one", ({ days, faults }) => {
			it.each(faultsOf(good, feed, faults))("$title withdraws no request", async ({ make, mayApply = false }) => {
				const broken = await make(good, feed);
				const before = await stateOf(world.sql);
				const result = await world.ingest(broken, daysLater(days));
				await expectHarmless(world, before, result, { mayApply });
				if (result.outcome !== "applied") return;
				await expectReturn(world, await nextFile(feed, layout), daysLater(days + 1));
				await world[Symbol.asyncDispose]();
				world = await openWorld(feed, good);
			});
		});

		it("that is whole again is taken in for what it is, and so are other operators'", async () => {
			const next = await world.ingest(await nextFile(feed, layout), daysLater(201));
			await expectRecovery(world, next, daysLater(201));
		});
	});
}

/** A list was applied with rows missing: they are back with the next one, and their absence was not published. */
async function expectReturn(world: World, next: IncomingFile, asOf: string): Promise<void> {
	expect(await world.ingest(next, asOf)).toMatchObject({ outcome: "applied", withdrawn: 0, disappeared: 0 });
	expect(await stateOf(world.sql)).toMatchObject({ withdrawals: 0, disappeared: 0 });
	const [missing] = await world.sql<{ n: number }[]>`
		select count(*) as n from projects where missing_since is not null`;
	expect(missing?.n).toBe(0);
}
