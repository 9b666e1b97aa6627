/** A hundred kills, each kind at least once: kills.long.test.ts. */
import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery gets each change in order through a kill of NATS", () =>
	expectNothingLost(1));
