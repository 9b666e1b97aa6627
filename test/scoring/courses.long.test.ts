/** More histories, with more requests of each compared. */
import { describe, test } from "vitest";
import { expectAnyOrder, expectScoresOfThen } from "./support/late-lists.ts";
import { expectAllMarked, expectSameOutcome, few, many } from "./support/order.ts";
import { expectRatingsOfDays, expectScoresOfDays, now } from "./support/scores-of-days.ts";
import { openScoring } from "./support/scoring.ts";
import { expectNoCircle } from "./support/two-workers.ts";

test.each([1, 3])(
	"scores as of every day do not depend on the order in which lists came, nor on that of the events (%i)",
	(seed) => expectAnyOrder(seed, 5),
);

test.each([2, 5])(
	"after any change scores are those that were said when it was the newest, whatever came later (%i)",
	(seed) => expectScoresOfThen(seed, 5),
);

describe.each([1, 2, 3])("as of each day of history %i", (seed) => {
	test("a developer is rated by what was known of it", async () => {
		await using service = await openScoring(now);
		await using then = await openScoring(now);
		await expectRatingsOfDays({ service, then }, seed, 40);
	});

	test("requests are scored by its facts", async () => {
		await using service = await openScoring(now);
		await using then = await openScoring(now);
		await expectScoresOfDays({ service, then }, seed, 12);
	});
});

test.each([1, 2, 3, 4, 5])("a single event marks all that it changes (course %i)", async (seed) => {
	await using service = await openScoring();
	await expectAllMarked(service, seed);
});

test.each([
	[1, few, 60],
	[2, few, 60],
	[3, few, 100],
	[4, many, 200],
	[5, many, 200],
])("events in any order make what they make in order (course %i)", async (seed, sizes, events) => {
	await using service = await openScoring();
	await expectSameOutcome(service, seed, sizes, events);
});

test.each([1, 2, 3])("two workers beside two who deliver never wait in a circle (course %i)", async (seed) => {
	await using service = await openScoring();
	await expectNoCircle(service, seed);
});
