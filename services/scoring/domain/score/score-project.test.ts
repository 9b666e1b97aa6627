import { describe, expect, test } from "vitest";
import { aboutOf, factsOf, inputs, tablesWith, today } from "../../../../test/scoring/support/score-inputs.ts";
import type { ProjectFacts } from "../facts.ts";
import { inputsOf } from "./inputs.ts";
import { chanceWithin, scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";

const tables = tablesWith(0.6);
const scored = (changed: Partial<ScoreInputs> = {}) => scoreProject(inputs(changed), tables);
const points = (changed: Partial<ScoreInputs>, name: keyof ReturnType<typeof scored>["components"]) =>
	scored(changed).components[name].score;

describe("the score", () => {
	test("is the weighted sum of the five components", () => {
		// 0.70*60 + 0.05*50 + 0.10*80 + 0.10*90 + 0.05*30 = 63
		const score = scored({ duplicate: true });
		expect(score).toMatchObject({ scored: true, score: 63, grade: "A", investable: true });
		const { milestone_progress, ...others } = score.components;
		expect(milestone_progress).toMatchObject({ score: 60, weight: 0.7 });
		expect(others).toEqual({
			iso_posture: { score: 50, weight: 0.05, value: "no usable record of ERCOT's requests" },
			tax_credit_value: { score: 80, weight: 0.1, value: "40 % investment tax credit" },
			deal_cleanliness: { score: 90, weight: 0.1, value: "likely duplicate of another request" },
			developer_tier: { score: 30, weight: 0.05, value: "developer tier unknown" },
		});
	});

	test.each([
		[0.12, 56, "ERCOT requests do 12 percentage points better than similar requests elsewhere"],
		[0.01, 51, "ERCOT requests do 1 percentage point better than similar requests elsewhere"],
		[-0.03, 49, "ERCOT requests do 3 percentage points worse than similar requests elsewhere"],
		[0.004, 50, "ERCOT requests do as well as similar requests elsewhere"],
	])(
		"the operator's record is the difference (%s) between the chance of its requests and that of others",
		(lead, score, value) => {
			const { iso_posture } = scoreProject(inputs(), {
				...tables,
				model: { ...tables.model, leads: { ERCOT: lead } },
			}).components;
			expect(iso_posture).toMatchObject({ score, value });
		},
	);

	test("the chance within any number of months comes from the same model", () => {
		expect(chanceWithin(inputs(), tables, 36)).toBeCloseTo(0.6, 9);
		expect(chanceWithin(inputs(), tables, 18)).toBeCloseTo(1 - 0.4 ** 0.5, 9);
		expect(chanceWithin(inputs({ milestone: "suspended" }), tables, 18)).toBeNull();
		expect(chanceWithin(inputs({ region: "NYISO" }), tables, 18)).toBeNull();
	});

	test("the chance of a plant that the EIA lists as under construction counts from its list", () => {
		const built = inputs({ construction_reported: "2027-03-01" });
		const alone = chanceWithin(inputs(), tables, 24) ?? 0;
		expect(chanceWithin(built, tables, 17)).toBe(chanceWithin(inputs(), tables, 17));
		expect(chanceWithin(built, tables, 24)).toBeCloseTo(1 - 0.16 * (1 - alone), 9);
		expect(scoreProject(built, tables)).toMatchObject({
			chances: { p_cod_36: { value: 0.936 } },
			components: {
				milestone_progress: { score: 94, value: expect.stringContaining("as the EIA lists it (2027-03)") },
			},
		});
	});
});

describe("grades and investable requests", () => {
	test("grades begin at the version's limits", () => {
		const from = new Map(tables.grades.map(({ grade, from }) => [grade, from]));
		const only = { milestone_progress: 1, iso_posture: 0, tax_credit_value: 0, deal_cleanliness: 0, developer_tier: 0 };
		const graded = (of: number) => scoreProject(inputs(), { ...tablesWith(of / 100), weights: only }).grade;
		expect(graded(from.get("A") ?? 0)).toBe("A");
		expect(graded((from.get("A") ?? 0) - 1)).toBe("B");
		expect(graded(1)).toBe("F");
	});

	test("a request whose date had passed on its list's day is not investable, even under construction", () => {
		const late = factsOf({ construction_stage: "construction", ia_status: "Construction", cod: "2022-08-01" });
		const judged = scoreProject(inputsOf(late, aboutOf(), today), tables);
		expect(judged).toMatchObject({ scored: true, investable: false, candidate: { eligible: false } });
		const ahead = scoreProject(inputsOf({ ...late, cod: "2027-08-01" }, aboutOf(), today), tables);
		expect(ahead.candidate.eligible).toBe(true);
	});

	test.each<[Partial<ProjectFacts>, string]>([
		[{ plant_state: "energized", construction_stage: "construction" }, "the plant is connected"],
		[{ plant_state: "operating" }, "the plant operates"],
		[{ plant_state: "partially_operating" }, "the plant operates"],
		[{ status_flag: "void_window" }, "the request is void by its operator's process"],
		[{ request_class: "replacement" }, "the request uses the rights of an existing plant"],
		[{ request_class: "surplus" }, "the request uses the rights of an existing plant"],
		[{ request_class: "capacity_rights" }, "the request uses the rights of an existing plant"],
	])("investable is false for %j", (facts, reason) => {
		const score = scoreProject(inputsOf(factsOf(facts), aboutOf(), today), tables);
		expect(score).toMatchObject({ scored: false, score: 0, investable: false, chances: null });
		expect(score.explanation).toContain(`Not scored: ${reason}`);
	});

	test("investable is possible for a modification, and for a plant under construction", () => {
		for (const facts of [{ request_class: "modification" }, { plant_state: "under_construction" }] as const)
			expect(scoreProject(inputsOf(factsOf(facts), aboutOf(), today), tables).scored).toBe(true);
	});

	test("a suspended request is scored without a chance, and never investable", () => {
		const suspended = scored({ status: "Suspended", stage: "suspended", milestone: "suspended" });
		// 2.5 + 8 + 10 + 1.5
		expect(suspended).toMatchObject({ scored: true, score: 22, investable: false, chances: { reason: "suspended" } });
	});
});

describe("requests that are not scored", () => {
	test.each([
		[{ status: "Withdrawn", stage: "withdrawn" }, "the request was withdrawn"],
		[{ status: "Operational", stage: "operational" }, "the request is in operation"],
		[{ kind: "load" }, "a request for load, not for generation"],
		[{ kind: "transmission", status: "Withdrawn" }, "a request for transmission, not for generation"],
	] as const)("%j has score 0, grade F, is not investable, and has a reason", (changed, reason) => {
		const score = scored(changed);
		expect(score).toMatchObject({ scored: false, score: 0, grade: "F", investable: false, deductions: [] });
		expect(score.explanation).toBe(`Not scored: ${reason}. Score version 7; not investment advice.`);
		for (const [name, component] of Object.entries(score.components))
			expect(component).toEqual({ score: 0, weight: tables.weights[name as "iso_posture"], value: "not scored" });
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
	])("for a rate of %j is %i", (credit_rate, worth) => {
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
	test("gains or loses ten points by its record, even with an unknown tier", () => {
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
