/**
 * Calculates the federal tax credit of a plant (26 USC 45, 45Y, 48, 48E as amended by Public Law 119-21; signals sheet 6.6). The tables
 * in `law/` contain the figures of the law; the steps here choose rows and combine them. Pure.
 */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import { toFourDecimals } from "../score/score.ts";
import { bonusesOf, bonusesOfNoCredit, type Claimed } from "./bonuses.ts";
import { type Construction, constructionOf, type End, endOf, findLastServiceDay } from "./deadlines.ts";
import { enacted } from "./law/end-dates.ts";
import { legacyLastBegun, type ProductionRate, prevailingWage, type Regime, regimes } from "./law/regimes.ts";
import { type Claim, cancelledPlant, type Refusal, stalledPlant, unknownTechnology } from "./law/technologies.ts";
import { type Plant, plantOf } from "./plant.ts";
import {
	type Bonuses,
	type BonusListings,
	type Citation,
	type Credit,
	type CreditInput,
	type LawOptions,
	rowAt,
	type Warning,
} from "./types.ts";
import { estimateValue } from "./value.ts";
import { type Notes, storageNotCounted, warn } from "./warnings.ts";

const before2022: Warning = {
	code: "BEFORE_2022",
	message: "Credits of plants placed in service before 2022 followed other rates, which are not computed.",
};

/** @throws RangeError if `codYear` is not a year, `asOf` is not a day, or the beginning of construction is neither a year nor a day */
export function calculateCredit(input: CreditInput, place: BonusListings, law: LawOptions): Credit {
	check(input, law);
	const plant = plantOf(input.technology);
	if (plant === undefined)
		return creditRefused(unknownTechnology, place, { warnings: [], assumptions: [], citations: [] });
	const construction = constructionOf(input, plant.rule, law);
	const notes = notesOn(input, plant, law);
	const placed = `${String(input.codYear).padStart(4, "0")}-12-31`;
	const regime = rowAt(regimes, placed);
	const claim = findUncertainty(input, plant) ?? claimOf(plant, placed, construction);
	if ("status" in claim) {
		if (plant.storagePart) notes.warnings.push(storageNotCounted);
		return creditRefused(claim, place, notes);
	}
	if (regime === undefined) {
		return creditRefused({ ...claim, status: "requires_determination", warning: before2022 }, place, notes);
	}
	const claimed = claimedOf({ input, plant, construction, claim, regime: claim.regime ?? regime });
	return creditClaimed(claimed, place, law, notes);
}

/** Why it is not known whether the plant will be built, or built in time; undefined if no list raises this question. */
function findUncertainty({ listed }: CreditInput, { rule }: Plant): Refusal | undefined {
	if (listed?.cancelled === true) return cancelledPlant;
	return listed?.stalled === true && rule.ending === "wind_solar" ? stalledPlant : undefined;
}

function check({ codYear }: CreditInput, { asOf }: LawOptions): void {
	if (!Number.isInteger(codYear) || codYear < 1 || codYear > 9999)
		throw new RangeError(`codYear must be a year, not ${codYear}`);
	if (asOf.length !== 10 || Number.isNaN(Date.parse(asOf)))
		throw new RangeError(`asOf must be a day such as 2026-11-20, not ${JSON.stringify(asOf)}`);
}

function notesOn(input: CreditInput, plant: Plant, law: LawOptions): Notes {
	const assumptions: string[] = [];
	if (plant.assumption !== null) assumptions.push(plant.assumption);
	if (input.codYear < Number(law.asOf.slice(0, 4)))
		assumptions.push(`The plant is assumed to have been placed in service in ${input.codYear}, which is past.`);
	if (law.asOf < enacted) assumptions.push(`The law is that since ${enacted}, not that of ${law.asOf}.`);
	return { warnings: [], assumptions, citations: [] };
}

function claimOf(plant: Plant, placed: string, construction: Construction): Claim | Refusal {
	const row = rowAt(plant.rule.claims, placed);
	const found = row !== undefined && "byConstruction" in row ? rowAt(row.byConstruction, construction.last) : row;
	if (found === undefined || "byConstruction" in found)
		throw new RangeError(
			`no claim of ${plant.rule.technology} applies to service on ${placed} and construction begun on ${construction.last}`,
		);
	return found;
}

function creditRefused({ status, warning, law }: Refusal, place: BonusListings, notes: Notes): Credit {
	notes.warnings.unshift(warning);
	notes.citations.push(law);
	return {
		type: null,
		status,
		baseRate: 0,
		phaseFactor: 0,
		effectiveRate: 0,
		atRiskRate: null,
		ptcCentsPerKwh: null,
		ptcRateYear: null,
		estimatedValue: status === "ineligible" ? 0 : null,
		serviceBy: null,
		bonuses: bonusesOfNoCredit(place, status === "requires_determination"),
		domesticContentAdder: false,
		...notes,
	};
}

function claimedOf(known: Pick<Claimed, "input" | "plant" | "construction" | "claim" | "regime">): Claimed {
	const { input, regime, claim, construction } = known;
	const stated = input.capacityMw;
	const capacity = stated !== null && Number.isFinite(stated) && stated > 0 ? stated : null;
	const full = regime.flat || input.prevailingWage || isExempt(input, capacity, construction);
	return { ...known, capacity, full, type: electType(input, capacity, claim, regime) };
}

/** Whether the plant is exempt from the prevailing-wage rules. An unknown beginning is only certain to precede the end of the year of service. */
function isExempt(input: CreditInput, capacity: number | null, { known, last }: Construction): boolean {
	if (capacity !== null && capacity < prevailingWage.exemptBelowMw) return true;
	return (known ? last : `${input.codYear}-12-31`) < prevailingWage.exemptBegunBefore;
}

/** An awarded low-income allocation has value only with the investment credit. */
function electType(input: CreditInput, capacity: number | null, claim: Claim, { adders }: Regime): CreditType {
	if (input.elect === "itc") return "ITC";
	if (input.elect === "ptc") return claim.mayProduce ? "PTC" : "ITC";
	const awarded = input.lowIncomeCategory !== null && claim.lowIncome && adders !== null;
	return awarded && capacity !== null && capacity < adders.lowIncome.belowMw ? "ITC" : claim.usual;
}

function creditClaimed(claimed: Claimed, place: BonusListings, law: LawOptions, notes: Notes): Credit {
	const { input, plant, capacity, construction, regime, type, full } = claimed;
	assume(claimed, notes);
	const bonuses = bonusesOf(claimed, place);
	cite(claimed, bonuses, notes.citations);
	const end: End = regime.ends
		? endOf(plant, input, capacity, construction, law)
		: { status: "eligible", factor: 1, warnings: [], citations: [] };
	notes.warnings.push(...end.warnings);
	notes.citations.push(...end.citations);
	warn(claimed, end, place, notes);

	const baseRate = full ? regime.full : regime.base;
	const effectiveRate = toFourDecimals((baseRate + sumCountedBonuses(bonuses)) * end.factor);
	const sale = type === "PTC" ? findSaleRate(regime, law) : null;
	const cents = sale === null ? null : toFourDecimals(computeProductionCents(claimed, bonuses, sale) * end.factor);
	if (sale !== null) {
		notes.citations.push(sale.law);
		notes.assumptions.push(`The production credit is that for sales in ${sale.year}; it is adjusted every year.`);
	}
	const value = estimateValue(claimed, effectiveRate, cents);
	if (end.factor > 0 || value.usd === null) notes.assumptions.push(value.assumption);
	if (input.unvalued !== null) notes.warnings.push(input.unvalued);
	return {
		type,
		status: end.status,
		baseRate,
		phaseFactor: end.factor,
		effectiveRate,
		atRiskRate: end.status === "conditional" ? 0 : null,
		ptcCentsPerKwh: cents,
		ptcRateYear: sale?.year ?? null,
		estimatedValue: value.usd,
		serviceBy: regime.ends ? findLastServiceDay(plant, construction) : null,
		bonuses,
		domesticContentAdder: regime.adders !== null,
		...notes,
	};
}

function assume(
	{ input, capacity, construction, regime, claim, type }: Claimed,
	{ assumptions, citations }: Notes,
): void {
	if (construction.assumption !== null) assumptions.push(construction.assumption);
	if (capacity === null)
		assumptions.push("The capacity is not known and assumed to be large: no exemption or bonus of small plants.");
	if (!regime.flat) {
		if (isExempt(input, capacity, construction)) citations.push(prevailingWage.law);
		else if (input.prevailingWage) assumptions.push("The prevailing-wage and apprenticeship rules are met.");
	}
	if (construction.known && construction.last <= legacyLastBegun && regime.ends)
		assumptions.push(
			"Construction began before 2025: sections 48E and 45Y are taken, sections 48 and 45 could be chosen.",
		);
	if (input.elect === "auto" && type !== claim.usual)
		assumptions.push("The investment credit is taken, because the low-income allocation belongs to it.");
}

function cite({ claim, regime }: Claimed, bonuses: Bonuses, citations: Citation[]): void {
	citations.push(claim.law, regime.law);
	const { adders } = regime;
	if (adders === null) return;
	if (bonuses.energyCommunity.eligible) citations.push(adders.energyCommunity);
	if (bonuses.domesticContent.eligible) citations.push(adders.domesticContent);
	if (bonuses.lowIncome.eligible) citations.push(adders.lowIncome.law);
}

function sumCountedBonuses(bonuses: Bonuses): number {
	return Object.values(bonuses).reduce((sum, { eligible, bonus_pct }) => sum + (eligible ? bonus_pct : 0), 0);
}

/** The newest published rate up to the year of `asOf`. */
function findSaleRate({ production }: Regime, { asOf }: LawOptions): ProductionRate {
	const year = Number(asOf.slice(0, 4));
	const rate = production.findLast((row) => row.year <= year) ?? production[0];
	if (rate === undefined) throw new RangeError("the regime has no production rates");
	return rate;
}

function computeProductionCents({ regime, full }: Claimed, bonuses: Bonuses, rate: ProductionRate): number {
	const share = regime.adders?.ofProduction ?? 0;
	const adders = Number(bonuses.energyCommunity.eligible) + Number(bonuses.domesticContent.eligible);
	return (full ? rate.full : rate.base) * (1 + share * adders);
}
