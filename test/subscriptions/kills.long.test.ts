import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery has each change, in order, through a hundred kills of all that lies before it", async () => {
	console.log(JSON.stringify(await expectNothingLost(100)));
});
