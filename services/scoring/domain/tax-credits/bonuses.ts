/** Computes the three adders of a credit (signals sheet 6.6, steps 4 to 6). */
import type { CreditType } from "#libs/contract/vocabulary.ts";
import type { Construction } from "./deadlines.ts";
import { type Adders, lowIncomeBelowMw, type Regime } from "./law/regimes.ts";
import { type ContentShare, investmentContent, offshoreContent, productionContent } from "./law/sourcing.ts";
import type { Claim } from "./law/technologies.ts";
import type { Plant } from "./plant.ts";
import { type Bonus, type Bonuses, type BonusListings, type CreditInput, rowAt } from "./types.ts";

export interface ClaimedCredit {
	plant: Plant;
	input: CreditInput;
	capacity: number | null;
	construction: Construction;
	regime: Regime;
	claim: Claim;
	type: CreditType;
	hasFullRate: boolean;
}

const createBonus = (reason: string, status: Bonus["status"] = "ineligible"): Bonus =>
	Object.freeze({ eligible: false, status, bonus_pct: 0, reason });

const noCredit = createBonus("There is no credit to which it could be added");
const undecidedCredit = createBonus("It is not known whether there is a credit to which it could be added", "unknown");
const noAdders = createBonus("This credit has no adders");
const placedTooEarly = createBonus("Adders exist for plants placed in service after 2022");
const notThisTechnology = createBonus("Not for this technology");
const notProduction = createBonus("The production credit has no low-income bonus");
const notAwarded = createBonus("Needs an allocation, and the place is not on a low-income list");
const placeUnknown = createBonus(
	"Needs an allocation, and whether the place is a low-income community is not known",
	"unknown",
);
const sizeLimit = `Only for plants below ${lowIncomeBelowMw} MW AC`;
const tooLarge = createBonus(sizeLimit);
const noCapacity = createBonus(`${sizeLimit}, and the capacity is not known`, "unknown");

/** Returns the bonuses of a plant without a credit. `undecided`: it is not known whether there is a credit. */
export const bonusesWithoutCredit = (place: BonusListings, undecided: boolean): Bonuses =>
	repeatBonus(undecided ? undecidedCredit : noCredit, place);

const repeatBonus = (bonus: Bonus, { energyCommunity: { notice } }: BonusListings): Bonuses => ({
	energyCommunity: { ...bonus, notice },
	domesticContent: { ...bonus, requiredPct: null },
	lowIncome: bonus,
});

export function bonusesOf(claimed: ClaimedCredit, place: BonusListings): Bonuses {
	const { adders, isFlat } = claimed.regime;
	const { notice } = place.energyCommunity;
	if (adders === null) return repeatBonus(isFlat ? noAdders : placedTooEarly, place);
	const points = claimed.hasFullRate ? adders.pointsAtFullRate : adders.pointsAtBaseRate;
	return {
		energyCommunity: { ...energyCommunityBonus(place, points), notice },
		domesticContent: domesticContentBonus(claimed, points),
		lowIncome: lowIncomeBonus(claimed, adders, place),
	};
}

function energyCommunityBonus({ energyCommunity: { status, reason } }: BonusListings, points: number): Bonus {
	const addsPoints = status === "eligible" || status === "possible";
	return { eligible: status === "eligible", status, bonus_pct: addsPoints ? points : 0, reason };
}

/** Finds the threshold for the last day on which construction may have begun, which is the strictest. */
export function findContentRow({ plant, type, construction }: ClaimedCredit): ContentShare {
	const row = rowAt(chooseContentTable(plant, type), construction.last);
	if (row === undefined)
		throw new RangeError(`no domestic-content threshold applies to construction that began on ${construction.last}`);
	return row;
}

function chooseContentTable(plant: Plant, type: CreditType): readonly ContentShare[] {
	if (plant.rule.technology === "Offshore Wind") return offshoreContent;
	return type === "PTC" ? productionContent : investmentContent;
}

function domesticContentBonus(claimed: ClaimedCredit, points: number): Bonuses["domesticContent"] {
	const { share, law } = findContentRow(claimed);
	return claimed.input.domesticContent
		? { eligible: true, status: "eligible", bonus_pct: points, reason: law.rule, requiredPct: share }
		: {
				eligible: false,
				status: "ineligible",
				bonus_pct: 0,
				reason: "The requirement is not stated to be met",
				requiredPct: share,
			};
}

function lowIncomeBonus(
	{ claim, input, capacity, type }: ClaimedCredit,
	{ lowIncome: { belowMw, byCategory, minPoints } }: Adders,
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
		bonus_pct: minPoints,
		reason: `${reason}; needs an allocation${instead}`,
	};
}
