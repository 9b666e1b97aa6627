/** The credits that each technology may claim, by the year placed in service (signals sheet 6.1, 6.6 step 1). */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import { law, type Row, type Technology, type Warning } from "../types.ts";
import { windSolarEnd } from "./end-dates.ts";
import { flatFuelCells, fuelCellsBegunBefore2025, type Regime } from "./regimes.ts";

/** A credit that the technology may claim. Every technology that may claim any may claim the investment credit. */
export interface Claim extends Row {
	readonly usual: CreditType;
	readonly mayProduce: boolean;
	readonly lowIncome: boolean;
	readonly regime?: Regime;
}

/** The technology may not claim a credit, or the inputs do not decide whether it may. */
export interface Refusal extends Row {
	readonly status: "ineligible" | "requires_determination";
	readonly warning: Warning;
}

interface ByConstruction extends Row {
	readonly byConstruction: readonly (Claim | Refusal)[];
}

export interface TechnologyRule {
	readonly technology: Technology;
	readonly ending: "wind_solar" | "phase_down";
	readonly storage: boolean;
	readonly leadYears: number;
	readonly claims: readonly (Claim | Refusal | ByConstruction)[];
}

const legacyEnd = "2024-12-31";
const neutralStart = "2025-01-01";
const neutral = "26 USC 45Y(b), 48E(b); TD 10024";

function claim(
	rule: string,
	citation: string,
	from: string | null,
	to: string | null,
	what: Omit<Claim, "law">,
): Claim {
	return { law: law(rule, citation, from, to), ...what };
}

function refuse(
	rule: string,
	citation: string,
	[from, to]: readonly [string | null, string | null],
	status: Refusal["status"],
	code: string,
): Refusal {
	return { law: law(rule, citation, from, to), status, warning: { code, message: `${rule}.` } };
}

const always = [null, null] as const;

function both(technology: Technology, usual: CreditType, legacyLowIncome: boolean): readonly Claim[] {
	const old = { usual, mayProduce: true, lowIncome: legacyLowIncome };
	return [
		claim(`${technology}: section 48 or 45`, "26 USC 45(d), 48(a)", null, legacyEnd, old),
		claim(`${technology}: section 48E or 45Y`, neutral, neutralStart, null, { ...old, lowIncome: true }),
	];
}

function storage(technology: Technology): TechnologyRule["claims"] {
	const itc = { usual: "ITC", mayProduce: false, lowIncome: false } as const;
	return [
		refuse(
			`${technology} by itself had no credit when placed in service before 2023`,
			"26 USC 48(c)(6); Pub. L. 117-169 §13102",
			[null, "2022-12-31"],
			"ineligible",
			"NO_CREDIT",
		),
		claim(`${technology}: section 48`, "26 USC 48(c)(6)", "2023-01-01", legacyEnd, itc),
		claim(`${technology}: section 48E, investment credit only`, "26 USC 48E(c)(2)", neutralStart, null, itc),
	];
}

const nuclear: TechnologyRule["claims"] = [
	refuse(
		"Nuclear placed in service before 2025 has no credit under sections 45 and 48 (section 45J is not computed)",
		"26 USC 45J",
		[null, legacyEnd],
		"ineligible",
		"NO_CREDIT",
	),
	claim("Nuclear: section 48E or 45Y", neutral, neutralStart, null, {
		usual: "ITC",
		mayProduce: true,
		lowIncome: true,
	}),
];

const cell = { usual: "ITC", mayProduce: false, lowIncome: false } as const;

const fuelCell: TechnologyRule["claims"] = [
	claim("Fuel cells: section 48", "26 USC 48(c)(1)", null, legacyEnd, cell),
	{
		law: law("Fuel cells: by the day construction began", "26 USC 48(c)(1)(E), 48E", neutralStart, null),
		byConstruction: [
			claim("Fuel cells begun before 2025: section 48", "26 USC 48(c)(1)(E)", null, legacyEnd, {
				...cell,
				regime: fuelCellsBegunBefore2025,
			}),
			refuse(
				"Fuel cells begun in 2025 need a determination that they emit no greenhouse gas",
				"26 USC 48E(b)(3)",
				[neutralStart, "2025-12-31"],
				"requires_determination",
				"REQUIRES_GHG_DETERMINATION",
			),
			claim("Fuel cells begun after 2025: section 48E, flat rate", "Pub. L. 119-21 §70513", "2026-01-01", null, {
				...cell,
				regime: flatFuelCells,
			}),
		],
	},
];

const emission = (technology: Technology, what: string): TechnologyRule["claims"] => [
	refuse(
		`${technology} placed in service before 2025: whether sections 45 or 48 cover it depends on its fuel and process`,
		"26 USC 45(d), 48(c)",
		[null, legacyEnd],
		"requires_determination",
		"REQUIRES_DETERMINATION",
	),
	refuse(
		`${technology}: ${what}, so no credit is counted`,
		"26 USC 45Y(b)(2), 48E(b)(3); TD 10024",
		[neutralStart, null],
		"requires_determination",
		"REQUIRES_GHG_DETERMINATION",
	),
];

const fossil = (technology: Technology) => [
	refuse(
		`${technology} without carbon capture has no investment or production credit; capture (section 45Q) is not computed`,
		"26 USC 45Y(b)(1), 48E(b)(3)",
		always,
		"ineligible",
		"NO_CREDIT",
	),
];

const noPlant = (technology: Technology) => [
	refuse(`${technology} makes and stores no electricity`, "26 USC 45Y(b), 48E(b)", always, "ineligible", "NO_CREDIT"),
];

const unnamed = (rule: string) => [
	refuse(rule, "26 USC 45Y(b), 48E(b)", always, "requires_determination", "TECHNOLOGY_UNKNOWN"),
];

export const unknownTechnology: Refusal = refuse(
	"These rules do not cover this technology, so no credit is counted",
	"26 USC 45Y(b), 48E(b)",
	always,
	"requires_determination",
	"TECHNOLOGY_UNKNOWN",
);

/** Only for wind and solar, whose credit depends on when they are built. */
export const stalledPlant: Refusal = refuse(
	"The operator has suspended it, and no projected date lies ahead: whether it is built in time is not known",
	windSolarEnd.law.citation,
	always,
	"requires_determination",
	"STALLED",
);

export const cancelledPlant: Refusal = refuse(
	"The EIA lists its plant as cancelled or postponed: whether it is built is not known",
	"26 USC 45Y(b), 48E(b)",
	always,
	"requires_determination",
	"PLANT_CANCELLED",
);

const plain = { ending: "phase_down", storage: false } as const;
const windSolar = { ending: "wind_solar", storage: false } as const;
const stored = { ending: "phase_down", storage: true } as const;
const combustion = "burning it needs a life-cycle analysis of greenhouse gases";

/** The lead years of storage, geothermal, hydro and nuclear are from signals sheet 6.6, step 8; the others are our estimates. */
export const technologyRules: readonly TechnologyRule[] = [
	{ technology: "Solar", ...windSolar, leadYears: 1, claims: both("Solar", "ITC", true) },
	{ technology: "Wind", ...windSolar, leadYears: 1, claims: both("Wind", "PTC", true) },
	{ technology: "Offshore Wind", ...windSolar, leadYears: 3, claims: both("Offshore Wind", "ITC", true) },
	{ technology: "Storage", ...stored, leadYears: 2, claims: storage("Storage") },
	{ technology: "Other Storage", ...stored, leadYears: 2, claims: storage("Other Storage") },
	{ technology: "Pumped Storage", ...stored, leadYears: 4, claims: storage("Pumped Storage") },
	{ technology: "Geothermal", ...plain, leadYears: 4, claims: both("Geothermal", "ITC", false) },
	{ technology: "Hydro", ...plain, leadYears: 4, claims: both("Hydro", "ITC", false) },
	{ technology: "Nuclear", ...plain, leadYears: 6, claims: nuclear },
	{ technology: "Fuel Cell", ...plain, leadYears: 1, claims: fuelCell },
	{ technology: "Biomass", ...plain, leadYears: 2, claims: emission("Biomass", combustion) },
	{ technology: "Waste", ...plain, leadYears: 2, claims: emission("Waste", combustion) },
	{
		technology: "Hydrogen",
		...plain,
		leadYears: 2,
		claims: emission("Hydrogen", "its emissions depend on how the hydrogen is made"),
	},
	{
		technology: "Waste Heat",
		...plain,
		leadYears: 2,
		claims: emission("Waste Heat", "only heat from sources without greenhouse gas qualifies"),
	},
	{ technology: "Gas", ...plain, leadYears: 2, claims: fossil("Gas") },
	{ technology: "Coal", ...plain, leadYears: 2, claims: fossil("Coal") },
	{ technology: "Oil", ...plain, leadYears: 2, claims: fossil("Oil") },
	{ technology: "Transmission", ...plain, leadYears: 2, claims: noPlant("Transmission") },
	{ technology: "Load", ...plain, leadYears: 2, claims: noPlant("Load") },
	{
		technology: "Other",
		...plain,
		leadYears: 2,
		claims: unnamed("The technology is stated only as other, so no credit is counted"),
	},
	{
		technology: "Unknown",
		...plain,
		leadYears: 2,
		claims: unnamed("No technology is stated, so no credit is counted"),
	},
];
