/** Scores, credits and ratings of the bundled sample, through the gateway. */
import { describe, expect } from "vitest";
import { investableCriteria } from "#libs/contract/vocabulary.ts";
import type { Fragment } from "#libs/postgres/connect.ts";
import { investableCondition } from "../../services/scoring/domain/score/investable.ts";
import { problem } from "../support/problem.ts";
import { test, type World } from "../support/world.ts";

type Row = Record<string, unknown> & { id: string };
interface Page {
	data: Row[];
	meta: { total: number };
}

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

async function ask(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
	const response = await fetch(`${world.url}${path}`);
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const page = async (path: string): Promise<Page> => (await ask(path)).body as unknown as Page;

/** Every generation request, by its status. */
const requests = async (status: string): Promise<Row[]> => (await page(`/projects?per_page=500&status=${status}`)).data;

/** Energized, or of existing rights. */
const isExcluded = ({ plant_state, request_class }: Row): boolean =>
	plant_state === "energized" || request_class !== "new";

describe("scores", () => {
	test("every open request has one, with an explanation, and lists show the same numbers", async () => {
		const all = [...(await requests("Active")), ...(await requests("Suspended"))];
		const [closed, open] = [all.filter(isExcluded), all.filter((row) => !isExcluded(row))];
		expect(closed.length).toBeGreaterThan(0);
		for (const row of closed)
			expect((await ask(`/score/${encodeURIComponent(row.id)}`)).body).toMatchObject({ scored: false, p_cod_36: null });
		expect(open.length).toBeGreaterThan(20);
		for (const row of open) {
			const { body } = await ask(`/score/${encodeURIComponent(row.id)}`);
			expect([row.id, row.investability_score, row.investable]).toEqual([
				body.project_id,
				body.investability_score,
				body.investable,
			]);
			expect(body).toMatchObject({ scored: true, explanation: expect.stringMatching(/not investment advice/) });
			const components = Object.values(body.components as Record<string, { score: number; weight: number }>);
			expect(components).toHaveLength(5);
			const sum = components.reduce((total, { score, weight }) => total + score * weight, 0);
			expect(Math.abs(sum - Number(body.investability_score))).toBeLessThanOrEqual(0.5001);
		}
	});

	test("a closed request is not scored, and its explanation states why", async () => {
		for (const [status, words] of [
			["Withdrawn", /withdrawn/],
			["Operational", /in operation/],
		] as const) {
			const [row] = await requests(status);
			if (row === undefined) throw new Error(`the sample has no request that is ${status}`);
			expect(row).toMatchObject({ investability_score: null, tax_credit_pct: null, tax_credit_type: null });
			expect((await ask(`/score/${encodeURIComponent(row.id)}`)).body).toMatchObject({
				scored: false,
				investability_score: 0,
				investable: false,
				explanation: expect.stringMatching(words),
			});
		}
	});

	test("a request is found by any number that it was filed under, and by nothing else", async () => {
		const [row] = await requests("Active");
		const { body } = await ask(`/score/${encodeURIComponent(String(row?.queue_id))}?region=${row?.region}`);
		expect(body.project_id).toBe(row?.id);
		expect(await ask("/score/never-filed")).toEqual({
			status: 404,
			body: problem({ detail: expect.any(String), code: "not_found" }),
		});
	});

	test("/investable lists what the filter investable=true finds, best first", async () => {
		const { data, meta } = await page("/investable?per_page=200");
		const marked = await page("/projects?investable=true&per_page=500");
		expect(meta.total).toBe(marked.meta.total);
		expect(data.map(({ id }) => id).toSorted()).toEqual(marked.data.map(({ id }) => id).toSorted());
		const scores = data.map((row) => Number(row.investability_score));
		expect(scores).toEqual(scores.toSorted((a, b) => b - a));
		for (const row of data) {
			expect(Number(row.p_cod_36)).toBeGreaterThanOrEqual(0.5);
			expect(["late", "construction"]).toContain(row.construction_stage);
		}
		expect((await page("/investable?min_score=100")).data).toEqual([]);
	});

	test("a request is investable by the field as by the list's condition", async () => {
		const { scoringSql: sql } = world;
		const condition = investableCondition<Fragment>(sql, investableCriteria);
		const [counted] = await sql<{ rows: number; investable: number; differing: number }[]>`
			select count(*)::int as rows, count(*) filter (where investable)::int as investable,
				count(*) filter (where investable <> coalesce(${condition}, false))::int as differing
			from scores`;
		expect(counted).toMatchObject({ differing: 0 });
		expect(Math.min(counted?.investable ?? 0, (counted?.rows ?? 0) - (counted?.investable ?? 0))).toBeGreaterThan(0);
	});

	test("/projects filters and sorts by the score", async () => {
		const { data } = await page("/projects?min_score=40&sort=investability_score&order=desc&per_page=500");
		expect(data.length).toBeGreaterThan(3);
		const scores = data.map((row) => Number(row.investability_score));
		expect(Math.min(...scores)).toBeGreaterThanOrEqual(40);
		expect(scores).toEqual(scores.toSorted((a, b) => b - a));
	});
});

describe("credits", () => {
	test("/deals/itc lists requests that can claim the ITC, by expected value, and filters by rate and state", async () => {
		const { data } = await page("/deals/itc?per_page=200");
		expect(data.length).toBeGreaterThan(5);
		const valuesOf = (rows: Row[], name: string) => rows.map((row) => Number(row[name] ?? -1));
		const expected = valuesOf(data, "expected_credit_value");
		expect(expected).toEqual(expected.toSorted((a, b) => b - a));
		expect(expected.filter((value) => value > 0).length).toBeGreaterThan(5);
		for (const { p_credit, p_reason, ...row } of data)
			if (p_credit === null) expect([p_reason, row.expected_credit_value]).toEqual([expect.any(String), null]);
			else if (row.estimated_credit_value !== null)
				expect(row.expected_credit_value).toBe(Math.round(Number(p_credit) * Number(row.estimated_credit_value)));
		const unweighted = await page("/deals/itc?per_page=200&sort=estimated_credit_value");
		const values = valuesOf(unweighted.data, "estimated_credit_value");
		expect(values).toEqual(values.toSorted((a, b) => b - a));
		expect(values.toSorted()).toEqual(valuesOf(data, "estimated_credit_value").toSorted());
		const [{ id, p_credit, expected_credit_value, p_reason } = { id: "none" } as Row] = data;
		const stated = { p_credit, expected_credit_value, p_reason };
		expect((await ask(`/score/${id}`)).body).toMatchObject(stated);
		expect((await ask(`/projects/${id}/tax-credit`)).body).toMatchObject({ data: stated });
		// Open to the technology, and met by no plant as far as anything is published.
		for (const row of data)
			expect(row).toMatchObject({ domestic_content_eligible: null, domestic_content_basis: "technology" });
		const rate = Math.max(...data.map((row) => Number(row.effective_credit_rate)));
		const best = await page(`/deals/itc?min_rate=${rate}&per_page=200`);
		expect(best.data.length).toBeGreaterThan(0);
		expect(new Set(best.data.map((row) => row.effective_credit_rate))).toEqual(new Set([rate]));
		const texas = await page("/deals/itc?state=TX&per_page=200");
		expect(texas.data.map(({ id }) => id).toSorted()).toEqual(
			data
				.filter((row) => row.state === "TX")
				.map(({ id }) => id)
				.toSorted(),
		);
	});

	test("/stats sums the fields of the requests", async () => {
		const { data } = await page("/projects?per_page=500");
		const { body } = await ask("/stats");
		const credited = data.filter((row) => Number(row.tax_credit_pct) > 0);
		expect(body.data).toMatchObject({
			tax_credits: {
				eligible_projects: credited.length,
				energy_community_projects: data.filter((row) => row.energy_community_eligible).length,
				low_income_projects: data.filter((row) => row.low_income_eligible).length,
			},
		});
		const total = data.reduce((sum, row) => sum + Number(row.estimated_credit_value ?? 0), 0);
		const stated = (body.data as { tax_credits: { estimated_total_value: number } }).tax_credits.estimated_total_value;
		expect(Math.abs(stated - total)).toBeLessThanOrEqual(1);
		expect((await page("/projects?has_tax_credit=true&per_page=1")).meta.total).toBe(credited.length);
		const active = new Set((await page("/projects?active=true&per_page=500")).data.map(({ id }) => id));
		const file = await fetch(`${world.url}/export/scores?format=ndjson`);
		const lines = (await file.text()).trim().split("\n");
		const scores = lines
			.map((line) => JSON.parse(line) as Row)
			.filter(
				({ id, effective_credit_rate: rate, estimated_credit_value: value }) =>
					active.has(id) && Number(rate) > 0 && value !== null,
			);
		const sum = (rows: Row[], name: string) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
		const sums = (body.data as { tax_credits: { active: Record<string, number> } }).tax_credits.active;
		expect(sums.requests).toBe(scores.length);
		expect(sums.value).toBeCloseTo(sum(scores, "estimated_credit_value"), -1);
		expect(sums.expected_value).toBeCloseTo(sum(scores, "expected_credit_value"), -1);
		const without = scores.filter(({ p_credit }) => p_credit === null);
		expect(sums.without_chance_value).toBeCloseTo(sum(without, "estimated_credit_value"), -1);
		expect(sums.expected_value).toBeLessThan(Number(sums.value));
	});
});

const calculate = (query: string) => ask(`/tax-credits/calculate?${query}`);

describe("the calculator", () => {
	test("returns the worked examples for places in the sample's list, and names the notice", async () => {
		const losAngeles = "technology=Solar&capacity_mw=100&state=CA&county=Los%20Angeles";
		expect((await calculate(`${losAngeles}&cod_year=2027`)).body.data).toMatchObject({
			credit_type: "ITC",
			base_credit_pct: 0.3,
			base_rate: 0.3,
			effective_rate: 0.4,
			status: "eligible",
			estimated_credit_value: 63_520_000,
			warnings: expect.arrayContaining([expect.objectContaining({ code: "EC_LIST_PARTIAL" })]),
			bonuses: {
				energy_community: {
					eligible: true,
					status: "eligible",
					bonus_pct: 0.1,
					notice: expect.stringContaining("2026-39"),
				},
				domestic_content: { eligible: false },
				low_income: { eligible: false, status: "ineligible" },
			},
		});
		const domestic = await calculate(`${losAngeles}&cod_year=2027&domestic_content=true&construction_start=2026`);
		expect(domestic.body.data).toMatchObject({
			effective_rate: 0.5,
			bonuses: { domestic_content: { required_pct: 0.5 } },
		});
		const wind = "technology=Wind&capacity_mw=200&state=TX&county=Nueces&construction_start=2025&cod_year=2027";
		expect((await calculate(wind)).body.data).toMatchObject({
			credit_type: "PTC",
			effective_rate: 0.4,
			ptc_cents_per_kwh: 3.41,
		});
		const late = "technology=Solar&capacity_mw=100&state=FL&county=Broward&construction_start=2027&cod_year=2029";
		expect((await calculate(late)).body.data).toMatchObject({ effective_rate: 0, status: "terminated" });
	});

	test("returns unknown for a county that the list does not name", async () => {
		const { body } = await calculate("technology=Solar&capacity_mw=100&state=AL&county=Autauga&cod_year=2027");
		expect(body.data).toMatchObject({
			effective_rate: 0.3,
			bonuses: { energy_community: { eligible: false, status: "unknown" } },
		});
	});

	test("accepts the common names of a technology", async () => {
		const { body } = await calculate(
			"technology=bess&capacity_mw=50&state=TX&county=Harris&cod_year=2030&construction_start=2029",
		);
		expect(body.data).toMatchObject({ technology: "Storage", effective_rate: 0.4 });
	});

	test("states its assumptions", async () => {
		const { body } = await calculate("technology=Solar&capacity_mw=100&state=CA");
		const { assumptions } = body.data as { assumptions: string[] };
		expect(assumptions.join(" ")).toMatch(/cod_year was not given/);
		expect(assumptions.join(" ")).toMatch(/county was not given/);
		expect(assumptions.join(" ")).toMatch(/prevailing/i);
	});

	test.each([
		["technology", "technology=Perpetuum&capacity_mw=100&state=CA"],
		["capacity_mw", "technology=Solar&capacity_mw=0&state=CA"],
		["capacity_mw", "technology=Solar&capacity_mw=-5&state=CA"],
		["capacity_mw", "technology=Solar&capacity_mw=1e9&state=CA"],
		["capacity_mw", "technology=Solar&state=CA"],
		["capacity_mw", "technology=Solar&capacity_mw=NaN&state=CA"],
		["state", "technology=Solar&capacity_mw=100"],
		["state", "technology=Solar&capacity_mw=100&state=ZZ"],
		["county", "technology=Solar&capacity_mw=100&state=CA&county=Atlantis"],
		["county", "technology=Solar&capacity_mw=100&state=CA&county=48201"],
		["cod_year", "technology=Solar&capacity_mw=100&state=CA&cod_year=2200"],
		["cod_year", "technology=Solar&capacity_mw=100&state=CA&cod_year=1999"],
		["tract", "technology=Solar&capacity_mw=100&state=CA&county=Los%20Angeles&tract=48201000100"],
		["construction_start", "technology=Solar&capacity_mw=100&state=CA&construction_start=2026-02-30"],
		["construction_start", "technology=Solar&capacity_mw=100&state=CA&construction_start=2099&cod_year=2027"],
		["low_income_category", "technology=Solar&capacity_mw=4&state=CA&low_income_category=5"],
	])("refuses by name an invalid %s: %s", async (name, query) => {
		const { status, body } = await calculate(query);
		expect([query, status]).toEqual([query, 422]);
		expect((body.errors as { loc: string[] }[]).map(({ loc }) => loc[1])).toContain(name);
	});
});

describe("capital", () => {
	test("the leaderboard sorts by the requested figure, and filters by tier", async () => {
		for (const [sort, value] of [
			["capital_raised", (row: Row) => Number(row.capital_raised)],
			["divergence", (row: Row) => Number(row.capital_per_operational_mw ?? -1)],
			["distress", (row: Row) => (row.distress_signal as { score: number }).score],
		] as const) {
			const { body } = await ask(`/capital/leaderboard?sort=${sort}&limit=200`);
			const values = (body.data as Row[]).map(value);
			expect(values.length).toBeGreaterThan(100);
			expect([sort, values]).toEqual([sort, values.toSorted((a, b) => b - a)]);
			expect([body.count, body.sort]).toEqual([values.length, sort]);
		}
		const only = await ask("/capital/leaderboard?tier=oil_major,%20pe_fund&exclude_tiers=pe_fund&limit=200");
		expect(new Set((only.body.data as Row[]).map(({ tier }) => tier))).toEqual(new Set(["oil_major"]));
		expect((await ask("/capital/leaderboard?tier=giant")).status).toBe(422);
		expect((await ask("/capital/leaderboard?min_raised=1e12")).body).toMatchObject({ data: [], count: 0 });
	});

	test("a developer's profile shows what its row of the leaderboard shows", async () => {
		const { body } = await ask("/capital/leaderboard?limit=1");
		const [row] = body.data as Row[];
		const profile = await ask(`/developers/${row?.developer_id}/capital`);
		expect(profile.body).toMatchObject({
			developer: row?.developer,
			capital_raised: row?.capital_raised,
			distress_signal: row?.distress_signal,
			behind_schedule_projects: row?.behind_schedule,
			signal_events: { financing_events: row?.financing_events },
		});
		const byName = await ask(`/developers/${encodeURIComponent(String(row?.developer).toLowerCase())}/capital`);
		expect(byName.body).toEqual(profile.body);
		expect((await ask("/developers/unknown/capital")).status).toBe(404);
	});

	test("needs_capital and tax_credit_activity are equal in /developers", async () => {
		const { body } = await ask("/capital/leaderboard?limit=20");
		for (const { developer_id } of body.data as Row[]) {
			const { body: profile } = await ask(`/developers/${developer_id}/capital`);
			const { body: developer } = await ask(`/developers/${developer_id}`);
			expect(developer.data).toMatchObject({
				needs_capital: profile.needs_capital,
				tax_credit_activity: profile.tax_credit_activity,
			});
		}
	});
});

test("health and freshness show the scores and the reference lists", async () => {
	const { body: health } = await ask("/health/detailed");
	expect((health.databases as { name: string }[]).map(({ name }) => name)).toContain("scoring");
	const { body: fresh } = await ask("/health/freshness");
	expect((fresh.pipelines as { pipeline: string }[]).map(({ pipeline }) => pipeline)).toContain("energy-communities");
});
