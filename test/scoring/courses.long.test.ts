/** More random histories of events. */
import { test } from "vitest";
import { expectAllMarked, expectSameOutcome, few, many } from "./support/order.ts";
import { openScoring } from "./support/scoring.ts";
import { expectNoCircle } from "./support/two-workers.ts";

test.each([1, 2, 3, 4, 5])("a single event enqueues everything that it changes (course %i)", async (seed) => {
	await using service = await openScoring();
	await expectAllMarked(service, seed);
});

test.each([
	[1, few, 60],
	[2, few, 60],
	[3, few, 100],
	[4, many, 200],
	[5, many, 200],
])("events have the same result in any order (course %i)", async (seed, sizes, events) => {
	await using service = await openScoring();
	await expectSameOutcome(service, seed, sizes, events);
});

test.each([1, 2, 3])("two workers and two consumers do not deadlock (course %i)", async (seed) => {
	await using service = await openScoring();
	await expectNoCircle(service, seed);
});
