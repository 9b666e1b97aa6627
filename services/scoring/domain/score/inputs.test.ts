import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aboutOf, factsOf, inputs, today } from "../../../../test/scoring/support/score-inputs.ts";
import { hashInputs, inputsOf } from "./inputs.ts";

const of = (facts: Parameters<typeof factsOf>[0], about: Parameters<typeof aboutOf>[0] = {}, day = today) =>
	inputsOf(factsOf(facts), aboutOf(about), day);

describe("what depends on the day", () => {
	test("a projected date is past from the day after it", () => {
		expect(of({ cod: "2026-11-20" }).cod_position).toBe("ahead");
		expect(of({ cod: "2026-11-19" }).cod_position).toBe("past");
		expect(of({ cod: null }).cod_position).toBe("none");
	});

	test("is judged on the day of the list, where that is before today", () => {
		const of2025 = { facts_as_of: "2025-08-31", cod: "2026-06-30", queue_date: "2023-09-01" };
		expect(of(of2025)).toMatchObject({ cod_position: "ahead", queue_age: "under_2_years" });
		expect(of({ ...of2025, facts_as_of: null })).toMatchObject({ cod_position: "past", queue_age: "2_to_4_years" });
		expect(of({ ...of2025, facts_as_of: "2026-07-01" })).toMatchObject({ cod_position: "past" });
		// A list that is dated after today is judged on today.
		expect(of({ ...of2025, facts_as_of: "2027-01-01", cod: "2026-11-20" })).toMatchObject({ cod_position: "ahead" });
	});

	test.each([
		["2024-11-21", "under_2_years"],
		["2024-11-20", "2_to_4_years"],
		["2022-11-21", "2_to_4_years"],
		["2022-11-20", "over_4_years"],
		["2030-01-01", "under_2_years"],
		[null, "unknown"],
	])("a request of %s has waited %s", (queue_date, age) => {
		expect(of({ queue_date }).queue_age).toBe(age);
	});

	test("on a 29 February, two years are full for requests of the 28th and not of 1 March", () => {
		expect(of({ queue_date: "2026-02-28" }, {}, "2028-02-29").queue_age).toBe("2_to_4_years");
		expect(of({ queue_date: "2026-03-01" }, {}, "2028-02-29").queue_age).toBe("under_2_years");
	});

	test("a slip of twelve months counts for 24 months after it was published", () => {
		const cod_changes = [{ on: "2025-01-10", old: "2026-06-30", new: "2027-06-30" }];
		expect(of({ cod_changes }).cod_slip).toBe("12_months_or_more");
		expect(of({ cod_changes }, {}, "2027-01-09").cod_slip).toBe("12_months_or_more");
		expect(of({ cod_changes }, {}, "2027-01-10").cod_slip).toBe("under_12_months");
		expect(of({ cod_changes, cod: "2027-06-29" }).cod_slip).toBe("under_12_months");
	});

	test("equals that of the day before where nothing passes a threshold", () => {
		const cod_changes = [{ on: "2025-03-01", old: "2026-01-01", new: "2027-06-30" }];
		const hashes = new Set<string>();
		for (let at = 0; at < 30; at++) {
			const day = new Date(Date.UTC(2026, 10, 20 + at)).toISOString().slice(0, 10);
			hashes.add(hashInputs(of({ cod_changes }, {}, day)));
		}
		expect(hashes.size).toBe(1);
	});

	test("is not judged for an unscored request, so that an anniversary changes nothing", () => {
		for (const closed of [
			{ status_std: "Withdrawn", construction_stage: "withdrawn" },
			{ status_std: "Operational", construction_stage: "operational" },
			{ kind: "load" },
		] as const)
			expect(of({ ...closed, cod: "2026-11-20" })).toEqual(of({ ...closed, cod: "2026-11-20" }, {}, "2036-01-01"));
	});

	test("contains no day", () => {
		expect(JSON.stringify(of({}))).not.toMatch(/\d{4}-\d\d/);
	});

	test("needs a day", () => {
		expect(() => of({}, {}, "2026-11-20T00:00:00Z")).toThrow("today is not a day: 2026-11-20T00:00:00Z");
		expect(() => of({}, {}, "2026-13-45")).toThrow("today is not a day");
	});
});

describe("what is known", () => {
	test("a place is a county as filed, its code or coordinates", () => {
		const nowhere = { located: false, fips: null, counties: [] };
		expect(of(nowhere).located).toBe(false);
		expect(of({ ...nowhere, counties: [" "] }).located).toBe(false);
		expect(of({ ...nowhere, counties: ["Drumright"] }).located).toBe(true);
		expect(of({ ...nowhere, fips: "48283" }).located).toBe(true);
		expect(of({ ...nowhere, located: true }).located).toBe(true);
	});

	test("a blank point of interconnection is missing", () => {
		expect([null, " ", "345 kV"].map((poi) => of({ poi }).poi)).toEqual([false, false, true]);
	});

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
				`ERCOT-21INR0999: effective credit rate is not a fraction: ${effectiveRate}`,
			);
	});
});

describe("the hash", () => {
	test("is the SHA-256 of the inputs as JSON with sorted names", () => {
		const canonical =
			'{"capacity":"stated","cod_distance":"under_1_year","cod_position":"ahead","cod_slip":"under_12_months","credit_conditional":false,"credit_rate":0.4,' +
			'"credit_type":"ITC","developer_record":"too_few","developer_tier":"unknown","distress":"Low","duplicate":false,' +
			'"has_ia":true,"high_ic_cost":false,"kind":"generation","located":true,"milestone":"agreement_secured","poi":true,' +
			'"queue_age":"under_2_years","region":"ERCOT","stage":"late","status":"Active"}';
		const hash = hashInputs(inputs());
		expect(hash).toBe(createHash("sha256").update(canonical).digest("hex"));
		expect(hash).toBe("750e85145a4b56420a072687872023e2616e76bb0f8f2c20d96924ec20c343c0");
	});

	test("survives JSON, and the order of names that a database gives back", () => {
		const stored = JSON.parse(JSON.stringify(inputs()));
		const shuffled = Object.fromEntries(
			Object.entries(stored).sort(([a], [b]) => a.length - b.length || (a < b ? 1 : -1)),
		);
		expect(hashInputs({ ...inputs(), ...stored })).toBe(hashInputs(inputs()));
		expect(hashInputs(shuffled as unknown as ReturnType<typeof inputs>)).toBe(hashInputs(inputs()));
	});

	test("differs where any input differs", () => {
		const varied = [
			inputs(),
			inputs({ kind: "load" }),
			inputs({ status: "Suspended" }),
			inputs({ stage: "mid" }),
			inputs({ region: "PJM" }),
			inputs({ milestone: "construction" }),
			inputs({ has_ia: false }),
			inputs({ cod_position: "past" }),
			inputs({ cod_slip: "12_months_or_more" }),
			inputs({ queue_age: "unknown" }),
			inputs({ poi: false }),
			inputs({ located: false }),
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
