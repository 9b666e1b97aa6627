/**
 * The two regimes of credits: sections 48 (investment) and 45 (production), and their successors 48E and 45Y. The rates are from signals
 * sheet 6.2 and 6.3. A plant placed in service after 2024 whose construction began before 2025 may choose its regime.
 */
import { type Citation, type LowIncomeCategory, law, type Row } from "../types.ts";

/** Cents per kWh, by the calendar year of the sale. */
export interface ProductionRate extends Row {
	readonly year: number;
	/** The inflation adjustment factor from which the amounts are computed. */
	readonly factor: number;
	readonly base: number;
	readonly full: number;
}

interface LowIncome extends Row {
	/** The capacity must be below this (MW AC). */
	readonly belowMw: number;
	/** Points added, the same at the base and at the full rate. */
	readonly byCategory: Readonly<Record<LowIncomeCategory, number>>;
	readonly minPoints: number;
}

export interface Adders {
	/** Points that energy community and domestic content each add to the investment credit, at the full and the base rate. */
	readonly pointsAtFullRate: number;
	readonly pointsAtBaseRate: number;
	/** Share of the unadjusted production credit that each adds. */
	readonly shareOfProduction: number;
	readonly energyCommunity: Citation;
	readonly domesticContent: Citation;
	readonly lowIncome: LowIncome;
}

export interface Regime extends Row {
	/** Rate of the investment credit, or the rate equivalent to a production credit, without prevailing wages. */
	readonly base: number;
	/** The same with prevailing wages. */
	readonly full: number;
	/** Whether the full rate applies even without prevailing wages. */
	readonly isFlat: boolean;
	readonly production: readonly ProductionRate[];
	readonly adders: Adders | null;
	/** Whether the end dates of 2025 and the rules on foreign entities apply. */
	readonly hasEndDates: boolean;
}

export const prevailingWage = {
	law: law(
		"Full rate without prevailing wages: below 1 MW AC, or construction begun before 2023-01-29",
		"26 USC 45(b)(6)(B), 45Y(a)(2)(B), 48(a)(9)(B), 48E(a)(2)(A)(ii); Notice 2022-61",
		"2022-01-01",
		null,
	),
	exemptBelowMw: 1,
	exemptBegunBefore: "2023-01-29",
} as const;

function createProductionRate(
	section: string,
	year: number,
	factor: number,
	full: number,
	publication: string,
): ProductionRate {
	const rule = `Production credit of section ${section}: 0.6 or ${full.toFixed(1)} cents a kWh sold in ${year} (factor ${factor})`;
	return { law: law(rule, publication, `${year}-01-01`, `${year}-12-31`), year, factor, base: 0.6, full };
}

/** For plants placed in service after 2021. The full rate is five times the base amount, which is rounded to 0.05 cents. */
export const section45: readonly ProductionRate[] = [
	createProductionRate("45", 2024, 1.9499, 3, "26 USC 45(b)(2); 89 FR 56924"),
	createProductionRate("45", 2025, 1.9971, 3, "26 USC 45(b)(2); 90 FR 22438, FR Doc 2025-09366"),
	createProductionRate("45", 2026, 2.057, 3, "26 USC 45(b)(2), factor of 2026"),
];

/** The base amount is rounded to 0.05 cents, the alternative amount (the full rate) to 0.1 cents. */
export const section45Y: readonly ProductionRate[] = [
	createProductionRate("45Y", 2025, 1.9971, 3, "26 USC 45Y(c); 90 FR 41477, FR Doc 2025-16249"),
	createProductionRate("45Y", 2026, 2.057, 3.1, "26 USC 45Y(c); 91 FR 56942, FR Doc 2026-18105"),
];

const points = { pointsAtFullRate: 0.1, pointsAtBaseRate: 0.02, shareOfProduction: 0.1 } as const;

/** Low-income allocations are only for plants below this capacity (MW AC). */
export const lowIncomeBelowMw = 5;

const allocation = {
	belowMw: lowIncomeBelowMw,
	byCategory: { 1: 0.1, 2: 0.1, 3: 0.2, 4: 0.2 },
	minPoints: 0.1,
} as const;

const lowIncomeRule = `Low-income allocation, below ${lowIncomeBelowMw} MW AC: 10 points (cat. 1, 2) or 20 (cat. 3, 4)`;

function adders(from: string, to: string | null, community: string, content: string, income: string): Adders {
	return {
		...points,
		energyCommunity: law("Energy community: 10 or 2 points, or 10 % of the production credit", community, from, to),
		domesticContent: law("Domestic content: 10 or 2 points, or 10 % of the production credit", content, from, to),
		lowIncome: { law: law(lowIncomeRule, income, from, to), ...allocation },
	};
}

const rates = { base: 0.06, full: 0.3, isFlat: false } as const;
const legacy = { ...rates, production: section45, hasEndDates: false } as const;

/** Last day to begin construction of a plant that sections 48 and 45 cover. */
export const legacyLastBegun = "2024-12-31";

/** Regimes by the day on which the plant is placed in service. */
export const regimes: readonly Regime[] = [
	{
		...legacy,
		law: law(
			"Sections 48 and 45: 6 %, or 30 % with prevailing wages (placed in service 2022, before the adders)",
			"26 USC 45, 48; Pub. L. 117-169 §§13101-13102",
			"2022-01-01",
			"2022-12-31",
		),
		adders: null,
	},
	{
		...legacy,
		law: law(
			"Sections 48 and 45: 6 %, or 30 % with prevailing wages (placed in service 2023 or 2024)",
			"26 USC 45, 48; Pub. L. 117-169 §§13101-13103",
			"2023-01-01",
			"2024-12-31",
		),
		adders: adders(
			"2023-01-01",
			"2024-12-31",
			"26 USC 45(b)(11), 48(a)(14)",
			"26 USC 45(b)(9), 48(a)(12)",
			"26 USC 48(e)",
		),
	},
	{
		...rates,
		law: law(
			"Sections 48E and 45Y: 6 %, or 30 % with prevailing wages (placed in service after 2024)",
			"26 USC 45Y, 48E; Pub. L. 117-169 §§13701-13702; Pub. L. 119-21 §§70512-70513",
			"2025-01-01",
			null,
		),
		production: section45Y,
		hasEndDates: true,
		adders: adders(
			"2025-01-01",
			null,
			"26 USC 45Y(g)(7), 48E(a)(3)(A); Notice 2023-29",
			"26 USC 45Y(g)(11), 48E(a)(3)(B)",
			"26 USC 48E(h); TD 10025, 90 FR 2842",
		),
	},
];

/** Fuel cells may use section 48 or get a flat rate (`flatFuelCells`), by the day construction began and regardless of their fuel. */
export const fuelCellsBegunBefore2025: Regime = {
	...legacy,
	law: law(
		"Section 48 chosen for fuel cells begun before 2025: 6 %, or 30 % with prevailing wages",
		"26 USC 48(c)(1)(E)",
		null,
		"2024-12-31",
	),
	adders: adders("2023-01-01", null, "26 USC 48(a)(14); Notice 2023-29", "26 USC 48(a)(12)", "26 USC 48(e)"),
};

export const flatFuelCells: Regime = {
	...rates,
	law: law(
		"Section 48E for fuel cells begun after 2025: 30 %, without wage test, emission test or adders",
		"26 USC 48E; Pub. L. 119-21 §70513",
		"2026-01-01",
		null,
	),
	isFlat: true,
	production: section45Y,
	adders: null,
	hasEndDates: true,
};
