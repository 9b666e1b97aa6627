import { describe, expect, test } from "vitest";
import { aboutOf, factsOf, inputs, today } from "../../../../test/scoring/support/score-inputs.ts";
import type { ProjectFacts } from "../facts.ts";
import { inputsOf } from "./inputs.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";
import { version1 } from "./versions/1.ts";
import { version3 } from "./versions/3.ts";

const scored = (changed: Partial<ScoreInputs> = {}) => scoreProject(inputs(changed), version1);
const points = (changed: Partial<ScoreInputs>, name: keyof ReturnType<typeof scored>["components"]) =>
	scored(changed).components[name].score;

describe("the score", () => {
	test("is the weighted sum of the five components", () => {
		// 0.45*70 + 0.15*74 + 0.15*80 + 0.15*85 + 0.10*30 = 70.35
		const score = scored({ cod_position: "past" });
		expect(score).toMatchObject({ scored: true, score: 70, grade: "B", investable: false });
		expect(score.components).toEqual({
			milestone_progress: { score: 70, weight: 0.45, value: "interconnection agreement executed and secured" },
			iso_posture: { score: 74, weight: 0.15, value: "ERCOT's record of finishing requests" },
			tax_credit_value: { score: 80, weight: 0.15, value: "40 % investment tax credit" },
			deal_cleanliness: { score: 85, weight: 0.15, value: "projected date past" },
			developer_tier: { score: 30, weight: 0.1, value: "developer tier unknown" },
		});
	});

	test("is rounded half up, where binary fractions make less of the half as well", () => {
		// 31.5 + 7.5 + 9 + 15 + 6.5 = 69.5
		expect(scored({ region: "ISO-NE", credit_rate: 0.3, developer_tier: "pe_fund" }).score).toBe(70);
		// 4.5 + 8.55 + 14.4 + 11.55 + 7.5 = 46.5, in binary 46.49999999999999
		const faults = { cod_position: "past", distress: "Elevated" } as const;
		const early = { milestone: "not_started", region: "PJM", credit_rate: 0.48, developer_tier: "oil_major" } as const;
		expect(scored({ ...early, ...faults }).score).toBe(47);
	});

	test("reaches neither 0 nor 100 in version 1", () => {
		const best = scored({
			milestone: "construction",
			stage: "construction",
			credit_rate: 0.6,
			developer_tier: "major_utility",
			developer_record: "above",
		});
		// 40.5 + 11.1 + 15 + 15 + 10
		expect(best).toMatchObject({ score: 92, grade: "A", investable: true });
		const worst = scored({
			milestone: "not_started",
			stage: "early",
			has_ia: false,
			region: "CAISO",
			credit_rate: 0,
			credit_type: null,
			cod_position: "past",
			cod_slip: "12_months_or_more",
			queue_age: "over_4_years",
			poi: false,
			located: false,
			high_ic_cost: true,
			developer_record: "below",
		});
		// 4.5 + 5.25 + 0 + 0 + 2
		expect(worst).toMatchObject({ score: 12, grade: "F", investable: false });
	});

	// 31.5 + 11.1 + 12 + 15 = 69.6, and a tenth of the tier's points
	test.each([
		["major_utility", 79],
		["major_ipp", 78],
		["oil_major", 77],
		["mid_platform", 77],
		["pe_fund", 76],
		["independent", 74],
		["unknown", 73],
	] as const)("of the same request is %s's %i", (developer_tier, score) => {
		expect(scored({ developer_tier })).toMatchObject({ score, grade: "B" });
	});

	test("refuses codes without points in the version", () => {
		const stored = inputs({ milestone: "phase_9" as ScoreInputs["milestone"] });
		expect(() => scoreProject(stored, version1)).toThrow("version 1 cannot score");
	});
});

describe("grades and what is investable", () => {
	test("begin at 80, 65, 50 and 35", () => {
		const only = { milestone_progress: 1, iso_posture: 0, tax_credit_value: 0, deal_cleanliness: 0, developer_tier: 0 };
		const graded = (of: number) =>
			scoreProject(inputs(), {
				...version1,
				weights: only,
				milestones: { ...version1.milestones, agreement_secured: of },
			});
		const grades = [100, 80, 79, 65, 64, 50, 49, 35, 34, 0].map((of) => graded(of).grade);
		expect(grades).toEqual(["A", "A", "B", "B", "C", "C", "D", "D", "F", "F"]);
		expect([65, 64].map((of) => graded(of).investable)).toEqual([true, false]);
	});

	test("a request whose date had passed on the day of its list is not investable, under construction too", () => {
		const late = factsOf({ construction_stage: "construction", ia_status: "Construction", cod: "2022-08-01" });
		const judged = scoreProject(inputsOf(late, aboutOf(), today), version1);
		expect(judged).toMatchObject({ scored: true, investable: false, eligible: false });
		expect(judged.explanation).toContain("Its projected date had passed on the day of the list, so not investable.");
		expect(scoreProject(inputsOf({ ...late, cod: "2027-08-01" }, aboutOf(), today), version1).eligible).toBe(true);
	});

	test.each<[Partial<ProjectFacts>, string]>([
		[{ plant_state: "energized", construction_stage: "construction" }, "the plant is connected"],
		[{ plant_state: "operating" }, "the plant operates"],
		[{ plant_state: "partially_operating" }, "the plant operates"],
		[{ status_flag: "void_window" }, "the request is void by its operator's process"],
		[{ request_class: "replacement" }, "the request uses the rights of an existing plant"],
		[{ request_class: "surplus" }, "the request uses the rights of an existing plant"],
		[{ request_class: "capacity_rights" }, "the request uses the rights of an existing plant"],
	])("is not given to %j", (facts, reason) => {
		const score = scoreProject(inputsOf(factsOf(facts), aboutOf(), today), version3);
		expect(score).toMatchObject({ scored: false, score: 0, investable: false, eligible: false, chance: null });
		expect(score.explanation).toContain(`Not scored: ${reason}`);
	});

	test("is given to a modification, and to a plant under construction", () => {
		for (const facts of [{ request_class: "modification" }, { plant_state: "under_construction" }] as const)
			expect(scoreProject(inputsOf(factsOf(facts), aboutOf(), today), version3).scored).toBe(true);
	});

	test("of inputs from before, a request whose date has passed is not investable, unless it is being built", () => {
		expect(scored({ cod_position: "ahead" }).investable).toBe(true);
		expect(scored({ cod_position: "none" }).investable).toBe(true);
		const overdue = scored({ cod_position: "past" });
		expect(overdue).toMatchObject({ score: 70, investable: false });
		expect(overdue.explanation).toContain("Its projected date had passed on the day of the list, so not investable.");
		expect(scored({ cod_position: "past", stage: "construction", milestone: "construction" }).investable).toBe(true);
	});

	test("an early request is not investable whatever its score, and says so", () => {
		const early = scored({ stage: "early" });
		expect(early).toMatchObject({ score: 73, investable: false });
		expect(early.explanation).toContain("Not investable at stage early.");
		expect(scored({ stage: "mid" }).investable).toBe(true);
		expect(scored({ stage: "construction" }).investable).toBe(true);
	});

	test("a suspended request is scored and never investable", () => {
		const suspended = scored({ status: "Suspended", stage: "suspended", milestone: "suspended" });
		// 6.75 + 11.1 + 12 + 15 + 3 = 47.85
		expect(suspended).toMatchObject({ scored: true, score: 48, grade: "D", investable: false });
		expect(suspended.explanation).toContain("Suspended, so not investable.");
		expect(scored({ status: "Suspended" }).investable).toBe(false);
	});
});

describe("what is not scored", () => {
	test.each([
		[{ status: "Withdrawn", stage: "withdrawn" }, "the request was withdrawn"],
		[{ status: "Operational", stage: "operational" }, "the request is in operation"],
		[{ kind: "load" }, "a request for load, not for generation"],
		[{ kind: "transmission", status: "Withdrawn" }, "a request for transmission, not for generation"],
	] as const)("%j: 0, F, not investable, and why", (changed, reason) => {
		const score = scored(changed);
		expect(score).toMatchObject({ scored: false, score: 0, grade: "F", investable: false, deductions: [] });
		expect(score.explanation).toBe(`Not scored: ${reason}. Score version 1; not investment advice.`);
		for (const [name, component] of Object.entries(score.components))
			expect(component).toEqual({ score: 0, weight: version1.weights[name as "iso_posture"], value: "not scored" });
	});
});

describe("the tax credit's value", () => {
	test.each([
		[0.5, 100],
		[0.6, 100],
		[0.4, 80],
		[0.3, 60],
		[0.29, 58],
		[0.1, 20],
		[0, 0],
		[null, 0],
	])("of a rate of %j is %i", (credit_rate, worth) => {
		expect(points({ credit_rate }, "tax_credit_value")).toBe(worth);
	});

	test("is half for a conditional credit before construction", () => {
		expect(points({ credit_conditional: true, credit_rate: 0.3 }, "tax_credit_value")).toBe(30);
		expect(points({ credit_conditional: true, credit_rate: 0.6 }, "tax_credit_value")).toBe(50);
		const building = { credit_conditional: true, credit_rate: 0.3, milestone: "construction" } as const;
		expect(points(building, "tax_credit_value")).toBe(60);
	});

	test("is stated in words", () => {
		const value = (changed: Partial<ScoreInputs>) => scored(changed).components.tax_credit_value.value;
		expect(value({ credit_rate: null })).toBe("tax credit not determined");
		expect(value({ credit_rate: 0, credit_type: null })).toBe("no tax credit");
		expect(value({ credit_rate: 0.225 })).toBe("22.5 % investment tax credit");
		expect(value({ credit_type: "PTC" })).toBe("production tax credit worth 40 % as an investment credit");
		expect(value({ credit_conditional: true })).toBe("40 % investment tax credit, conditional and counted at 50 %");
		const building = { credit_conditional: true, milestone: "construction" } as const;
		expect(value(building)).toBe("40 % investment tax credit, conditional");
	});
});

describe("the developer", () => {
	test("gains or loses ten points by its own record, an unknown one too", () => {
		expect(points({ developer_tier: "major_utility", developer_record: "above" }, "developer_tier")).toBe(100);
		expect(points({ developer_tier: "pe_fund", developer_record: "below" }, "developer_tier")).toBe(55);
		expect(points({ developer_record: "below" }, "developer_tier")).toBe(20);
		expect(points({ developer_record: "usual" }, "developer_tier")).toBe(30);
		expect(points({ developer_record: "too_few" }, "developer_tier")).toBe(30);
	});

	test("is stated in words", () => {
		const { developer_tier } = scored({ developer_tier: "major_ipp", developer_record: "above" }).components;
		expect(developer_tier.value).toBe("major independent power producer, building more of its requests than is usual");
	});
});
