import { test } from "vitest";
import { expectNothingLost } from "./support/kills.ts";

test("a receiver that fails every third delivery has each change, in order, through ten kills of all that lies before it", async () => {
	await expectNothingLost(10);
}, 600_000);
