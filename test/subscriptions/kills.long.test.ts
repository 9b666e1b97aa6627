import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery gets each change in order through a hundred kills of every process before it", async () => {
	console.log(JSON.stringify(await expectNothingLost(100)));
});
