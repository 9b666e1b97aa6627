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

export interface Assessed {
	explained: ReturnType<typeof explainCredit>;
	credit: ReturnType<typeof toCreditRow> & ReturnType<typeof computeExpectedCredit>;
	inputs: ScoreInputs;
	hash: string;
	score: Score;
}

/** Years to operation assumed for a request without a valid projected date. With an agreement the median is longer. */
const assumedYearsToOperation = 2;

/** Names of requests that add to an existing plant. Such requests state the capacity of the whole plant, or only a right to inject. */
const increasePattern = /\b(?:(?:up ?rate|upgrade|re-?rate|restart)s?\d*|(?:capacity|cir|mw) increases?)\b/i;

export function assess(request: Request, basis: Basis): Assessed {
	const { facts, cost_usd_per_kw, developer, duplicate } = request;
	const explained = explainCredit(facts, basis);
	const { status, effectiveRate, type } = explained.credit;
	// A credit that needs a determination is unknown, which differs from no credit.
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
	const place = findListings(references, facts);
	const cod = assumeCod(facts, today);
	const { added_type_std: added } = facts;
	const isChange = facts.request_class === "modification" && added === null;
	const isIncrease = isChange || (facts.name !== null && increasePattern.test(facts.name));
	const capacityMw = isIncrease ? null : plausibleMegawatts(added === null ? facts.capacity_mw : facts.incremental_mw);
	const technology = added ?? facts.type_std;
	// Operators' lists do not state when construction began, only that it had begun by the day of the list.
	const isBegun = facts.plant_state === "under_construction";
	const begunBy = isBegun ? (facts.construction_begun_by ?? judgedOn(facts, today)) : null;
	const parts = technology.includes(" + ") ? splitHybrid(technology, added === null ? facts.components : []) : [];
	const unvalued = isIncrease
		? existingPlant
		: (findReasonWithoutValue(facts, technology, begunBy) ?? (parts ? null : unknownParts));
	const ofPart = (name: string, megawatts: number | null) =>
		calculateCredit(
			{
				technology: name,
				capacityMw: megawatts,
				state: facts.state,
				codYear: cod.year,
				constructionStart: null,
				listed: {
					underConstructionOn: begunBy,
					cancelled: facts.plant_report === "cancelled",
					stalled: facts.status_std === "Suspended" && cod.warning !== null,
				},
				unvalued,
				domesticContent: false,
				prevailingWage: true,
				lowIncomeCategory: null,
				elect: "auto",
			},
			place,
			{ asOf: today, notice_2025_42 },
		);
	const leading = parts?.find((part) => part.technology === plantOf(technology)?.rule.technology);
	const whole = ofPart(technology, leading?.capacityMw ?? capacityMw);
	const others = whole.type === null || unvalued !== null ? [] : (parts ?? []).filter((part) => part !== leading);
	const credits = others.map((part) => ofPart(part.technology, part.capacityMw));
	const assumed = credits.flatMap(({ assumptions }, at) =>
		assumptions.map((text) => `${others[at]?.technology} part: ${text}`),
	);
	const credit = {
		...whole,
		estimatedValue: sumValues([whole, ...credits]),
		assumptions: [...whole.assumptions, ...assumed],
	};
	const warnings = [
		...credit.warnings,
		...listWarnings(references, credit),
		...(credit.type === null || cod.warning === null ? [] : [cod.warning]),
	];
	return { credit, parts: [whole, ...credits], codYear: cod.year, capacityMw, warnings };
}

export type CreditRow = Assessed["credit"];

function toCreditRow({ credit, codYear, warnings }: ReturnType<typeof explainCredit>) {
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
		// No source publishes the content of plants, so it is only known whether the law has a bonus at all.
		domestic_content_eligible: undecided || credit.domesticContentAdder ? null : (false as const),
		domestic_content_basis: undecided ? null : ("technology" as const),
		low_income_eligible: lowIncome.status === "unknown" ? null : lowIncome.status !== "ineligible",
		notice: energyCommunity.notice,
		cod_year: codYear,
		warnings: warnings.map(({ code }) => code),
	};
}

const warnOfUnknownCod = (year: number): Warning => ({
	code: "COD_UNKNOWN",
	message: `No projected date is stated: placed in service in ${year} is assumed.`,
});
const warnOfPassedCod = (cod: string, year: number): Warning => ({
	code: "COD_PASSED",
	message: `Its projected date (${cod}) has passed: placed in service in ${year} is assumed.`,
});
const existingPlant: Warning = {
	code: "EXISTING_PLANT",
	message: "It adds to an existing plant; how much is not stated, so the credit has no value in dollars.",
};
const unknownParts: Warning = {
	code: "PARTS_UNKNOWN",
	message:
		"The operator does not state the MW of each of its parts, which cost differently, so the credit has no value in dollars.",
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

/** Listings by edition of the lists and by place, cached because thousands of requests are in a few hundred places. */
const places = new WeakMap<References, Map<string, BonusListings>>();

export function findListings(references: References, facts: ProjectFacts): BonusListings {
	const known = places.get(references) ?? new Map<string, BonusListings>();
	places.set(references, known);
	const otherFips = findOtherCounties(facts);
	const key = [facts.fips, ...otherFips].join();
	const place = known.get(key) ?? lookUpListings(references, { fips: facts.fips, otherFips });
	known.set(key, place);
	return place;
}

const plausibleMegawatts = (mw: number | null): number | null =>
	mw !== null && mw > 0 && mw <= largestPlantMw ? mw : null;

/**
 * The year in service for which the credit is computed. If the projected date has passed, a plant under construction is assumed to enter
 * service this year, and any other plant is treated as if it stated no date.
 */
function assumeCod(facts: ProjectFacts, today: string): { year: number; warning: Warning | null } {
	const { cod, plant_state } = facts;
	const year = Number(today.slice(0, 4));
	if (cod !== null && cod >= judgedOn(facts, today)) return { year: Number(cod.slice(0, 4)), warning: null };
	const assumed = plant_state === "under_construction" ? year : year + assumedYearsToOperation;
	return { year: assumed, warning: cod === null ? warnOfUnknownCod(assumed) : warnOfPassedCod(cod, assumed) };
}

/** FIPS codes of the counties other than the first. Names that are not a county of the state are ignored. */
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
