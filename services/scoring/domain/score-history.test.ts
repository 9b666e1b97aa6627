import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Reply } from "#libs/contract/index.ts";
import { fittedPeriods } from "#libs/contract/vocabulary.ts";
import { currentVersion } from "./score/version.ts";
import { isInSample } from "./score-history.ts";

const { score_version, fitted } = JSON.parse(
	readFileSync(new URL("./score/backtest.json", import.meta.url), "utf8"),
) as Reply<"getScoreBacktest">;

test("the current version states the lists that its model was fitted on", () => {
	expect(score_version).toBe(currentVersion);
	expect(fittedPeriods[score_version]).toEqual({
		from: fitted.map(({ from }) => from).sort()[0],
		to: fitted
			.map(({ to }) => to)
			.sort()
			.at(-1),
	});
});

test("a day after the last list that a version was fitted on is out of its sample", () => {
	expect(isInSample(3, "2026-07-20")).toBe(true);
	expect(isInSample(3, "2026-07-21")).toBe(false);
	expect(isInSample(1, "2025-06-01")).toBe(false);
});
