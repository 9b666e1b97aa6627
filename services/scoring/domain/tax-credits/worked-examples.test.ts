import { describe, expect, it, test } from "vitest";
import { broward, codes, creditOf, losAngeles, nueces, place } from "../../../../test/scoring/support/plants.ts";
import type { BonusListings, Credit, CreditInput } from "./types.ts";

/** Base, energy community, domestic content, low income (each as counted), factor, effective rate. */
type Rates = [number, number, number, number, number, number];

interface Example {
	what: string;
	input: Partial<CreditInput>;
	where?: BonusListings;
	rates: Rates;
	more?: Partial<Credit>;
}

const counted = ({ eligible, bonus_pct }: { eligible: boolean; bonus_pct: number }) => (eligible ? bonus_pct : 0);

const small: Partial<CreditInput> = { capacityMw: 4, lowIncomeCategory: 1 };
const logan = place("eligible", "eligible");
const windNueces: Partial<CreditInput> = {
	technology: "Wind",
	capacityMw: 200,
	constructionStart: "2025",
	codYear: 2027,
};
const nuclear: Partial<CreditInput> = {
	technology: "Nuclear",
	capacityMw: 300,
	constructionStart: "2027",
	codYear: 2031,
};

/** Numbered as in the signals sheet, 6.7. */
const examples: Example[] = [
	{ what: "1: solar in an energy community", input: {}, where: losAngeles, rates: [0.3, 0.1, 0, 0, 1, 0.4] },
	{
		what: "2: with domestic content, begun in 2026",
		input: { domesticContent: true, constructionStart: "2026" },
		where: losAngeles,
		rates: [0.3, 0.1, 0.1, 0, 1, 0.5],
		more: { status: "eligible" },
	},
	{ what: "3: solar outside", input: {}, rates: [0.3, 0, 0, 0, 1, 0.3] },
	{
		what: "4: solar begun and placed too late",
		input: { constructionStart: "2027", codYear: 2029 },
		rates: [0.3, 0, 0, 0, 0, 0],
		more: { status: "terminated", type: "ITC" },
	},
	{
		what: "5: begun in 2025, placed in the fourth year",
		input: { constructionStart: "2025", codYear: 2029 },
		rates: [0.3, 0, 0, 0, 1, 0.3],
		more: { status: "eligible" },
	},
	{
		what: "5: placed in the fifth",
		input: { constructionStart: "2025", codYear: 2030 },
		rates: [0.3, 0, 0, 0, 1, 0.3],
		more: { status: "eligible" },
	},
	{
		what: "6: the beginning of construction is not stated",
		input: { codYear: 2029 },
		rates: [0.3, 0, 0, 0, 1, 0.3],
		more: { status: "conditional", atRiskRate: 0 },
	},
	{
		what: "6: the same in 2031",
		input: { codYear: 2031 },
		rates: [0.3, 0, 0, 0, 0, 0],
		more: { status: "terminated", atRiskRate: null },
	},
	{
		what: "7: storage begun in 2029 with domestic content",
		input: { technology: "Storage", capacityMw: 50, constructionStart: "2029", codYear: 2030, domesticContent: true },
		where: nueces,
		rates: [0.3, 0.1, 0.1, 0, 1, 0.5],
	},
	{
		what: "8: storage begun in 2034, adders phased down too",
		input: { technology: "Storage", capacityMw: 50, constructionStart: "2034", codYear: 2036 },
		where: losAngeles,
		rates: [0.3, 0.1, 0, 0, 0.75, 0.3],
	},
	{
		what: "9: below 1 MW without prevailing wages",
		input: { capacityMw: 0.8, prevailingWage: false },
		rates: [0.3, 0, 0, 0, 1, 0.3],
	},
	{ what: "10: low-income award of category 1", input: small, where: logan, rates: [0.3, 0.1, 0, 0.1, 1, 0.5] },
	{
		what: "10: of category 4",
		input: { ...small, lowIncomeCategory: 4 },
		where: logan,
		rates: [0.3, 0.1, 0, 0.2, 1, 0.6],
	},
	{
		what: "10: without an award",
		input: { ...small, lowIncomeCategory: null },
		where: logan,
		rates: [0.3, 0.1, 0, 0, 1, 0.4],
	},
	{
		what: "10: without prevailing wages, which do not scale the award",
		input: { ...small, prevailingWage: false },
		where: logan,
		rates: [0.06, 0.02, 0, 0.1, 1, 0.18],
	},
	{
		what: "11: adders at the base rate",
		input: { prevailingWage: false, domesticContent: true },
		where: losAngeles,
		rates: [0.06, 0.02, 0.02, 0, 1, 0.1],
	},
	{
		what: "12: wind in an energy community",
		input: windNueces,
		where: nueces,
		rates: [0.3, 0.1, 0, 0, 1, 0.4],
		more: { type: "PTC", ptcCentsPerKwh: 3.41, ptcRateYear: 2026 },
	},
	{ what: "12: outside", input: windNueces, rates: [0.3, 0, 0, 0, 1, 0.3], more: { ptcCentsPerKwh: 3.1 } },
	{
		what: "12: with domestic content too",
		input: { ...windNueces, domesticContent: true },
		where: nueces,
		rates: [0.3, 0.1, 0.1, 0, 1, 0.5],
		more: { ptcCentsPerKwh: 3.72 },
	},
	{
		what: "12: outside and without prevailing wages",
		input: { ...windNueces, prevailingWage: false },
		rates: [0.06, 0, 0, 0, 1, 0.06],
		more: { ptcCentsPerKwh: 0.6 },
	},
	{ what: "13: nuclear in a coal tract", input: nuclear, where: losAngeles, rates: [0.3, 0.1, 0, 0, 1, 0.4] },
	{ what: "13: only the county known", input: nuclear, where: place("possible"), rates: [0.3, 0, 0, 0, 1, 0.3] },
	{
		what: "14: fuel cells begun after 2025",
		input: { technology: "Fuel Cell", capacityMw: 10, constructionStart: "2026", domesticContent: true },
		where: losAngeles,
		rates: [0.3, 0, 0, 0, 1, 0.3],
		more: { domesticContentAdder: false },
	},
	{
		what: "15: gas",
		input: { technology: "Gas", capacityMw: 500 },
		where: losAngeles,
		rates: [0, 0, 0, 0, 0, 0],
		more: { type: null, status: "ineligible" },
	},
	{
		what: "16: storage begun in 2035 with domestic content",
		input: { technology: "Storage", capacityMw: 50, constructionStart: "2035", codYear: 2037, domesticContent: true },
		where: nueces,
		rates: [0.3, 0.1, 0.1, 0, 0.5, 0.25],
	},
	{
		what: "17: an award for 5 MW",
		input: { capacityMw: 5, lowIncomeCategory: 1 },
		where: place("ineligible", "eligible"),
		rates: [0.3, 0, 0, 0, 1, 0.3],
	},
];

test.each(examples)("example $what", ({ input, where = broward, rates, more = {} }) => {
	const credit = creditOf(input, where);
	const { energyCommunity, domesticContent, lowIncome } = credit.bonuses;
	const bonuses = [energyCommunity, domesticContent, lowIncome].map(counted);
	expect([credit.baseRate, ...bonuses, credit.phaseFactor, credit.effectiveRate]).toEqual(rates);
	expect(credit).toMatchObject(more);
});

describe("statements of the examples besides the rate", () => {
	const feoc = (changes: Partial<CreditInput>) =>
		creditOf(changes).warnings.find(({ code }) => code === "FEOC")?.message ?? "";

	it("2: the threshold of domestic content is half, and 7: from 2027 on 55 %", () => {
		const required = (changes: Partial<CreditInput>) => creditOf(changes).bonuses.domesticContent.requiredPct;
		expect(required({ constructionStart: "2026" })).toBe(0.5);
		expect(required({ technology: "Storage", constructionStart: "2029", codYear: 2030 })).toBe(0.55);
	});

	it("5: the fifth year after the beginning requires proof of continuous work, the fourth does not", () => {
		expect(codes(creditOf({ constructionStart: "2025", codYear: 2029 }))).not.toContain("CONTINUITY");
		expect(codes(creditOf({ constructionStart: "2025", codYear: 2030 }))).toContain("CONTINUITY");
	});

	it("7: 70 % of storage begun in 2029 must be free of prohibited foreign entities", () => {
		expect(feoc({ technology: "Storage", constructionStart: "2029", codYear: 2030 })).toContain("70 %");
	});

	it("10: without an award the bonus is shown as possible", () => {
		expect(creditOf({ ...small, lowIncomeCategory: null }, logan).bonuses.lowIncome).toMatchObject({
			eligible: false,
			status: "possible",
			bonus_pct: 0.1,
		});
	});

	it("13: for a county with coal tracts the bonus is shown as possible, with a warning", () => {
		const credit = creditOf(nuclear, place("possible"));
		expect(credit.bonuses.energyCommunity).toMatchObject({ eligible: false, status: "possible", bonus_pct: 0.1 });
		expect(codes(credit)).toContain("EC_COUNTY_ONLY");
	});
});

describe("the estimated value", () => {
	it("of 100 MW of solar at 40 % is $63,520,000", () => {
		expect(creditOf({}, losAngeles).estimatedValue).toBe(63_520_000);
	});

	it("of 200 MW of wind at 3.1 cents is $138.5 million over ten years", () => {
		const value = creditOf(windNueces).estimatedValue ?? 0;
		expect(Math.round(value / 100_000) / 10).toBe(138.5);
		expect(value).toBeCloseTo(20_638_560 * 6.7101, -3);
	});

	it("of batteries uses the state's hours in the newest year up to the year of service, else the country's", () => {
		const hours = (state: string | null, codYear: number) => {
			const battery = creditOf({ technology: "Storage", state, codYear });
			expect(battery.assumptions.join()).toContain(
				`in ${state === "TX" || state === "NY" ? state : "the United States"}`,
			);
			return (battery.estimatedValue ?? 0) / (100_000 * 436 * 0.3);
		};
		expect([hours("TX", 2024), hours("TX", 2028), hours("TX", 2035)]).toEqual([1, 2, 2]);
		expect([hours("NY", 2023), hours("NY", 2026), hours("OH", 2028)].map((each) => Math.round(each * 10) / 10)).toEqual(
			[...[4.3, 4.3, 4]],
		);
		expect(hours(null, 2023)).toBe(2);
	});

	it("is null with a reason if neither cost nor capacity is known", () => {
		const hydro = creditOf({ technology: "Hydro", constructionStart: "2026" });
		expect([hydro.effectiveRate, hydro.estimatedValue]).toEqual([0.3, null]);
		expect(hydro.assumptions).toContainEqual(expect.stringContaining("no cost"));
		const unknown = creditOf({ capacityMw: null });
		expect([unknown.effectiveRate, unknown.estimatedValue]).toEqual([0.3, null]);
		expect(unknown.assumptions).toContainEqual(expect.stringContaining("capacity is not known"));
	});
});
