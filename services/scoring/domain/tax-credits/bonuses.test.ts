import { describe, expect, it } from "vitest";
import { broward, codes, creditOf, listed, losAngeles, place } from "../../../../test/scoring/support/plants.ts";
import type { BonusListings, Credit, CreditInput } from "./types.ts";

const message = (credit: Credit, wanted: string) => credit.warnings.find(({ code }) => code === wanted)?.message;

describe("foreign entities", () => {
	const share = (changes: Partial<CreditInput>) =>
		message(creditOf(changes), "FEOC")?.match(/least (.*?) of the cost/)?.[1];

	it("matter for construction begun after 2025, more each year and more for storage", () => {
		expect(share({ constructionStart: "2025-12-31" })).toBeUndefined();
		expect(share({ constructionStart: "2026-01-01" })).toBe("40 %");
		const nuclear = (year: number) => share({ technology: "Nuclear", constructionStart: `${year}`, codYear: 2031 });
		expect([2027, 2028, 2029, 2030, 2031].map(nuclear)).toEqual(["45 %", "50 %", "55 %", "60 %", "60 %"]);
		const storage = (year: number) => share({ technology: "Storage", constructionStart: `${year}`, codYear: 2031 });
		expect([2026, 2027, 2028, 2029, 2030].map(storage)).toEqual(["55 %", "60 %", "65 %", "70 %", "75 %"]);
		expect(share({ technology: "Solar + Storage" })).toBe("40 % (storage 55 %)");
	});

	it("matter without a known beginning of construction, which is not assumed to be in the past", () => {
		const unknown = (changes: Partial<CreditInput>) => share({ technology: "Storage", codYear: 2026, ...changes });
		expect([2026, 2027, 2029, 2030].map((codYear) => unknown({ codYear }))).toEqual(["55 %", "55 %", "60 %", "65 %"]);
		expect(unknown({ listed: listed(true) })).toBeUndefined();
		expect(share({ technology: "Geothermal", codYear: 2027 })).toBe("40 %");
	});

	it("do not matter if the credit has ended", () => {
		expect(codes(creditOf({ constructionStart: "2027", codYear: 2029 }))).not.toContain("FEOC");
	});
});

describe("domestic content", () => {
	const required = (changes: Partial<CreditInput>) => creditOf(changes).bonuses.domesticContent.requiredPct;

	it("depends on the day on which construction began and on the credit", () => {
		const days = ["2024-12-31", "2025-01-01", "2025-06-15", "2025-06-16", "2026-01-01", "2027-01-01", "2028-01-01"];
		const each = (changes: Partial<CreditInput>) =>
			days.map((constructionStart) => required({ constructionStart, codYear: 2027, ...changes }));
		expect(each({})).toEqual([0.4, 0.4, 0.4, 0.45, 0.5, 0.55, 0.55]);
		expect(each({ elect: "ptc" })).toEqual([0.4, 0.45, 0.45, 0.45, 0.5, 0.55, 0.55]);
		expect(each({ technology: "Offshore Wind" })).toEqual([0.2, 0.275, 0.275, 0.275, 0.35, 0.45, 0.55]);
	});

	it("uses the stricter threshold if only the year is known", () =>
		expect(required({ constructionStart: "2025" })).toBe(0.45));

	it("uses this year's threshold without a known beginning", () => {
		const storage = { technology: "Storage", codYear: 2026, constructionStart: null };
		expect(required(storage)).toBe(0.5);
		expect(required({ ...storage, listed: listed(true) })).toBe(0.4);
		expect(codes(creditOf(storage))).toContain("DIRECT_PAY");
	});

	it("reduces the credit of tax-exempt owners that do not meet it", () => {
		expect(codes(creditOf({ constructionStart: "2026" }))).toContain("DIRECT_PAY");
		expect(codes(creditOf({ constructionStart: "2025" }))).not.toContain("DIRECT_PAY");
		const bonuses = codes(creditOf({ constructionStart: "2026", domesticContent: true }));
		expect([bonuses.includes("DIRECT_PAY"), bonuses.includes("DOMESTIC_CONTENT_THRESHOLD")]).toEqual([false, true]);
	});
});

describe("locations", () => {
	it("without known listings add no bonus and remain unknown", () => {
		const { bonuses, effectiveRate } = creditOf({ capacityMw: 4 }, place("unknown", "unknown"));
		expect(effectiveRate).toBe(0.3);
		expect(bonuses.energyCommunity).toMatchObject({ eligible: false, status: "unknown", bonus_pct: 0, notice: null });
		expect(bonuses.lowIncome).toMatchObject({ eligible: false, status: "unknown", bonus_pct: 0 });
	});

	it("that count have a warning, because they are decided each year", () => {
		expect(codes(creditOf({}, losAngeles))).toContain("EC_YEARLY");
		expect(codes(creditOf({}, broward))).not.toContain("EC_YEARLY");
	});

	it("that count for a coal-closure tract have no such warning", () => {
		const tract = { ...losAngeles, energyCommunity: { ...losAngeles.energyCommunity, yearly: false } };
		expect(creditOf({}, tract).effectiveRate).toBe(0.4);
		expect(codes(creditOf({}, tract))).not.toContain("EC_YEARLY");
	});

	it("are looked up on the day on which construction began if that may precede the list", () => {
		const warned = (
			constructionStart: string | null,
			where: BonusListings = losAngeles,
			more: Partial<CreditInput> = {},
		) => codes(creditOf({ constructionStart, ...more }, where)).includes("EC_BEFORE_LIST");
		expect(["2026-06-09", "2026", "2025", "2023-01-01"].map((day) => warned(day))).toEqual([true, true, true, true]);
		expect(["2026-06-10", "2027", null].map((day) => warned(day))).toEqual([false, false, false]);
		// Before 2023 the standing is that of the day placed in service.
		expect(warned("2022-12-31")).toBe(false);
		expect(warned("2025", broward)).toBe(true);
		expect(warned("2025", place("possible"))).toBe(true);
		expect(warned("2025", place("unknown"))).toBe(false);
		expect(warned("2026", losAngeles, { technology: "Fuel Cell" })).toBe(false);
		expect(warned("2026-06-09", losAngeles, { technology: "Gas" })).toBe(false);
		expect(message(creditOf({ constructionStart: "2025" }, losAngeles), "EC_BEFORE_LIST")).toContain("2026-06-10");
	});

	it("that are only partly energy communities, tracts or counties, add no bonus", () => {
		const text = message(creditOf({}, place("possible")), "EC_COUNTY_ONLY");
		expect(text).toMatch(/part of the county, or only some of several counties/);
	});
});

describe("the low-income bonus", () => {
	const bonus = (changes: Partial<CreditInput>) =>
		creditOf({ capacityMw: 4, ...changes }, place("ineligible", "eligible")).bonuses.lowIncome;

	it("applies below 5 MW", () => {
		expect(bonus({ capacityMw: 4.999, lowIncomeCategory: 3 })).toMatchObject({ eligible: true, bonus_pct: 0.2 });
		expect(bonus({ capacityMw: 5, lowIncomeCategory: 3 })).toMatchObject({ status: "ineligible", bonus_pct: 0 });
	});

	it("applies to solar with storage, not to storage alone or fuel cells", () => {
		expect(bonus({ technology: "Storage", lowIncomeCategory: 1 }).status).toBe("ineligible");
		expect(bonus({ technology: "Fuel Cell", lowIncomeCategory: 1 }).status).toBe("ineligible");
		expect(bonus({ technology: "Solar + Storage", lowIncomeCategory: 1 }).status).toBe("eligible");
	});

	it("requires the investment credit, which small wind with an award uses", () => {
		const small = { technology: "Wind", capacityMw: 4, lowIncomeCategory: 2 } as const;
		expect(creditOf(small)).toMatchObject({ type: "ITC", effectiveRate: 0.4, ptcCentsPerKwh: null });
		expect(creditOf({ ...small, elect: "ptc" })).toMatchObject({
			type: "PTC",
			effectiveRate: 0.3,
			ptcCentsPerKwh: 3.1,
		});
		expect(bonus({ technology: "Wind" })).toMatchObject({ status: "possible", bonus_pct: 0.1 });
	});

	it("applied only to wind and solar before 2025", () => {
		const before = { codYear: 2024, lowIncomeCategory: 1 } as const;
		expect(bonus({ ...before, technology: "Solar" }).eligible).toBe(true);
		expect(bonus({ ...before, technology: "Hydro" }).eligible).toBe(false);
	});
});
