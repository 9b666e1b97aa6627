/** A hundred kills, each kind at least once: kills.long.test.ts. */
import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery has each change, in order, through two kills of what lies before it", () =>
	expectNothingLost(2));
