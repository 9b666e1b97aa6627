import { describe, expect, it, test } from "vitest";
import { broward, codes, creditOf, listed, losAngeles } from "../../../../test/scoring/support/plants.ts";
import type { Credit, CreditInput } from "./types.ts";

const message = (credit: Credit, wanted: string) => credit.warnings.find(({ code }) => code === wanted)?.message;

describe("the end of wind and solar", () => {
	const late = (constructionStart: string | null, codYear = 2028, technology = "Solar") =>
		creditOf({ constructionStart, codYear, technology });

	it("does not affect construction begun by 2026-07-04, but affects a start a day later", () => {
		expect(late("2026-07-04")).toMatchObject({ status: "eligible", effectiveRate: 0.3 });
		expect(late("2026-07-05")).toMatchObject({ status: "terminated", effectiveRate: 0 });
		expect(codes(late("2026-07-05"))).toContain("TERMINATED");
	});

	it("does not affect plants placed in service by 2027, whenever begun", () => {
		expect(late("2026-07-05", 2027)).toMatchObject({ status: "eligible", effectiveRate: 0.3 });
		expect(late(null, 2027)).toMatchObject({ status: "eligible" });
		expect(late(null, 2028)).toMatchObject({ status: "conditional", effectiveRate: 0.3, atRiskRate: 0 });
	});

	it("is conditional up to 2030 if the beginning is unknown, and certain from 2031", () => {
		expect(late(null, 2030).status).toBe("conditional");
		expect(late(null, 2031)).toMatchObject({ status: "terminated", effectiveRate: 0 });
		expect(message(late(null, 2031), "TERMINATED")).toContain("Continuous work need not be proved");
	});

	it("holds for offshore wind and hybrids, not for other technologies", () => {
		expect(late("2027", 2029, "Offshore Wind").status).toBe("terminated");
		expect(late("2027", 2029, "Wind + Storage").status).toBe("terminated");
		expect(late("2027", 2029, "Geothermal").status).toBe("eligible");
	});

	it("makes a beginning stated only as 2026 conditional, unless placed in service by 2027", () => {
		expect(late("2026")).toMatchObject({ status: "conditional", atRiskRate: 0 });
		expect(codes(late("2026"))).toEqual(expect.arrayContaining(["CONDITIONAL", "BOC_YEAR_ONLY"]));
		expect(late("2026", 2027).status).toBe("eligible");
		expect(codes(late("2026", 2031))).toContain("CONTINUITY");
	});

	it("is met by a report of construction up to 2026-07-04, but not by a later one", () => {
		const reported = (underConstructionOn: string | null, codYear: number) =>
			creditOf({ codYear, listed: { underConstructionOn, stalled: false, canceled: false } });
		expect(reported("2026-07-04", 2029)).toMatchObject({ status: "eligible", effectiveRate: 0.3, atRiskRate: null });
		expect(reported("2026-07-04", 2029).assumptions).toContainEqual(expect.stringContaining("begun by 2026-07-04"));
		expect(codes(reported("2026-07-04", 2032))).toContain("CONTINUITY");
		const later = reported("2026-08-31", 2029);
		expect(later).toMatchObject({ status: "conditional", effectiveRate: 0.3, atRiskRate: 0 });
		expect(message(later, "CONDITIONAL")).toContain("not the day on which it began");
		expect(reported("2026-08-31", 2031).status).toBe("terminated");
		expect(reported("2026-08-31", 2027).status).toBe("eligible");
	});

	it("does not accept a filed date up to 2027 as evidence of service, but accepts a year stated by the caller", () => {
		for (const technology of ["Solar", "Wind", "Wind + Storage", "Offshore Wind"]) {
			const filed = creditOf({ technology, codYear: 2027, listed: listed(false) });
			expect(filed).toMatchObject({ status: "conditional", effectiveRate: 0.3, atRiskRate: 0 });
			expect(message(filed, "CONDITIONAL")).toContain("projected date is not evidence");
			expect(creditOf({ technology, codYear: 2027 }).status).toBe("eligible");
		}
		expect(creditOf({ technology: "Storage", codYear: 2027, listed: listed(false) }).status).toBe("eligible");
	});

	it("leaves the credit of a suspended plant without a future date undecided", () => {
		const stalled = (technology: string) =>
			creditOf({ technology, listed: { underConstructionOn: null, stalled: true, canceled: false } });
		expect(stalled("Offshore Wind")).toMatchObject({
			...{ type: null, status: "requires_determination", estimatedValue: null },
		});
		expect(codes(stalled("Solar + Storage"))).toEqual(["STALLED", "STORAGE_PART"]);
		expect(stalled("Storage")).toMatchObject({ type: "ITC", status: "eligible" });
	});
});

describe("a credit that has ended", () => {
	const ended = { constructionStart: "2027", codYear: 2029, domesticContent: true };

	it("has no value and no figures of one", () => {
		for (const technology of ["Solar", "Wind"]) {
			const credit = creditOf({ ...ended, technology }, losAngeles);
			expect(credit).toMatchObject({ status: "terminated", effectiveRate: 0, estimatedValue: 0 });
			expect(credit.assumptions.join()).not.toContain("Valued at");
		}
		expect(creditOf({ technology: "Wind" }).assumptions.join()).toContain("Valued at");
	});

	it("shows the bonuses that would be counted, and adds none", () => {
		const { bonuses, effectiveRate } = creditOf(ended, losAngeles);
		expect(bonuses.energyCommunity).toMatchObject({ eligible: true, bonus_pct: 0.1 });
		expect(bonuses.domesticContent).toMatchObject({ eligible: true, bonus_pct: 0.1 });
		expect(effectiveRate).toBe(0);
	});
});

describe("Notice 2025-42", () => {
	const warned = (changes: Partial<CreditInput>) =>
		codes(creditOf({ codYear: 2028, ...changes })).includes("NOTICE_2025_42");

	it("is mentioned for wind and larger solar begun since 2025-09-02 that depend on the start of construction", () => {
		expect(warned({ constructionStart: "2025-09-01" })).toBe(false);
		expect(warned({ constructionStart: "2025-09-02" })).toBe(true);
		expect(warned({ constructionStart: null })).toBe(true);
		expect(warned({ constructionStart: "2026-01-01", codYear: 2027 })).toBe(false);
		expect(warned({ constructionStart: "2026-07-05" })).toBe(false);
		expect(warned({ constructionStart: "2026-01-01", capacityMw: 1.5 })).toBe(false);
		expect(warned({ constructionStart: "2026-01-01", capacityMw: 1.5, technology: "Wind" })).toBe(true);
		expect(warned({ constructionStart: "2026-01-01", technology: "Storage" })).toBe(false);
	});

	it("changes the warning and no figure, whether vacated or in force", () => {
		const input = { constructionStart: "2026-01-01", codYear: 2028 };
		const vacated = creditOf(input, broward, { notice_2025_42: "vacated" });
		const inForce = creditOf(input, broward, { notice_2025_42: "in_force" });
		expect(message(vacated, "NOTICE_2025_42")).toContain("vacated");
		expect(message(inForce, "NOTICE_2025_42")).toContain("physical work");
		expect({ ...inForce, warnings: [] }).toEqual({ ...vacated, warnings: [] });
	});
});

describe("the phase-down of other technologies", () => {
	test.each([
		["2033", 1, 0.3, "eligible"],
		["2034", 0.75, 0.225, "eligible"],
		["2035", 0.5, 0.15, "eligible"],
		["2036", 0, 0, "terminated"],
	] as const)(
		"for construction begun in %s leaves the share %s",
		(constructionStart, phaseFactor, effectiveRate, status) => {
			const credit = creditOf({ technology: "Storage", constructionStart, codYear: 2037 });
			expect(credit).toMatchObject({ phaseFactor, effectiveRate, status, type: "ITC" });
			expect(codes(credit).includes("PHASE_DOWN")).toBe(phaseFactor === 0.75 || phaseFactor === 0.5);
			expect(codes(credit).includes("TERMINATED")).toBe(phaseFactor === 0);
		},
	);

	test.each([
		["Storage", 2],
		["Pumped Storage", 4],
		["Hydro", 4],
		["Geothermal", 4],
		["Nuclear", 6],
	])("assumes that %s begins %i years before service, and states it", (technology, years) => {
		const credit = creditOf({ technology, codYear: 2034 + years });
		expect(credit.phaseFactor).toBe(0.75);
		expect(credit.assumptions).toContainEqual(expect.stringContaining("begin in 2034"));
	});

	it("assumes a beginning of this year at the latest for a plant reported under construction", () => {
		const credit = creditOf({ technology: "Storage", codYear: 2037, listed: listed(true) });
		expect(credit.phaseFactor).toBe(1);
		expect(credit.assumptions).toContainEqual(expect.stringContaining("begun in 2026"));
	});

	it("assumes a beginning from this year on for other plants, but not after the year of service", () => {
		const begins = (codYear: number, asOf = "2026-11-20") =>
			creditOf({ technology: "Storage", codYear }, broward, { asOf }).assumptions.find((text) =>
				text.includes("begin in"),
			);
		expect(begins(2026)).toBe("Construction is assumed to begin in 2026: no earlier beginning is known.");
		expect(begins(2027)).toContain("begin in 2026:");
		expect(begins(2028)).toContain("begin in 2026, 2 years before");
		expect(begins(2030)).toContain("begin in 2028, 2 years before");
		expect(begins(2025)).toContain("begin in 2025:");
		expect(begins(2034, "2034-01-01")).toContain("begin in 2034:");
		const late = creditOf({ technology: "Storage", codYear: 2034 }, broward, { asOf: "2034-01-01" });
		expect(late.phaseFactor).toBe(0.75);
	});

	it("requires proof of continuous work after four years", () => {
		const begun = (codYear: number) => codes(creditOf({ technology: "Nuclear", constructionStart: "2027", codYear }));
		expect([begun(2031).includes("CONTINUITY"), begun(2032).includes("CONTINUITY")]).toEqual([false, true]);
	});

	it("states that the proof is required later offshore and on federal land", () => {
		const late = creditOf({ technology: "Offshore Wind", constructionStart: "2025", codYear: 2032 });
		expect(message(late, "CONTINUITY")).toContain("usually four years, longer offshore and on federal land");
	});
});
