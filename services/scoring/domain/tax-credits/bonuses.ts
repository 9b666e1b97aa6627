/** Computes the three adders of a credit (signals sheet 6.6, steps 4 to 6). */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import type { Construction } from "./deadlines.ts";
import { type Adders, lowIncomeBelowMw, type Regime } from "./law/regimes.ts";
import { type ContentShare, investmentContent, offshoreContent, productionContent } from "./law/sourcing.ts";
import type { Claim } from "./law/technologies.ts";
import type { Plant } from "./plant.ts";
import { type Bonus, type Bonuses, type BonusListings, type CreditInput, rowAt } from "./types.ts";

export interface Claimed {
	plant: Plant;
	input: CreditInput;
	capacity: number | null;
	construction: Construction;
	regime: Regime;
	claim: Claim;
	type: CreditType;
	full: boolean;
}

const createBonus = (reason: string, status: Bonus["status"] = "ineligible"): Bonus =>
	Object.freeze({ eligible: false, status, bonus_pct: 0, reason });

const noCredit = createBonus("There is no credit that it could add to");
const undecidedCredit = createBonus("Whether there is a credit that it could add to is not decided", "unknown");
const noAdders = createBonus("This credit has no adders");
const placedTooEarly = createBonus("Adders exist for plants placed in service after 2022");
const notThisTechnology = createBonus("Not for this technology");
const notProduction = createBonus("The production credit has no low-income bonus");
const notAwarded = createBonus("Needs an allocation, and the place is not on a low-income list");
const placeUnknown = createBonus(
	"Needs an allocation, and whether the place is a low-income community is not known",
	"unknown",
);
const small = `Only for plants below ${lowIncomeBelowMw} MW AC`;
const tooLarge = createBonus(small);
const noCapacity = createBonus(`${small}, and the capacity is not known`, "unknown");

/** `undecided`: it is not known whether there is a credit. */
export const bonusesOfNoCredit = (place: BonusListings, undecided: boolean): Bonuses =>
	repeatBonus(undecided ? undecidedCredit : noCredit, place);

const repeatBonus = (bonus: Bonus, { energyCommunity: { notice } }: BonusListings): Bonuses => ({
	energyCommunity: { ...bonus, notice },
	domesticContent: { ...bonus, requiredPct: null },
	lowIncome: bonus,
});

export function bonusesOf(claimed: Claimed, place: BonusListings): Bonuses {
	const { adders, flat } = claimed.regime;
	const { notice } = place.energyCommunity;
	if (adders === null) return repeatBonus(flat ? noAdders : placedTooEarly, place);
	const points = claimed.full ? adders.ofFull : adders.ofBase;
	return {
		energyCommunity: { ...energyCommunityBonus(place, points), notice },
		domesticContent: domesticContentBonus(claimed, points),
		lowIncome: lowIncomeBonus(claimed, adders, place),
	};
}

function energyCommunityBonus({ energyCommunity: { status, reason } }: BonusListings, points: number): Bonus {
	const counts = status === "eligible" || status === "possible";
	return { eligible: status === "eligible", status, bonus_pct: counts ? points : 0, reason };
}

/** The threshold on the last possible day of the beginning of construction, which is the strictest. */
export function findContentRow({ plant, type, construction }: Claimed): ContentShare {
	const row = rowAt(chooseContentTable(plant, type), construction.last);
	if (row === undefined)
		throw new RangeError(`no domestic-content threshold applies to construction that began on ${construction.last}`);
	return row;
}

function chooseContentTable(plant: Plant, type: CreditType): readonly ContentShare[] {
	if (plant.rule.technology === "Offshore Wind") return offshoreContent;
	return type === "PTC" ? productionContent : investmentContent;
}

function domesticContentBonus(claimed: Claimed, points: number): Bonuses["domesticContent"] {
	const { share, law } = findContentRow(claimed);
	return claimed.input.domesticContent
		? { eligible: true, status: "eligible", bonus_pct: points, reason: law.rule, requiredPct: share }
		: { eligible: false, status: "ineligible", bonus_pct: 0, reason: "Not stated to be met", requiredPct: share };
}

function lowIncomeBonus(
	{ claim, input, capacity, type }: Claimed,
	{ lowIncome: { belowMw, byCategory, least } }: Adders,
	place: BonusListings,
): Bonus {
	if (!claim.lowIncome) return notThisTechnology;
	if (capacity !== null && capacity >= belowMw) return tooLarge;
	if (type === "PTC" && input.elect === "ptc") return notProduction;
	if (capacity === null) return noCapacity;
	const category = input.lowIncomeCategory;
	if (category !== null)
		return {
			eligible: true,
			status: "eligible",
			bonus_pct: byCategory[category],
			reason: `Category ${category} allocation awarded`,
		};
	const { status, reason } = place.lowIncome;
	if (status === "unknown") return placeUnknown;
	if (status === "ineligible") return notAwarded;
	const instead = type === "PTC" ? " and the investment credit in place of the production credit" : "";
	return {
		eligible: false,
		status: "possible",
		bonus_pct: least,
		reason: `${reason}; needs an allocation${instead}`,
	};
}
