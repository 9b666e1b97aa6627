/** Each is killed at least once, and lists go on until all types of changes were made; a hundred kills: kills.long.test.ts. */
import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery has each change, in order, through seven kills of all that lies before it", async () => {
	await expectNothingLost(7);
}, 600_000);
