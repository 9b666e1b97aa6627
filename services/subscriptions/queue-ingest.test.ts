import { expect, test } from "vitest";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import { Outage } from "./queue-ingest.ts";

test("an outage of queue-ingest is tolerated for a minute after its first failure; other errors are not tolerated", () => {
	let now = 0;
	const outage = new Outage(() => now);
	expect(outage.tolerate(unavailable("away"))).toBe(true);
	now = 59_999;
	expect(outage.tolerate(unavailable("away"))).toBe(true);
	expect(outage.tolerate(new AppError(500, "broken"))).toBe(false);
	expect(outage.tolerate(new Error("broken"))).toBe(false);
	now = 60_000;
	expect(outage.tolerate(unavailable("away"))).toBe(false);
	outage.end();
	expect(outage.tolerate(unavailable("away"))).toBe(true);
});
