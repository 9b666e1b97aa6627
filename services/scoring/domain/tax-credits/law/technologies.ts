/** The credits that each technology may claim, by the year placed in service (signals sheet 6.1, 6.6 step 1). */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import { law, type Row, type Technology, type Warning } from "../types.ts";
import { windSolarEnd } from "./end-dates.ts";
import { flatFuelCells, fuelCellsBegunBefore2025, type Regime } from "./regimes.ts";

/** A credit that the technology may claim. A technology with any credit may claim the investment credit. */
export interface Claim extends Row {
	readonly usualType: CreditType;
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

function claimsOfBothCredits(
	technology: Technology,
	usualType: CreditType,
	legacyLowIncome: boolean,
): readonly Claim[] {
	const legacyCredit = { usualType, mayProduce: true, lowIncome: legacyLowIncome };
	return [
		claim(`${technology}: section 48 or 45`, "26 USC 45(d), 48(a)", null, legacyEnd, legacyCredit),
		claim(`${technology}: section 48E or 45Y`, neutral, neutralStart, null, { ...legacyCredit, lowIncome: true }),
	];
}

function storageClaims(technology: Technology): TechnologyRule["claims"] {
	const itc = { usualType: "ITC", mayProduce: false, lowIncome: false } as const;
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

const nuclearClaims: TechnologyRule["claims"] = [
	refuse(
		"Nuclear placed in service before 2025 has no credit under sections 45 and 48 (section 45J is not computed)",
		"26 USC 45J",
		[null, legacyEnd],
		"ineligible",
		"NO_CREDIT",
	),
	claim("Nuclear: section 48E or 45Y", neutral, neutralStart, null, {
		usualType: "ITC",
		mayProduce: true,
		lowIncome: true,
	}),
];

const fuelCellCredit = { usualType: "ITC", mayProduce: false, lowIncome: false } as const;

const fuelCellClaims: TechnologyRule["claims"] = [
	claim("Fuel cells: section 48", "26 USC 48(c)(1)", null, legacyEnd, fuelCellCredit),
	{
		law: law("Fuel cells: by the day construction began", "26 USC 48(c)(1)(E), 48E", neutralStart, null),
		byConstruction: [
			claim("Fuel cells begun before 2025: section 48", "26 USC 48(c)(1)(E)", null, legacyEnd, {
				...fuelCellCredit,
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
				...fuelCellCredit,
				regime: flatFuelCells,
			}),
		],
	},
];

const emissionRefusals = (technology: Technology, what: string): TechnologyRule["claims"] => [
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

const fossilRefusals = (technology: Technology) => [
	refuse(
		`${technology} without carbon capture has no investment or production credit; capture (section 45Q) is not computed`,
		"26 USC 45Y(b)(1), 48E(b)(3)",
		always,
		"ineligible",
		"NO_CREDIT",
	),
];

const noPlantRefusals = (technology: Technology) => [
	refuse(`${technology} makes and stores no electricity`, "26 USC 45Y(b), 48E(b)", always, "ineligible", "NO_CREDIT"),
];

const unknownTechnologyRefusals = (rule: string) => [
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
	"The operator has suspended it, and it has no projected date in the future, so whether it is built in time is not known",
	windSolarEnd.law.citation,
	always,
	"requires_determination",
	"STALLED",
);

export const canceledPlant: Refusal = refuse(
	"The EIA lists its plant as canceled or postponed, so whether it is built is not known",
	"26 USC 45Y(b), 48E(b)",
	always,
	"requires_determination",
	"PLANT_CANCELLED",
);

const phaseDownRule = { ending: "phase_down", storage: false } as const;
const windSolarRule = { ending: "wind_solar", storage: false } as const;
const storageRule = { ending: "phase_down", storage: true } as const;
const combustion = "burning it needs a life-cycle analysis of greenhouse gases";

/** The lead years of storage, geothermal, hydro and nuclear are from signals sheet 6.6, step 8; the others are our estimates. */
export const technologyRules: readonly TechnologyRule[] = [
	{ technology: "Solar", ...windSolarRule, leadYears: 1, claims: claimsOfBothCredits("Solar", "ITC", true) },
	{ technology: "Wind", ...windSolarRule, leadYears: 1, claims: claimsOfBothCredits("Wind", "PTC", true) },
	{
		technology: "Offshore Wind",
		...windSolarRule,
		leadYears: 3,
		claims: claimsOfBothCredits("Offshore Wind", "ITC", true),
	},
	{ technology: "Storage", ...storageRule, leadYears: 2, claims: storageClaims("Storage") },
	{ technology: "Other Storage", ...storageRule, leadYears: 2, claims: storageClaims("Other Storage") },
	{ technology: "Pumped Storage", ...storageRule, leadYears: 4, claims: storageClaims("Pumped Storage") },
	{ technology: "Geothermal", ...phaseDownRule, leadYears: 4, claims: claimsOfBothCredits("Geothermal", "ITC", false) },
	{ technology: "Hydro", ...phaseDownRule, leadYears: 4, claims: claimsOfBothCredits("Hydro", "ITC", false) },
	{ technology: "Nuclear", ...phaseDownRule, leadYears: 6, claims: nuclearClaims },
	{ technology: "Fuel Cell", ...phaseDownRule, leadYears: 1, claims: fuelCellClaims },
	{ technology: "Biomass", ...phaseDownRule, leadYears: 2, claims: emissionRefusals("Biomass", combustion) },
	{ technology: "Waste", ...phaseDownRule, leadYears: 2, claims: emissionRefusals("Waste", combustion) },
	{
		technology: "Hydrogen",
		...phaseDownRule,
		leadYears: 2,
		claims: emissionRefusals("Hydrogen", "its emissions depend on how the hydrogen is made"),
	},
	{
		technology: "Waste Heat",
		...phaseDownRule,
		leadYears: 2,
		claims: emissionRefusals("Waste Heat", "only heat from sources without greenhouse gas qualifies"),
	},
	{ technology: "Gas", ...phaseDownRule, leadYears: 2, claims: fossilRefusals("Gas") },
	{ technology: "Coal", ...phaseDownRule, leadYears: 2, claims: fossilRefusals("Coal") },
	{ technology: "Oil", ...phaseDownRule, leadYears: 2, claims: fossilRefusals("Oil") },
	{ technology: "Transmission", ...phaseDownRule, leadYears: 2, claims: noPlantRefusals("Transmission") },
	{ technology: "Load", ...phaseDownRule, leadYears: 2, claims: noPlantRefusals("Load") },
	{
		technology: "Other",
		...phaseDownRule,
		leadYears: 2,
		claims: unknownTechnologyRefusals("The technology is stated only as other, so no credit is counted"),
	},
	{
		technology: "Unknown",
		...phaseDownRule,
		leadYears: 2,
		claims: unknownTechnologyRefusals("No technology is stated, so no credit is counted"),
	},
];
