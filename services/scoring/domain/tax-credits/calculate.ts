/**
 * Calculates the federal tax credit of a plant (26 USC 45, 45Y, 48, 48E as amended by Public Law 119-21; signals sheet 6.6). The tables
 * in `law/` contain the figures of the law; the steps here choose rows and combine them. Pure.
 */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import { toFourDecimals } from "../score/score.ts";
import { bonusesOf, bonusesWithoutCredit, type ClaimedCredit } from "./bonuses.ts";
import { type Construction, determineConstruction, type End, findEnd, findLastServiceDay } from "./deadlines.ts";
import { enacted } from "./law/end-dates.ts";
import { legacyLastBegun, type ProductionRate, prevailingWage, type Regime, regimes } from "./law/regimes.ts";
import { type Claim, canceledPlant, type Refusal, stalledPlant, unknownTechnology } from "./law/technologies.ts";
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
import { addWarnings, type Notes, storageNotCounted } from "./warnings.ts";

const before2022: Warning = {
	code: "BEFORE_2022",
	message: "Credits of plants placed in service before 2022 followed other rates, which are not computed.",
};

/** @throws RangeError if `codYear` is not a year, `asOf` is not a day, or the beginning of construction is neither a year nor a day */
export function calculateCredit(input: CreditInput, place: BonusListings, law: LawOptions): Credit {
	checkInput(input, law);
	const plant = plantOf(input.technology);
	if (plant === undefined)
		return toRefusedCredit(unknownTechnology, place, { warnings: [], assumptions: [], citations: [] });
	const construction = determineConstruction(input, plant.rule, law);
	const notes = createNotes(input, plant, law);
	const placedOn = `${String(input.codYear).padStart(4, "0")}-12-31`;
	const regime = rowAt(regimes, placedOn);
	const claim = findUncertainty(input, plant) ?? findClaim(plant, placedOn, construction);
	if ("status" in claim) {
		if (plant.hasStoragePart) notes.warnings.push(storageNotCounted);
		return toRefusedCredit(claim, place, notes);
	}
	if (regime === undefined) {
		return toRefusedCredit({ ...claim, status: "requires_determination", warning: before2022 }, place, notes);
	}
	const claimed = toClaimedCredit({ input, plant, construction, claim, regime: claim.regime ?? regime });
	return toCredit(claimed, place, law, notes);
}

/** Returns why it is uncertain whether the plant will be built, or built in time; undefined if no list raises this question. */
function findUncertainty({ listed }: CreditInput, { rule }: Plant): Refusal | undefined {
	if (listed?.canceled === true) return canceledPlant;
	return listed?.stalled === true && rule.ending === "wind_solar" ? stalledPlant : undefined;
}

function checkInput({ codYear }: CreditInput, { asOf }: LawOptions): void {
	if (!Number.isInteger(codYear) || codYear < 1 || codYear > 9999)
		throw new RangeError(`codYear must be a year, not ${codYear}`);
	if (asOf.length !== 10 || Number.isNaN(Date.parse(asOf)))
		throw new RangeError(`asOf must be a day such as 2026-11-20, not ${JSON.stringify(asOf)}`);
}

function createNotes(input: CreditInput, plant: Plant, law: LawOptions): Notes {
	const assumptions: string[] = [];
	if (plant.assumption !== null) assumptions.push(plant.assumption);
	if (input.codYear < Number(law.asOf.slice(0, 4)))
		assumptions.push(`The plant is assumed to have been placed in service in ${input.codYear}, which is past.`);
	if (law.asOf < enacted) assumptions.push(`The law in force since ${enacted} is applied, not the law of ${law.asOf}.`);
	return { warnings: [], assumptions, citations: [] };
}

function findClaim(plant: Plant, placedOn: string, construction: Construction): Claim | Refusal {
	const row = rowAt(plant.rule.claims, placedOn);
	const found = row !== undefined && "byConstruction" in row ? rowAt(row.byConstruction, construction.last) : row;
	if (found === undefined || "byConstruction" in found)
		throw new RangeError(
			`no claim of ${plant.rule.technology} applies to service on ${placedOn} and construction begun on ${construction.last}`,
		);
	return found;
}

function toRefusedCredit({ status, warning, law }: Refusal, place: BonusListings, notes: Notes): Credit {
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
		bonuses: bonusesWithoutCredit(place, status === "requires_determination"),
		domesticContentAdder: false,
		...notes,
	};
}

function toClaimedCredit(
	known: Pick<ClaimedCredit, "input" | "plant" | "construction" | "claim" | "regime">,
): ClaimedCredit {
	const { input, regime, claim, construction } = known;
	const statedMw = input.capacityMw;
	const capacity = statedMw !== null && Number.isFinite(statedMw) && statedMw > 0 ? statedMw : null;
	const hasFullRate = regime.isFlat || input.prevailingWage || isExempt(input, capacity, construction);
	return { ...known, capacity, hasFullRate, type: electType(input, capacity, claim, regime) };
}

/** Whether the plant is exempt from the prevailing-wage rules. An unknown beginning is assumed to be as late as the end of the year of service. */
function isExempt(input: CreditInput, capacity: number | null, { known, last }: Construction): boolean {
	if (capacity !== null && capacity < prevailingWage.exemptBelowMw) return true;
	return (known ? last : `${input.codYear}-12-31`) < prevailingWage.exemptBegunBefore;
}

/** An awarded low-income allocation has value only with the investment credit. */
function electType(input: CreditInput, capacity: number | null, claim: Claim, { adders }: Regime): CreditType {
	if (input.elect === "itc") return "ITC";
	if (input.elect === "ptc") return claim.mayProduce ? "PTC" : "ITC";
	const isAwarded = input.lowIncomeCategory !== null && claim.lowIncome && adders !== null;
	return isAwarded && capacity !== null && capacity < adders.lowIncome.belowMw ? "ITC" : claim.usualType;
}

function toCredit(claimed: ClaimedCredit, place: BonusListings, law: LawOptions, notes: Notes): Credit {
	const { input, plant, capacity, construction, regime, type, hasFullRate } = claimed;
	addAssumptions(claimed, notes);
	const bonuses = bonusesOf(claimed, place);
	addCitations(claimed, bonuses, notes.citations);
	const end: End = regime.hasEndDates
		? findEnd(plant, input, capacity, construction, law)
		: { status: "eligible", factor: 1, warnings: [], citations: [] };
	notes.warnings.push(...end.warnings);
	notes.citations.push(...end.citations);
	addWarnings(claimed, end, place, notes);

	const baseRate = hasFullRate ? regime.full : regime.base;
	const effectiveRate = toFourDecimals((baseRate + sumCountedBonuses(bonuses)) * end.factor);
	const sale = type === "PTC" ? findSaleRate(regime, law) : null;
	const cents = sale === null ? null : toFourDecimals(computeProductionCents(claimed, bonuses, sale) * end.factor);
	if (sale !== null) {
		notes.citations.push(sale.law);
		notes.assumptions.push(`The production credit is that for sales in ${sale.year}; it is adjusted every year.`);
	}
	const value = estimateValue(claimed, effectiveRate, cents);
	if (end.factor > 0 || value.usd === null) notes.assumptions.push(value.assumption);
	if (input.noValueWarning !== null) notes.warnings.push(input.noValueWarning);
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
		serviceBy: regime.hasEndDates ? findLastServiceDay(plant, construction) : null,
		bonuses,
		domesticContentAdder: regime.adders !== null,
		...notes,
	};
}

function addAssumptions(
	{ input, capacity, construction, regime, claim, type }: ClaimedCredit,
	{ assumptions, citations }: Notes,
): void {
	if (construction.assumption !== null) assumptions.push(construction.assumption);
	if (capacity === null)
		assumptions.push(
			"The capacity is not known and is assumed to be large, so exemptions and bonuses for small plants do not apply.",
		);
	if (!regime.isFlat) {
		if (isExempt(input, capacity, construction)) citations.push(prevailingWage.law);
		else if (input.prevailingWage) assumptions.push("The prevailing-wage and apprenticeship rules are met.");
	}
	if (construction.known && construction.last <= legacyLastBegun && regime.hasEndDates)
		assumptions.push(
			"Construction began before 2025: sections 48E and 45Y are applied, but sections 48 and 45 could be chosen.",
		);
	if (input.elect === "auto" && type !== claim.usualType)
		assumptions.push("The investment credit is applied, because the production credit has no low-income bonus.");
}

function addCitations({ claim, regime }: ClaimedCredit, bonuses: Bonuses, citations: Citation[]): void {
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

/** Finds the newest published rate up to the year of `asOf`. */
function findSaleRate({ production }: Regime, { asOf }: LawOptions): ProductionRate {
	const year = Number(asOf.slice(0, 4));
	const rate = production.findLast((row) => row.year <= year) ?? production[0];
	if (rate === undefined) throw new RangeError("the regime has no production rates");
	return rate;
}

function computeProductionCents(
	{ regime, hasFullRate }: ClaimedCredit,
	bonuses: Bonuses,
	rate: ProductionRate,
): number {
	const share = regime.adders?.shareOfProduction ?? 0;
	const adders = Number(bonuses.energyCommunity.eligible) + Number(bonuses.domesticContent.eligible);
	return (hasFullRate ? rate.full : rate.base) * (1 + share * adders);
}
