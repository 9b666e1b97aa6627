/** Computes the tax credit of a request and its score. Pure. */
import { findCounty } from "#libs/counties/find-county.ts";
import { largestPlantMw, type ProjectFacts } from "./facts.ts";
import { listWarnings, lookUpListings, type References } from "./places.ts";
import { reactorCounties } from "./reactor-counties.ts";
import { monthsFrom } from "./score/chance.ts";
import { type About, hashInputs, inputsOf, judgedOn } from "./score/inputs.ts";
import type { Score } from "./score/score.ts";
import { chanceWithin, scoreProject } from "./score/score-project.ts";
import type { ScoreInputs } from "./score/tables.ts";
import { scoreTables } from "./score/version.ts";
import { calculateCredit } from "./tax-credits/calculate.ts";
import { legacyLastBegun, regimes } from "./tax-credits/law/regimes.ts";
import { computeExpectedCredit, splitHybrid, sumValues } from "./tax-credits/parts.ts";
import { plantOf } from "./tax-credits/plant.ts";
import type { BonusListings, LawOptions, Warning } from "./tax-credits/types.ts";

export interface Request extends Pick<About, "developer" | "duplicate"> {
	facts: ProjectFacts;
	/** Interconnection cost (USD per kW); null if no cost of a study is loaded. */
	cost_usd_per_kw: number | null;
}

export interface Basis {
	today: string;
	references: References;
	notice_2025_42: LawOptions["notice_2025_42"];
}

export interface AssessedRequest {
	explained: ReturnType<typeof explainCredit>;
	credit: ReturnType<typeof toCreditRow> & ReturnType<typeof computeExpectedCredit>;
	inputs: ScoreInputs;
	hash: string;
	score: Score;
}

/** Years to operation assumed for a request without a valid projected date. With an agreement the median is longer. */
const assumedYearsToOperation = 2;

/** Matches names of requests that enlarge an existing plant. Their filed capacity is that of the whole plant, or only a right to inject. */
const increasePattern = /\b(?:(?:up ?rate|upgrade|re-?rate|restart)s?\d*|(?:capacity|cir|mw) increases?)\b/i;

export function assess(request: Request, basis: Basis): AssessedRequest {
	const { facts, cost_usd_per_kw, developer, duplicate } = request;
	const explained = explainCredit(facts, basis);
	const { status, effectiveRate, type } = explained.credit;
	// If the credit needs a determination, it is not known whether there is one. That is not the same as no credit.
	const isKnown = status !== "requires_determination";
	const about = {
		credit: isKnown ? { effectiveRate, conditional: status === "conditional", type } : null,
		developer,
		costPerKw: cost_usd_per_kw,
		duplicate,
	};
	const inputs = inputsOf(facts, about, basis.today);
	const score = scoreProject(inputs, scoreTables);
	const chanceBy = (day: string | null) =>
		day === null || inputs.judged_from === null
			? score.candidate.p_cod_36
			: chanceWithin(inputs, scoreTables, monthsFrom(inputs.judged_from, day));
	return {
		explained,
		credit: { ...toCreditRow(explained), ...computeExpectedCredit(type === null ? [] : explained.parts, chanceBy) },
		inputs,
		hash: hashInputs(inputs),
		score,
	};
}

export function explainCredit(facts: ProjectFacts, { today, references, notice_2025_42 }: Basis) {
	const listings = findListings(references, facts);
	const assumedCod = assumeCod(facts, today);
	const { added_type_std: addedTechnology } = facts;
	const isChange = facts.request_class === "modification" && addedTechnology === null;
	const isIncrease = isChange || (facts.name !== null && increasePattern.test(facts.name));
	const capacityMw = isIncrease
		? null
		: plausibleMegawatts(addedTechnology === null ? facts.capacity_mw : facts.incremental_mw);
	const technology = addedTechnology ?? facts.type_std;
	// Operators' lists do not state when construction began, only that it had begun by the day of the list.
	const hasBegun = facts.plant_state === "under_construction";
	const begunBy = hasBegun ? (facts.construction_begun_by ?? judgedOn(facts, today)) : null;
	const parts = technology.includes(" + ")
		? splitHybrid(technology, addedTechnology === null ? facts.components : [])
		: [];
	const noValueWarning = isIncrease
		? existingPlant
		: (findReasonWithoutValue(facts, technology, begunBy) ?? (parts ? null : unknownParts));
	const creditOfPart = (name: string, megawatts: number | null) =>
		calculateCredit(
			{
				technology: name,
				capacityMw: megawatts,
				state: facts.state,
				codYear: assumedCod.year,
				constructionStart: null,
				listed: {
					underConstructionOn: begunBy,
					canceled: facts.plant_report === "cancelled",
					stalled: facts.status_std === "Suspended" && assumedCod.warning !== null,
				},
				noValueWarning,
				domesticContent: false,
				prevailingWage: true,
				lowIncomeCategory: null,
				elect: "auto",
			},
			listings,
			{ asOf: today, notice_2025_42 },
		);
	const mainPart = parts?.find((part) => part.technology === plantOf(technology)?.rule.technology);
	const mainCredit = creditOfPart(technology, mainPart?.capacityMw ?? capacityMw);
	const otherParts =
		mainCredit.type === null || noValueWarning !== null ? [] : (parts ?? []).filter((part) => part !== mainPart);
	const otherCredits = otherParts.map((part) => creditOfPart(part.technology, part.capacityMw));
	const otherAssumptions = otherCredits.flatMap(({ assumptions }, at) =>
		assumptions.map((text) => `${otherParts[at]?.technology} part: ${text}`),
	);
	const credit = {
		...mainCredit,
		estimatedValue: sumValues([mainCredit, ...otherCredits]),
		assumptions: [...mainCredit.assumptions, ...otherAssumptions],
	};
	const warnings = [
		...credit.warnings,
		...listWarnings(references, credit),
		...(credit.type === null || assumedCod.warning === null ? [] : [assumedCod.warning]),
	];
	return { credit, parts: [mainCredit, ...otherCredits], codYear: assumedCod.year, capacityMw, warnings };
}

export type CreditRow = AssessedRequest["credit"];

function toCreditRow({ credit, codYear, warnings }: ReturnType<typeof explainCredit>) {
	const { energyCommunity, lowIncome } = credit.bonuses;
	const isUndecided = credit.status === "requires_determination";
	return {
		credit_type: credit.type,
		status: credit.status,
		base_rate: credit.baseRate,
		phase_factor: credit.phaseFactor,
		effective_rate: credit.effectiveRate,
		at_risk_rate: credit.atRiskRate,
		estimated_value: credit.estimatedValue,
		energy_community_eligible: energyCommunity.status === "unknown" ? null : energyCommunity.status === "eligible",
		// No source publishes the domestic content of plants: null if the credit has such a bonus, and false if it has none.
		domestic_content_eligible: isUndecided || credit.domesticContentAdder ? null : (false as const),
		domestic_content_basis: isUndecided ? null : ("technology" as const),
		low_income_eligible: lowIncome.status === "unknown" ? null : lowIncome.status !== "ineligible",
		notice: energyCommunity.notice,
		cod_year: codYear,
		warnings: warnings.map(({ code }) => code),
	};
}

const warnOfUnknownCod = (year: number): Warning => ({
	code: "COD_UNKNOWN",
	message: `No projected date is filed, so the plant is assumed to be placed in service in ${year}.`,
});
const warnOfPassedCod = (cod: string, year: number): Warning => ({
	code: "COD_PASSED",
	message: `Its projected date (${cod}) has passed, so the plant is assumed to be placed in service in ${year}.`,
});
const existingPlant: Warning = {
	code: "EXISTING_PLANT",
	message: "The request adds to an existing plant, but not how much is filed, so the credit has no value in dollars.",
};
const unknownParts: Warning = {
	code: "PARTS_UNKNOWN",
	message:
		"The operator does not publish the MW of each part of the hybrid. The parts differ in cost, so the credit has no value in dollars.",
};
const reactorSite: Warning = {
	code: "REACTOR_SITE",
	message:
		"A reactor runs or ran in its county. Whether the request restarts it, raises its output or builds another is not stated, and the costs differ, so the credit has no value in dollars.",
};
const priorLaw: Warning = {
	code: "PRIOR_LAW",
	message:
		"It was projected to be in service before 2022. If it was built by then, earlier law applies, which is not computed here; if not, its date is unknown. The credit has no value in dollars.",
};

const begunEarlier: Warning = {
	code: "PRIOR_LAW",
	message: `Construction is reported to have begun by ${legacyLastBegun}, so sections 45 and 48 can be claimed instead, as they stood when it began. These tables do not distinguish those versions, so the credit has no value in dollars.`,
};

function findReasonWithoutValue(
	{ fips, cod }: ProjectFacts,
	technology: string,
	begunBy: string | null,
): Warning | null {
	if (begunBy !== null && begunBy <= legacyLastBegun) return begunEarlier;
	if (cod !== null && cod < (regimes[0]?.law.valid_from ?? "")) return priorLaw;
	return technology === "Nuclear" && fips !== null && reactorCounties.has(fips) ? reactorSite : null;
}

/** Listings by reference lists and by counties, cached because thousands of requests are in a few hundred counties. */
const listingCaches = new WeakMap<References, Map<string, BonusListings>>();

export function findListings(references: References, facts: ProjectFacts): BonusListings {
	const cachedListings = listingCaches.get(references) ?? new Map<string, BonusListings>();
	listingCaches.set(references, cachedListings);
	const otherFips = findOtherCounties(facts);
	const key = [facts.fips, ...otherFips].join();
	const place = cachedListings.get(key) ?? lookUpListings(references, { fips: facts.fips, otherFips });
	cachedListings.set(key, place);
	return place;
}

const plausibleMegawatts = (mw: number | null): number | null =>
	mw !== null && mw > 0 && mw <= largestPlantMw ? mw : null;

/**
 * Returns the year of service for which the credit is computed. If the projected date has passed, a plant under construction is assumed to
 * enter service this year, and any other plant is treated as if it had no date.
 */
function assumeCod(facts: ProjectFacts, today: string): { year: number; warning: Warning | null } {
	const { cod, plant_state } = facts;
	const year = Number(today.slice(0, 4));
	if (cod !== null && cod >= judgedOn(facts, today)) return { year: Number(cod.slice(0, 4)), warning: null };
	const assumedYear = plant_state === "under_construction" ? year : year + assumedYearsToOperation;
	return {
		year: assumedYear,
		warning: cod === null ? warnOfUnknownCod(assumedYear) : warnOfPassedCod(cod, assumedYear),
	};
}

/** Returns the FIPS codes of the counties other than the first. Names that are not a county of the state are ignored. */
export function findOtherCounties({ state, counties, fips }: ProjectFacts): string[] {
	if (counties.length < 2 || state === null) return [];
	return counties.flatMap((name) => {
		const found = findCounty(state, name);
		return found !== undefined && "fips" in found && found.fips !== fips ? [found.fips] : [];
	});
}

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
