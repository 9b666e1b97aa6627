import { expect, test } from "vitest";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import { Outage } from "./log.ts";

test("an outage of queue-ingest is brief for a minute from the first failure; other failures are not outages", () => {
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
