import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aboutOf, factsOf, inputs, today } from "../../../../test/scoring/support/score-inputs.ts";
import { hashInputs, inputsOf } from "./inputs.ts";

const of = (facts: Parameters<typeof factsOf>[0], about: Parameters<typeof aboutOf>[0] = {}, day = today) =>
	inputsOf(factsOf(facts), aboutOf(about), day);

describe("inputs that depend on the day", () => {
	test("a projected date is past from the next day on", () => {
		expect(of({ cod: "2026-11-20" }).cod_position).toBe("ahead");
		expect(of({ cod: "2026-11-19" }).cod_position).toBe("past");
		expect(of({ cod: null }).cod_position).toBe("none");
	});

	test("a projected date that passed after the list's day differs from one that had passed on it", () => {
		const of2025 = { facts_as_of: "2025-08-31", cod: "2026-06-30" };
		expect(of(of2025)).toMatchObject({ cod_position: "passed_since", judged_from: "2025-09-01" });
		expect(of({ ...of2025, cod: "2026-11-20" })).toMatchObject({ cod_position: "ahead", judged_from: "2025-09-01" });
		const built = { plant_report: "under_construction", plant_reported_on: "2026-06-30" } as const;
		expect(of({ ...of2025, ...built }).cod_position).toBe("overdue");
		expect(of({ ...of2025, ...built, plant_reported_on: "2026-06-29" }).cod_position).toBe("passed_since");
		expect(of({ ...of2025, ...built, plant_report: "planned" }).cod_position).toBe("passed_since");
		expect(of({ ...of2025, cod: "2025-08-30" })).toMatchObject({ cod_position: "past", judged_from: "2025-09-01" });
		expect(of({ ...of2025, facts_as_of: null })).toMatchObject({ cod_position: "past", judged_from: "2026-12-01" });
		// A list that is dated after today is judged on today.
		expect(of({ ...of2025, facts_as_of: "2027-01-01", cod: "2026-11-20" })).toMatchObject({ cod_position: "ahead" });
	});

	test("the inputs stay equal until the middle of a month", () => {
		const days = Array.from({ length: 60 }, (_, at) => new Date(Date.UTC(2026, 10, 1 + at)).toISOString().slice(0, 10));
		const hashes = days.map((day) => hashInputs(of({}, {}, day)));
		expect(new Set(hashes).size).toBe(3);
		expect(hashes.findIndex((each) => each !== hashes[0])).toBe(days.indexOf("2026-11-16"));
	});

	test("only the EIA's monthly list reports construction", () => {
		const sunrise = {
			plant_state: "under_construction",
			plant_state_basis: "eia_860m",
			plant_report: "under_construction",
			plant_reported_on: "2026-08-31",
			construction_begun_by: "2026-02-01",
		} as const;
		const reportedIn = (other: Parameters<typeof factsOf>[0]) => of({ ...sunrise, ...other }).construction_reported;
		expect(reportedIn({})).toBe("2026-08-01");
		expect(reportedIn({ plant_state: "none" })).toBeUndefined();
		expect(reportedIn({ plant_report: "planned" })).toBeUndefined();
		expect(reportedIn({ study_phase: "SIS", ia_status: "System Impact Study" })).toBeUndefined();
		expect(reportedIn({ plant_state_basis: "eia_860" })).toBeUndefined();
	});

	test("dates of an unscored request are ignored, so that the inputs do not change monthly", () => {
		for (const closed of [
			{ status_std: "Withdrawn", construction_stage: "withdrawn" },
			{ status_std: "Operational", construction_stage: "operational" },
			{ kind: "load" },
		] as const)
			expect(of({ ...closed, cod: "2026-11-20" })).toEqual(of({ ...closed, cod: "2026-11-20" }, {}, "2036-01-01"));
	});

	test("a day is required", () => {
		expect(() => of({}, {}, "2026-11-20T00:00:00Z")).toThrow(
			'`today` must be a date (YYYY-MM-DD), not "2026-11-20T00:00:00Z"',
		);
		expect(() => of({}, {}, "2026-13-45")).toThrow("`today` must be a date");
	});
});

describe("known and unknown inputs", () => {
	test("an interconnection is expensive above $250/kW, and an unknown cost is not cheap", () => {
		const costs = [null, 0, 250, 250.01, -1, Number.NaN];
		expect(costs.map((costPerKw) => of({}, { costPerKw }).high_ic_cost)).toEqual([
			null,
			false,
			false,
			true,
			null,
			null,
		]);
	});

	test("a capacity is stated, missing, not positive or implausible", () => {
		const capacities = [150, 10_000, 10_001, 0, -27, null, Number.NaN, Number.POSITIVE_INFINITY];
		expect(capacities.map((capacity_mw) => of({ capacity_mw }).capacity)).toEqual([
			"stated",
			"stated",
			"implausible",
			"not_positive",
			"not_positive",
			"missing",
			"missing",
			"implausible",
		]);
	});

	test.each([
		[0, 0, "too_few"],
		[4, 0, "too_few"],
		[2, 3, "usual"],
		[3, 2, "above"],
		[20, 20, "above"],
		[20, 80, "usual"],
		[0, 9, "usual"],
		[0, 10, "below"],
		[3, 97, "below"],
	])("a developer that built %i and withdrew %i: %s", (operational, withdrawn, record) => {
		const developer = { distress: null, operational, withdrawn };
		expect(of({}, { developer }).developer_record).toBe(record);
	});

	test("without a developer there is neither record nor distress", () => {
		expect(of({}, { developer: null })).toMatchObject({ developer_record: "too_few", distress: null });
	});

	test("an undetermined credit has no rate, and a request without a credit has the rate 0", () => {
		expect(of({}, { credit: null })).toMatchObject({ credit_rate: null, credit_type: null });
		const none = { effectiveRate: 0, conditional: false, type: null };
		expect(of({}, { credit: none })).toMatchObject({ credit_rate: 0, credit_type: null });
	});

	test("a rate that is not a fraction is an error that names the request", () => {
		for (const effectiveRate of [40, -0.1, Number.NaN])
			expect(() => of({}, { credit: { effectiveRate, conditional: false, type: "ITC" } })).toThrow(
				`ERCOT-21INR0999: the effective credit rate must be from 0 to 1, not ${effectiveRate}`,
			);
	});
});

describe("the hash", () => {
	test("is the SHA-256 of the inputs as JSON with sorted names", () => {
		const canonical =
			'{"capacity":"stated","capacity_mw":150,"cod":"2027-06-30","cod_position":"ahead","credit_conditional":false,"credit_rate":0.4,' +
			'"credit_type":"ITC","developer_record":"too_few","developer_tier":"unknown","distress":"Low","duplicate":false,' +
			'"has_ia":true,"high_ic_cost":false,"ia_date":"2026-01-15","incremental_mw":150,"judged_from":"2026-12-01","kind":"generation",' +
			'"milestone":"agreement_secured","region":"ERCOT","stage":"late","status":"Active","technology":"Storage"}';
		const hash = hashInputs(inputs());
		expect(hash).toBe(createHash("sha256").update(canonical).digest("hex"));
	});

	test("survives JSON, and the order of names that a database gives back", () => {
		const stored = JSON.parse(JSON.stringify(inputs()));
		const shuffled = Object.fromEntries(
			Object.entries(stored).sort(([a], [b]) => a.length - b.length || (a < b ? 1 : -1)),
		);
		expect(hashInputs({ ...inputs(), ...stored })).toBe(hashInputs(inputs()));
		expect(hashInputs(shuffled as unknown as ReturnType<typeof inputs>)).toBe(hashInputs(inputs()));
	});

	test("differs if any input differs", () => {
		const varied = [
			inputs(),
			inputs({ kind: "load" }),
			inputs({ status: "Suspended" }),
			inputs({ stage: "mid" }),
			inputs({ region: "PJM" }),
			inputs({ milestone: "construction" }),
			inputs({ has_ia: false }),
			inputs({ cod_position: "past" }),
			inputs({ cod: "2027-07-01" }),
			inputs({ ia_date: null }),
			inputs({ judged_from: "2027-01-01" }),
			inputs({ technology: "Wind" }),
			inputs({ capacity_mw: 151 }),
			inputs({ incremental_mw: null }),
			inputs({ high_ic_cost: null }),
			inputs({ high_ic_cost: true }),
			inputs({ duplicate: true }),
			inputs({ distress: null }),
			inputs({ developer_tier: "pe_fund" }),
			inputs({ developer_record: "above" }),
			inputs({ credit_type: "PTC" }),
			inputs({ credit_rate: null }),
			inputs({ credit_rate: 0.3 }),
			inputs({ credit_conditional: true }),
			inputs({ capacity: "missing" }),
		];
		expect(new Set(varied.map(hashInputs)).size).toBe(varied.length);
	});
});
