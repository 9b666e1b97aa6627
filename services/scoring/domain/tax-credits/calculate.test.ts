import { describe, expect, it, test } from "vitest";
import { broward, codes, creditOf, losAngeles, place } from "../../../../test/scoring/support/plants.ts";
import type { Credit, CreditInput } from "./types.ts";

const rate = (changes: Partial<CreditInput>) => creditOf(changes).effectiveRate;
const message = (credit: Credit, wanted: string) => credit.warnings.find(({ code }) => code === wanted)?.message;

describe("prevailing wages", () => {
	it("are required from 1.0 MW, not at 0.999", () => {
		expect(rate({ capacityMw: 1, prevailingWage: false })).toBe(0.06);
		expect(rate({ capacityMw: 0.999, prevailingWage: false })).toBe(0.3);
	});

	it("are not required for construction begun before 2023-01-29, which a year alone does not prove", () => {
		expect(rate({ constructionStart: "2023-01-28", prevailingWage: false })).toBe(0.3);
		expect(rate({ constructionStart: "2023-01-29", prevailingWage: false })).toBe(0.06);
		expect(rate({ constructionStart: "2023", prevailingWage: false })).toBe(0.06);
	});

	it("are not waived by an assumed beginning", () => {
		expect(rate({ technology: "Nuclear", codYear: 2028, prevailingWage: false })).toBe(0.06);
	});

	it("are stated as an assumption", () => {
		expect(creditOf({}).assumptions).toContainEqual(expect.stringContaining("prevailing-wage"));
	});
});

test.each([null, 0, -5, Number.NaN])(
	"a capacity of %s counts as unknown, without exemption and low-income bonus",
	(capacityMw) => {
		const credit = creditOf(
			{ capacityMw, prevailingWage: false, lowIncomeCategory: 1 },
			place("ineligible", "eligible"),
		);
		expect(credit).toMatchObject({ effectiveRate: 0.06, estimatedValue: null });
		expect(credit.bonuses.lowIncome.status).toBe("unknown");
	},
);

describe("the election", () => {
	it("defaults to the usual credit of the technology", () => {
		const types = [
			"Solar",
			"Storage",
			"Solar + Storage",
			"Offshore Wind",
			"Geothermal",
			"Hydro",
			"Nuclear",
			"Wind",
		].map((technology) => creditOf({ technology }).type);
		expect(types).toEqual(["ITC", "ITC", "ITC", "ITC", "ITC", "ITC", "ITC", "PTC"]);
	});

	it("can be another, with cents a kWh only for the production credit", () => {
		expect(creditOf({ elect: "ptc" })).toMatchObject({ type: "PTC", ptcCentsPerKwh: 3.1, effectiveRate: 0.3 });
		expect(creditOf({ technology: "Wind", elect: "itc" })).toMatchObject({ type: "ITC", ptcCentsPerKwh: null });
		expect(creditOf({ technology: "Wind", elect: "itc" }).estimatedValue).toBe(43_530_000);
	});

	it("of a production credit that does not exist has a warning", () => {
		const credit = creditOf({ technology: "Storage", elect: "ptc" });
		expect(credit).toMatchObject({ type: "ITC", effectiveRate: 0.3, ptcCentsPerKwh: null });
		expect(codes(credit)).toContain("ELECTION_NOT_AVAILABLE");
	});

	it("uses the rate of the current year", () => {
		const cents = (asOf: string) => creditOf({ technology: "Wind" }, broward, { asOf });
		expect(cents("2025-12-31")).toMatchObject({ ptcCentsPerKwh: 3, ptcRateYear: 2025 });
		expect(cents("2027-01-01")).toMatchObject({ ptcCentsPerKwh: 3.1, ptcRateYear: 2026 });
	});
});

describe("technologies without a credit", () => {
	test.each([
		["Gas", "ineligible", "NO_CREDIT"],
		["Coal", "ineligible", "NO_CREDIT"],
		["Oil", "ineligible", "NO_CREDIT"],
		["Transmission", "ineligible", "NO_CREDIT"],
		["Load", "ineligible", "NO_CREDIT"],
		["Gas + Storage", "ineligible", "NO_CREDIT"],
		["Biomass", "requires_determination", "REQUIRES_GHG_DETERMINATION"],
		["Waste", "requires_determination", "REQUIRES_GHG_DETERMINATION"],
		["Hydrogen", "requires_determination", "REQUIRES_GHG_DETERMINATION"],
		["Waste Heat", "requires_determination", "REQUIRES_GHG_DETERMINATION"],
		["Other", "requires_determination", "TECHNOLOGY_UNKNOWN"],
		["Unknown", "requires_determination", "TECHNOLOGY_UNKNOWN"],
		["Flux Capacitor", "requires_determination", "TECHNOLOGY_UNKNOWN"],
		["Solar + Flux Capacitor", "requires_determination", "TECHNOLOGY_UNKNOWN"],
	])("%s is %s, with a reason", (technology, status, code) => {
		const credit = creditOf({ technology, domesticContent: true }, losAngeles);
		expect(credit).toMatchObject({ type: null, status, baseRate: 0, effectiveRate: 0, domesticContentAdder: false });
		expect(codes(credit)[0]).toBe(code);
		expect(credit.estimatedValue).toBe(status === "ineligible" ? 0 : null);
	});
});

describe("hybrids", () => {
	it("follow the generating part, and the end date of wind and solar leaves the storage part alone", () => {
		const late = { technology: "Solar + Storage", codYear: 2029 };
		expect(creditOf(late)).toMatchObject({ type: "ITC", status: "conditional" });
		const ended = creditOf({ ...late, constructionStart: "2027" });
		expect(ended).toMatchObject({ status: "terminated", effectiveRate: 0 });
		expect(message(ended, "STORAGE_PART")).toContain("end date");
	});

	it("of wind take the production credit, and the investment credit for the storage part", () => {
		for (const technology of ["Wind + Storage", "Wind + Solar + Storage"]) {
			const credit = creditOf({ technology });
			expect(credit).toMatchObject({ type: "PTC", ptcCentsPerKwh: 3.1, effectiveRate: 0.3 });
			expect(message(credit, "STORAGE_PART")).toContain("production credit");
		}
		expect(creditOf({ technology: "Wind + Solar" }).type).toBe("PTC");
	});

	it("with a part without a credit have none, because shares are not known", () => {
		expect(message(creditOf({ technology: "Gas + Storage" }), "STORAGE_PART")).toContain("not counted");
		expect(creditOf({ technology: "Solar + Gas" })).toMatchObject({ type: null, status: "ineligible" });
	});

	it("that are not in the vocabulary are composed from known parts", () => {
		expect(creditOf({ technology: "Hydro + Storage" })).toMatchObject({ type: "ITC", effectiveRate: 0.3 });
	});
});

describe("fuel cells", () => {
	const cells = (constructionStart: string | null, more: Partial<CreditInput> = {}) =>
		creditOf({ technology: "Fuel Cell", constructionStart, codYear: 2028, ...more }, losAngeles);

	it("begun before 2025 keep section 48 with wage test and adders", () => {
		expect(cells("2024")).toMatchObject({ type: "ITC", effectiveRate: 0.4 });
		expect(cells("2024", { prevailingWage: false }).effectiveRate).toBe(0.08);
	});

	it("begun in 2025 need a determination", () => {
		expect(cells("2025")).toMatchObject({ type: null, status: "requires_determination", effectiveRate: 0 });
	});

	it("begun later get a flat 30 %, also without prevailing wages", () => {
		expect(cells("2026", { prevailingWage: false })).toMatchObject({ effectiveRate: 0.3, baseRate: 0.3 });
		expect(cells(null).effectiveRate).toBe(0.3);
		expect(cells(null, { codYear: 2026 })).toMatchObject({ type: "ITC", status: "eligible", effectiveRate: 0.3 });
		expect(cells("2026").bonuses.domesticContent.requiredPct).toBeNull();
	});
});

describe("plants placed in service before 2025", () => {
	const inYear = (codYear: number, changes: Partial<CreditInput> = {}) => creditOf({ codYear, ...changes }, losAngeles);

	it("fall under sections 48 and 45", () => {
		const wind = inYear(2024, { technology: "Wind" });
		expect(wind).toMatchObject({ type: "PTC", status: "eligible", ptcCentsPerKwh: 3.3, effectiveRate: 0.4 });
		expect(wind.citations.map(({ rule }) => rule).join()).toContain("Sections 48 and 45");
		expect(wind.assumptions).toContainEqual(expect.stringContaining("which is past"));
		expect(codes(wind)).not.toContain("FEOC");
	});

	it("had no adders in 2022, and storage no credit", () => {
		expect(inYear(2022, { domesticContent: true })).toMatchObject({ effectiveRate: 0.3, domesticContentAdder: false });
		expect(inYear(2022, { technology: "Storage" })).toMatchObject({ type: null, status: "ineligible" });
		expect(inYear(2023, { technology: "Storage" })).toMatchObject({ type: "ITC", effectiveRate: 0.4 });
	});

	it("are not computed before 2022, with a warning", () => {
		expect(inYear(2021)).toMatchObject({ type: null, status: "requires_determination", estimatedValue: null });
		expect(codes(inYear(2021))).toEqual(["BEFORE_2022"]);
	});
});

describe("inconsistent dates", () => {
	it("with construction before 2025 and service later use the newer sections, and mention the choice of the older ones", () => {
		const wind = creditOf({ technology: "Wind", constructionStart: "2024" });
		expect(wind.ptcCentsPerKwh).toBe(3.1);
		expect(wind.assumptions).toContainEqual(expect.stringContaining("could be chosen"));
	});

	it("with construction after service have a warning", () => {
		expect(codes(creditOf({ constructionStart: "2028" }))).toContain("BOC_AFTER_COD");
		expect(codes(creditOf({ constructionStart: "2027" }))).not.toContain("BOC_AFTER_COD");
	});

	it("before the law of these tables use it, with an assumption", () => {
		expect(creditOf({}, broward, { asOf: "2020-12-31" }).assumptions).toContainEqual(
			expect.stringContaining("2025-07-04"),
		);
	});

	test.each(["26", "2026-7-4", "2026-02-30", "soon", "2026-07-04T00:00:00Z"])(
		"%s is not a valid construction date",
		(constructionStart) => {
			expect(() => creditOf({ constructionStart })).toThrow(/constructionStart must be/);
		},
	);

	test.each([Number.NaN, 2027.5, 0, 10_000])("%s is not a valid year of service", (codYear) => {
		expect(() => creditOf({ codYear })).toThrow(/codYear must be/);
	});

	it("outside the law's dates are refused", () => {
		expect(() => creditOf({}, broward, { asOf: "today" })).toThrow(/asOf must be/);
	});
});
