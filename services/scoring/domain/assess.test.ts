import { expect, test } from "vitest";
import { factsOf, today } from "../../../test/scoring/support/score-inputs.ts";
import { assess, type Basis, type Request } from "./assess.ts";

const basis: Basis = {
	today,
	references: { energyCommunities: null, lowIncome: null },
	notice_2025_42: "vacated",
};

const creditOf = (facts: Partial<Request["facts"]>) =>
	assess({ facts: factsOf(facts), cost_usd_per_kw: null, developer: null, duplicate: false }, basis).credit;

test.each([
	"Millstone 3 Upgrade7",
	"Seabrook Power Uprate7",
	"Salem 1 rerate",
	"Palisades Restart",
	"Fox Hill CIR Increase",
])("%s adds to an existing plant, and the value of the added part is unknown", (name) => {
	const credit = creditOf({ name, type_std: "Nuclear", capacity_mw: 1_195, cod: "2030-01-01" });
	expect(credit).toMatchObject({ credit_type: "ITC", estimated_value: null });
	expect(credit.warnings).toContain("EXISTING_PLANT");
});

test("the credit of a modification is that of its added parts; if these are unknown it has no value", () => {
	const ocotillo = { name: "OCOTILLO EXPRESS", type_std: "Wind + Storage", capacity_mw: 265.44, cod: "2030-05-31" };
	const added = { request_class: "modification", added_type_std: "Storage", incremental_mw: 238.989 } as const;
	const battery = creditOf({ name: "A battery", type_std: "Storage", capacity_mw: 238.989, cod: "2030-05-31" });
	expect(battery.estimated_value).toBeGreaterThan(0);
	// Its chance is that of the whole plant's technology.
	const { p_credit: _, expected_value: __, ...credit } = battery;
	expect(creditOf({ ...ocotillo, ...added })).toMatchObject(credit);
	const repower = creditOf({ ...ocotillo, request_class: "modification", added_type_std: null, incremental_mw: 9.9 });
	expect(repower).toMatchObject({ estimated_value: null, warnings: expect.arrayContaining(["EXISTING_PLANT"]) });
});

test.each([
	["PJM-AH1-695", "Three Mile Island 230 kV", "42043", 859],
	["MISO-J4040", "Palisades Switchyard", "26159", 735],
	["MISO-J3932", "Duane Arnold 161 kV", "19113", 646],
	["PJM-AH1-710", "Salem 500kV", "34033", 256.8],
	["PJM-AH1-714", "Lasalle 345 kV", "17099", 169],
	["MISO-J3815", "Waterford 3 SWYD", "22089", 153.1],
])(
	"%s (%s) at a reactor's site has a credit without a value, because it may be a restart, an uprate or new",
	(project_id, name, fips, capacity_mw) => {
		const reactor = { project_id, name, fips, type_std: "Nuclear", capacity_mw, cod: "2029-10-01" };
		expect(creditOf(reactor)).toMatchObject({ credit_type: "ITC", effective_rate: 0.3, estimated_value: null });
		expect(creditOf(reactor).warnings).toContain("REACTOR_SITE");
		expect(creditOf({ ...reactor, fips: "48065" }).estimated_value).toBeGreaterThan(0);
		expect(creditOf({ ...reactor, type_std: "Storage" }).estimated_value).toBeGreaterThan(0);
	},
);

test.each([
	["CAISO-222", "MONTEZUMA II", "Wind + Storage", 78, "2012-01-29"],
	["MISO-J844", "Sandburg Substation 138kV Bus", "Wind", 300, "2021-05-28"],
	["CAISO-1222", "AGUA CALIENTE SOLAR 2", "Solar", 20, "2016-12-01"],
])(
	"%s (%s), projected before 2022, falls under prior law if it was built",
	(project_id, name, type_std, capacity_mw, cod) => {
		const components = type_std.split(" + ").map((part) => ({ type_std: part, capacity_mw }));
		const old = { project_id, name, type_std, capacity_mw, components };
		expect(creditOf({ ...old, cod })).toMatchObject({ estimated_value: null });
		expect(creditOf({ ...old, cod }).warnings).toContain("PRIOR_LAW");
		expect(creditOf({ ...old, cod: "2022-01-01" }).estimated_value).toBeGreaterThan(0);
	},
);

test("wind and solar are eligible by reported construction, not by a filed date; suspended ones past their date are undecided", () => {
	const pjm = { region: "PJM", facts_as_of: "2026-05-05", construction_stage: "construction" } as const;
	const ross = { region: "ERCOT", facts_as_of: "2025-10-31", type_std: "Solar", capacity_mw: 1025.57 } as const;
	expect(creditOf({ ...ross, cod: "2027-07-31" })).toMatchObject({ status: "conditional", at_risk_rate: 0 });
	const coastal = { ...pjm, type_std: "Offshore Wind", capacity_mw: 820, cod: "2032-12-31" };
	expect(creditOf({ ...coastal, plant_state: "under_construction" })).toMatchObject({
		status: "eligible",
		cod_year: 2032,
	});
	expect(creditOf({ ...coastal, plant_state: "none" }).status).toBe("terminated");
	const oceanWind = { ...pjm, status_std: "Suspended", type_std: "Offshore Wind", capacity_mw: 816 } as const;
	expect(creditOf({ ...oceanWind, cod: "2026-02-28" })).toMatchObject({
		...{ credit_type: null, status: "requires_determination", estimated_value: null },
	});
	expect(creditOf({ ...oceanWind, cod: "2027-12-31" })).toMatchObject({ credit_type: "ITC", status: "conditional" });
});

const assessed = (facts: Partial<Request["facts"]>) =>
	assess({ facts: factsOf(facts), cost_usd_per_kw: null, developer: null, duplicate: false }, basis);

test("the chance of a credit is the chance of operation by its deadline, and the expected value is the value times that chance", () => {
	const ross = { facts_as_of: "2025-10-31", type_std: "Solar", capacity_mw: 1025.57, cod: "2027-07-31" } as const;
	const { credit, score } = assessed(ross);
	const [chance, within36] = [credit.p_credit ?? 1, score.candidate.p_cod_36 ?? 0];
	expect(chance).toBeGreaterThan(0);
	expect(chance).toBeLessThan(within36);
	expect(credit.expected_value).toBe(Math.round(chance * (credit.estimated_value ?? 0)));
	// Begun by the day of the law, it has until later; a battery has no such deadline.
	for (const other of [{ ...ross, plant_state: "under_construction" } as const, { ...ross, type_std: "Storage" }]) {
		const { credit, score } = assessed(other);
		expect(credit.p_credit).toBe(score.candidate.p_cod_36);
	}
	const suspended = assessed({ ...ross, status_std: "Suspended" });
	expect(suspended.credit).toMatchObject({ credit_type: "ITC", p_credit: null, expected_value: null });
	expect(suspended.score.chances?.reason).toBe("suspended");
	expect(assessed({ ...ross, type_std: "Gas" }).credit).toMatchObject({ p_credit: null, estimated_value: 0 });
});

test("each part of a hybrid is valued by its own MW, technology and deadline; without the parts' MW there is no value", () => {
	const hybrid = {
		facts_as_of: "2025-10-31",
		type_std: "Solar + Storage",
		capacity_mw: 300,
		cod: "2027-07-31",
	} as const;
	const parts = [
		{ type_std: "Solar", capacity_mw: 200 },
		{ type_std: "Storage", capacity_mw: 60 },
		{ type_std: "Storage", capacity_mw: 40 },
	];
	const { credit } = assessed({ ...hybrid, components: parts });
	const [solar, storage] = [1588 * 200_000 * 0.3, 2 * 436 * 100_000 * 0.3];
	expect(credit).toMatchObject({ credit_type: "ITC", status: "conditional", estimated_value: solar + storage });
	const [early = 0, late = 0] = ["Solar", "Storage"].map(
		(type_std) => assessed({ ...hybrid, type_std }).credit.p_credit ?? undefined,
	);
	// The chance of a hybrid is that of its first technology.
	expect(credit.p_credit).toBeGreaterThan(early);
	expect(late).toBeGreaterThan(early);
	expect(credit.expected_value).toBe(Math.round((credit.p_credit ?? 0) * (solar + storage)));
	for (const components of [
		[],
		[
			{ type_std: "Solar", capacity_mw: 200 },
			{ type_std: "Storage", capacity_mw: null },
		],
	]) {
		const unknown = assessed({ ...hybrid, components }).credit;
		expect(unknown).toMatchObject({
			credit_type: "ITC",
			effective_rate: 0.3,
			estimated_value: null,
			expected_value: null,
		});
		expect(unknown.warnings).toContain("PARTS_UNKNOWN");
	}
	const wind = assessed({
		...hybrid,
		type_std: "Wind + Storage",
		components: [
			{ type_std: "Wind", capacity_mw: 100 },
			{ type_std: "Storage", capacity_mw: 100 },
		],
	});
	const windAlone = assessed({ ...hybrid, type_std: "Wind", capacity_mw: 100 }).credit.estimated_value ?? 0;
	expect(wind.credit).toMatchObject({ credit_type: "PTC", estimated_value: windAlone + storage });
});

test("construction begins with the EIA's first report; a start before 2025 falls under prior law, and a cancelled plant is undecided", () => {
	const nyiso = { region: "NYISO", facts_as_of: "2025-01-09", type_std: "Offshore Wind", cod: "2026-12-01" } as const;
	const reported = (construction_begun_by: string) =>
		({
			...nyiso,
			plant_state: "under_construction",
			plant_state_basis: "eia_860m",
			plant_report: "under_construction",
			plant_reported_on: "2026-08-01",
			construction_begun_by,
		}) as const;
	const empire = assessed({ ...reported("2024-11-30"), capacity_mw: 816 }).credit;
	expect(empire).toMatchObject({ status: "eligible", estimated_value: null, expected_value: null });
	expect(empire.warnings).toContain("PRIOR_LAW");
	const vineyard = { ...reported("2023-10-31"), region: "ISO-NE", cod: "2026-04-24" } as const;
	expect(creditOf({ ...vineyard, capacity_mw: 800 }).warnings).toContain("PRIOR_LAW");
	const sunrise = assessed({ ...reported("2026-02-01"), capacity_mw: 880 });
	expect(sunrise.credit.estimated_value).toBeGreaterThan(0);
	expect(sunrise.credit.p_credit).toBe(sunrise.score.candidate.p_cod_36);
	// First reported after the day of the law, though the operator's list is older.
	const late = {
		...reported("2026-08-01"),
		region: "ERCOT",
		facts_as_of: "2025-10-31",
		type_std: "Solar",
	} as const;
	const solar = assessed(late);
	expect(solar.credit.p_credit).toBeLessThan(solar.score.candidate.p_cod_36 ?? 0);
	expect(assessed({ ...late, cod: "2029-06-01" }).credit.status).toBe("conditional");

	const sunRoper = { name: "OCI SunRoper", type_std: "Solar", capacity_mw: 265.1, cod: "2027-06-01" };
	expect(creditOf(sunRoper).estimated_value).toBeGreaterThan(0);
	expect(creditOf({ ...sunRoper, plant_report: "cancelled" })).toMatchObject({
		...{ credit_type: null, status: "requires_determination", estimated_value: null, p_credit: null },
		warnings: ["PLANT_CANCELLED"],
	});
});

test("a battery is valued by the usual hours of its state's batteries", () => {
	const zeus = { state: "TX", type_std: "Storage", capacity_mw: 1043.08, cod: "2028-04-17" };
	expect(creditOf(zeus).estimated_value).toBe(Math.round(1_043_080 * 2 * 436 * 0.3));
	expect(creditOf({ ...zeus, state: "CA" }).estimated_value).toBe(Math.round(1_043_080 * 4 * 436 * 0.3));
});

test.each(["Upgraded Ranch Solar", "Restarting Hill", null])("%s is a separate plant", (name) => {
	const credit = creditOf({ name, type_std: "Solar", capacity_mw: 100, cod: "2027-06-01" });
	expect(credit.estimated_value).toBeGreaterThan(0);
	expect(credit.warnings).not.toContain("EXISTING_PLANT");
});

test("a passed date counts as a missing one, and each has its warning", () => {
	const solar = { type_std: "Solar", capacity_mw: 100, construction_stage: "early" } as const;
	const passed = creditOf({ ...solar, cod: "2024-06-01" });
	expect(passed).toMatchObject({ status: "conditional", cod_year: 2028, at_risk_rate: 0 });
	expect(passed.warnings).toContain("COD_PASSED");
	const unknown = creditOf({ ...solar, cod: null });
	expect(unknown).toMatchObject({ status: "conditional", cod_year: 2028 });
	expect(unknown.warnings).toContain("COD_UNKNOWN");
	const building = creditOf({ ...solar, plant_state: "under_construction", cod: "2024-06-01" });
	expect(building).toMatchObject({ status: "eligible", cod_year: 2026 });
	expect(creditOf({ ...solar, cod: "2027-06-01" }).warnings).not.toContain("COD_PASSED");
});

test.each([null, 0, -5, 1e12, Number.MAX_VALUE])("a capacity of %s yields a rate but no value", (capacity_mw) => {
	const credit = creditOf({ type_std: "Solar", capacity_mw, cod: "2027-06-01" });
	expect(credit).toMatchObject({ effective_rate: 0.3, estimated_value: null });
});

test("a credit that needs a determination is unknown to the score, not worthless", () => {
	const request = { facts: factsOf({ type_std: "Biomass" }), cost_usd_per_kw: null, developer: null, duplicate: false };
	const { credit, inputs, score } = assess(request, basis);
	expect(credit).toMatchObject({ status: "requires_determination", effective_rate: 0 });
	expect(inputs.credit_rate).toBeNull();
	expect(score.components.tax_credit_value.value).toMatch(/not determined/);
});

test("a bonus is undecided for an eligible technology, false without a credit, and otherwise unknown", () => {
	const content = (type_std: string) => {
		const { domestic_content_eligible: eligible, domestic_content_basis: basis } = creditOf({ type_std });
		return { eligible, basis };
	};
	expect(content("Solar")).toEqual({ eligible: null, basis: "technology" });
	expect(content("Gas")).toEqual({ eligible: false, basis: "technology" });
	expect(content("Biomass")).toEqual({ eligible: null, basis: null });
});
