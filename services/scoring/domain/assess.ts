/** Everything that is made of one request: its tax credit, and its score under each version. Pure. */
import type { DomesticContentBasis, JudgedDistressLevel } from "#libs/contract/vocabulary.ts";
import { findCounty } from "#libs/counties/find-county.ts";
import type { ProjectFacts } from "./facts.ts";
import { listWarnings, placeOf, type References } from "./places.ts";
import { hashInputs, inputsOf, judgedOn } from "./score/inputs.ts";
import type { Score } from "./score/score.ts";
import { scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { tablesOf } from "./score/versions/index.ts";
import { calculateCredit } from "./tax-credits/calculate.ts";
import type { BonusListings, Credit, LawOptions, Warning } from "./tax-credits/types.ts";

export interface Request {
	facts: ProjectFacts;
	/** Interconnection cost, USD a kW; null where no study's cost is loaded. */
	cost_usd_per_kw: number | null;
	developer: { distress: JudgedDistressLevel | null; operational: number; withdrawn: number } | null;
	/** Another open request looks the same. */
	duplicate: boolean;
}

/** What is the same for every request of a run. */
export interface Basis {
	/** Day of the scores and of the law, `YYYY-MM-DD`. */
	today: string;
	references: References;
	notice_2025_42: LawOptions["notice_2025_42"];
}

/** A row of the table `credits`, less its key. */
export interface CreditRow {
	credit_type: Credit["type"];
	status: Credit["status"];
	base_rate: number;
	phase_factor: number;
	effective_rate: number;
	at_risk_rate: number | null;
	estimated_value: number | null;
	energy_community_eligible: boolean | null;
	domestic_content_eligible: false | null;
	domestic_content_basis: DomesticContentBasis | null;
	low_income_eligible: boolean | null;
	/** Year placed in service that the rate is for. */
	cod_year: number;
	notice: string | null;
	warnings: string[];
}

export interface Assessed {
	credit: CreditRow;
	inputs: ScoreInputs;
	hash: string;
	scores: { version: number; score: Score }[];
}

/** Years from now that a request without a projected date that holds is taken to need: those that sign take longer in the median. */
const assumedYearsToOperation = 2;

/** MW. The largest request in the operators' lists states 3,200. */
const largestPlantMw = 10_000;

/** More of a plant that stands: its request states the whole plant's capacity, or a right and no steel at all. */
const increase = /\b(?:(?:up ?rate|upgrade|re-?rate|restart)s?\d*|(?:capacity|cir|mw) increases?)\b/i;

export function assess(request: Request, versions: readonly number[], basis: Basis): Assessed {
	const { facts, cost_usd_per_kw, developer, duplicate } = request;
	const credit = creditOf(facts, basis);
	const about = {
		// What needs a determination is unknown, which is not none.
		credit:
			credit.status === "requires_determination"
				? null
				: {
						effectiveRate: credit.effective_rate,
						conditional: credit.status === "conditional",
						type: credit.credit_type,
					},
		developer,
		costPerKw: cost_usd_per_kw,
		duplicate,
	};
	const inputs = inputsOf(facts, about, basis.today);
	return {
		credit,
		inputs,
		hash: hashInputs(inputs),
		scores: versions.map((version) => ({ version, score: scoreProject(inputs, tablesOf(version)) })),
	};
}

/** The credit with what explains it. */
export interface ExplainedCredit {
	credit: Credit;
	/** Year placed in service that the rate is for. */
	codYear: number;
	/** Null where none is stated that a plant can have, or the part that is added is not stated. */
	capacityMw: number | null;
	/** Those of the credit, of the lists, and of what had to be assumed of the request. */
	warnings: Warning[];
}

export function explainCredit(facts: ProjectFacts, { today, references, notice_2025_42 }: Basis): ExplainedCredit {
	const place = listingsOf(references, facts);
	const cod = assumedCod(facts, today);
	const isIncrease = facts.name !== null && increase.test(facts.name);
	const capacityMw = isIncrease ? null : believable(facts.capacity_mw);
	const credit = calculateCredit(
		{
			technology: facts.type_std,
			capacityMw,
			codYear: cod.year,
			constructionStart: null,
			underConstruction: facts.construction_stage === "construction",
			domesticContent: false,
			prevailingWage: true,
			lowIncomeCategory: null,
			elect: "auto",
		},
		place,
		{ asOf: today, notice_2025_42 },
	);
	const warnings = [
		...credit.warnings,
		...listWarnings(references, credit),
		...(credit.type === null || cod.warning === null ? [] : [cod.warning]),
		...(credit.type === null || !isIncrease ? [] : [existingPlant]),
	];
	return { credit, codYear: cod.year, capacityMw, warnings };
}

function creditOf(facts: ProjectFacts, basis: Basis): CreditRow {
	const { credit, codYear, warnings } = explainCredit(facts, basis);
	const { energyCommunity, lowIncome } = credit.bonuses;
	const undecided = credit.status === "requires_determination";
	return {
		credit_type: credit.type,
		status: credit.status,
		base_rate: credit.baseRate,
		phase_factor: credit.phaseFactor,
		effective_rate: credit.effectiveRate,
		at_risk_rate: credit.atRiskRate,
		estimated_value: credit.estimatedValue,
		energy_community_eligible: energyCommunity.status === "unknown" ? null : energyCommunity.status === "eligible",
		// No source publishes what a plant is built of: the law alone is known, and where it gives no bonus.
		domestic_content_eligible: undecided || credit.domesticContentAdder ? null : false,
		domestic_content_basis: undecided ? null : "technology",
		low_income_eligible: lowIncome.status === "unknown" ? null : lowIncome.status !== "ineligible",
		notice: energyCommunity.notice,
		cod_year: codYear,
		warnings: warnings.map(({ code }) => code),
	};
}

const codUnknown = (year: number): Warning => ({
	code: "COD_UNKNOWN",
	message: `No projected date is stated: placed in service in ${year} is assumed.`,
});
const codPassed = (cod: string, year: number): Warning => ({
	code: "COD_PASSED",
	message: `Its projected date (${cod}) has passed: placed in service in ${year} is assumed.`,
});
const existingPlant: Warning = {
	code: "EXISTING_PLANT",
	message: "It is more of a plant that stands; how much is added is not stated, so the credit has no value in dollars.",
};

/** What the lists say of the counties of a request. */
export const listingsOf = (references: References, facts: ProjectFacts): BonusListings =>
	placeAt(references, facts.fips, countiesBeside(facts));

/** Of each edition of the lists what they say of a place: thousands of requests lie in a few hundred. */
const places = new WeakMap<References, Map<string, BonusListings>>();

function placeAt(references: References, fips: string | null, otherFips: readonly string[]): BonusListings {
	const known = places.get(references) ?? new Map<string, BonusListings>();
	places.set(references, known);
	const key = [fips, ...otherFips].join();
	const place = known.get(key) ?? placeOf(references, { fips, otherFips });
	known.set(key, place);
	return place;
}

/** MW; null for what is no capacity of a plant. */
const believable = (mw: number | null): number | null => (mw !== null && mw > 0 && mw <= largestPlantMw ? mw : null);

/**
 * The year that the credit is judged for. A date that has passed was missed: who is building comes this year at the earliest, who is
 * not is where those are who state no date at all.
 */
function assumedCod(facts: ProjectFacts, today: string): { year: number; warning: Warning | null } {
	const { cod, construction_stage } = facts;
	const year = Number(today.slice(0, 4));
	if (cod !== null && cod >= judgedOn(facts, today)) return { year: Number(cod.slice(0, 4)), warning: null };
	const assumed = construction_stage === "construction" ? year : year + assumedYearsToOperation;
	return { year: assumed, warning: cod === null ? codUnknown(assumed) : codPassed(cod, assumed) };
}

/** FIPS codes of counties beyond the first, which has its own; a name that is no county of the state says nothing. */
export function countiesBeside({ state, counties, fips }: ProjectFacts): string[] {
	if (counties.length < 2 || state === null) return [];
	return counties.flatMap((name) => {
		const found = findCounty(state, name);
		return found !== undefined && "fips" in found && found.fips !== fips ? [found.fips] : [];
	});
}

// MERGED services/scoring/domain/assess.ts: What lists and events say of a credit, by the names of the columns of `/projects`. Pure.
export const creditColumns = (credit: CreditRow) => ({
	tax_credit_type: credit.credit_type,
	tax_credit_status: credit.status,
	effective_credit_rate: credit.effective_rate,
	estimated_credit_value: credit.estimated_value,
	energy_community_eligible: credit.energy_community_eligible,
	low_income_eligible: credit.low_income_eligible,
	domestic_content_eligible: credit.domestic_content_eligible,
	domestic_content_basis: credit.domestic_content_basis,
});
