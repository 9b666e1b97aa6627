import { expect, test } from "vitest";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import { Outage } from "./log.ts";

test("a minute without queue-ingest is brief, from the first failure on; another failure is none of it", () => {
	let now = 0;
	const outage = new Outage(() => now);
	expect(outage.isBrief(unavailable("away"))).toBe(true);
	now = 59_999;
	expect(outage.isBrief(unavailable("away"))).toBe(true);
	expect(outage.isBrief(new AppError(500, "broken"))).toBe(false);
	expect(outage.isBrief(new Error("broken"))).toBe(false);
	now = 60_000;
	expect(outage.isBrief(unavailable("away"))).toBe(false);
	outage.end();
	expect(outage.isBrief(unavailable("away"))).toBe(true);
});
