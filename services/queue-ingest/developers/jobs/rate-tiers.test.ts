import { expect, it } from "vitest";
import { tierOf } from "./rate-tiers.ts";

it.each([
	[{ operatingMw: 0, plannedMw: 0, utilityMw: 0 }, "unknown"],
	[{ operatingMw: 0, plannedMw: 20, utilityMw: 0 }, "independent"],
	[{ operatingMw: 300, plannedMw: 199, utilityMw: 0 }, "independent"],
	[{ operatingMw: 300, plannedMw: 200, utilityMw: 0 }, "mid_platform"],
	[{ operatingMw: 1_999, plannedMw: 5_000, utilityMw: 0 }, "mid_platform"],
	[{ operatingMw: 2_000, plannedMw: 0, utilityMw: 1_000 }, "major_ipp"],
	[{ operatingMw: 100, plannedMw: 0, utilityMw: 100 }, "major_utility"],
] as const)("of %o it is %s", (fleet, tier) => {
	expect(tierOf(fleet)).toBe(tier);
});
