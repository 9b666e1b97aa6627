import { expect, test } from "vitest";
import { AppError, unavailable } from "#libs/contract/errors.ts";
import { Away } from "./log.ts";

test("a minute without queue-ingest is brief, from the first failure on; another failure is none of it", () => {
	let now = 0;
	const away = new Away(() => now);
	expect(away.isBrief(unavailable("away"))).toBe(true);
	now = 59_999;
	expect(away.isBrief(unavailable("away"))).toBe(true);
	expect(away.isBrief(new AppError(500, "broken"))).toBe(false);
	expect(away.isBrief(new Error("broken"))).toBe(false);
	now = 60_000;
	expect(away.isBrief(unavailable("away"))).toBe(false);
	away.isBack();
	expect(away.isBrief(unavailable("away"))).toBe(true);
});
