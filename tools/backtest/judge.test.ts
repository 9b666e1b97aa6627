import { describe, expect, it } from "vitest";
import { scoreComponents } from "../../libs/contract/vocabulary.ts";
import { version2 } from "../../services/scoring/domain/score/versions/2.ts";
import { describeGrades, describeOrder } from "./describe.ts";
import { judgeHeldOut } from "./judge.ts";
import type { Fate } from "./outcomes.ts";
import type { Scored } from "./samples.ts";
import { areaOf, seriesOf, type Version, within } from "./series.ts";

const request = (score: number, milestone: number, fate: Fate, more: Partial<Scored> = {}): Scored => ({
	region: "PJM",
	cluster: `PJM ${score % 3}`,
	fate,
	components: {
		...(Object.fromEntries(scoreComponents.map((name) => [name, 50])) as Scored["components"]),
		milestone_progress: milestone,
	},
	score,
	grade: "C",
	...more,
});
const versionOf = (...requests: Scored[]): Version[] => [{ name: "version 2", tables: version2, requests }];

/** The score puts the first in their right order, the milestone all but one. */
const better = [request(60, 20, "open"), request(70, 70, "built"), request(40, 45, "lost"), request(30, 10, "lost")];
const worse = better.map((each) => ({ ...each, score: 100 - each.score }));
const kept = "kept (built or open)";

describe("the verdict", () => {
	it("is passed where the score orders better than each component, and says so", () => {
		const { passed, text } = judgeHeldOut("Title", seriesOf(versionOf(...better), kept));
		expect([...passed]).toEqual(["one region", "all"]);
		expect(text).toContain("Over all pairs version 2 beats each component alone.");
	});

	it("is not passed where a component orders as well or better, and names it", () => {
		const { passed, text } = judgeHeldOut("Title", seriesOf(versionOf(...worse), kept));
		expect(passed.size).toBe(0);
		expect(text).toContain("Over all pairs version 2 does NOT beat milestone, posture, tax credit, cleanliness, tier.");
		const level = better.map((each) => ({ ...each, score: each.components.milestone_progress }));
		expect(judgeHeldOut("Title", seriesOf(versionOf(...level), kept)).text).toContain("does NOT beat milestone.");
	});

	it("may differ between all pairs and those of one region", () => {
		const elsewhere = better.map((each) => ({
			...each,
			region: "SPP" as const,
			cluster: "SPP 1",
			fate: "open" as const,
		}));
		const low = elsewhere.map((each) => ({ ...each, score: 1 }));
		const { passed } = judgeHeldOut("Title", seriesOf(versionOf(...better, ...low), kept));
		expect([...passed]).toEqual(["one region"]);
	});
});

it("a region's series holds its requests alone", () => {
	const elsewhere = worse.map((each) => ({ ...each, region: "SPP" as const, cluster: "SPP 1" }));
	const series = seriesOf(versionOf(...better, ...elsewhere), kept);
	expect(areaOf(within(series, "PJM"), "version 2", "all")).toBe(1);
	expect(areaOf(within(series, "SPP"), "version 2", "all")).toBe(0);
});

it("regions where the milestone alone orders better are named", () => {
	expect(describeOrder("2024", versionOf(...better))).toContain("Nowhere here does milestone alone order better");
	expect(describeOrder("2024", versionOf(...worse))).toMatch(
		/Milestone alone orders better than version 2 in: pairs of one region \(by \+0\.750, .*\), all pairs .*, PJM\./,
	);
});

it("a grade that was lost less often than the one above it is named", () => {
	const graded = (grade: Scored["grade"], ...fates: Fate[]) => fates.map((fate) => request(50, 50, fate, { grade }));
	const falling = [...graded("A", "open", "lost"), ...graded("C", "open", "open"), ...graded("F", "lost", "unknown")];
	expect(describeGrades("2024", versionOf(...falling))).toContain("version 2: C was lost less often than A.");
	const rising = [...graded("A", "open", "built"), ...graded("D", "open", "lost"), ...graded("F", "lost")];
	expect(describeGrades("2024", versionOf(...rising))).toContain('"lost" never falls');
});
