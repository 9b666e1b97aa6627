/** More courses of lists, each of more lists and on every day. */
import { describe, test } from "vitest";
import { expectAnyOrder, operators } from "./support/any-order.ts";
import { expectSameDays } from "./support/learnt-names.ts";
import { expectAnswersOfThen, expectSumsOfLists } from "./support/past-answers.ts";

test.each([1, 2])("responses as of a day, or after its last change, equal those of that day (course %i)", (seed) =>
	expectAnswersOfThen(seed, 8),
);

test.each([3, 4])("responses as of a day match its lists after any late or retracted list (course %i)", (seed) =>
	expectSumsOfLists(seed, 8, true),
);

test.each([1, 2])("each day is the same, whenever a name's developer becomes known (course %i)", (seed) =>
	expectSameDays(seed, 8, true),
);

describe.each(operators)("%s", (of) => {
	test.each([1, 2, 3])("with lists loaded in another order (%i)", (seed) => expectAnyOrder(of, seed, 9, true));
});
