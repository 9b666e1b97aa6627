/** Conditions of a credit beyond its rate (signals sheet 6.6, step 11). */
import { type ClaimedCredit, findContentRow } from "./bonuses.ts";
import type { Construction, End } from "./deadlines.ts";
import { directPay, materialAssistance } from "./law/sourcing.ts";
import {
	type BonusListings,
	type Citation,
	type CreditInput,
	type EnergyCommunityListing,
	rowAt,
	type Warning,
} from "./types.ts";

const everyYear: Warning = {
	code: "EC_YEARLY",
	message:
		"Whether a county is an energy community is determined again each June; a plant keeps the status only if construction begins while the county has it.",
};
const countyOnly: Warning = {
	code: "EC_COUNTY_ONLY",
	message:
		"Only part of the county, or only some of several counties, is an energy community. It depends on the location of the site, so nothing is added to the rate.",
};
/** An energy community's status is fixed when construction begins (Notice 2023-29), if construction begins on this day or later. */
const fixedSince = "2023-01-01";
const beforeList = (validFrom: string): Warning => ({
	code: "EC_BEFORE_LIST",
	message: `Energy communities are looked up in the list from ${validFrom}; if construction began earlier, the list of the day on which it began applies.`,
});
const directPayWarning: Warning = {
	code: "DIRECT_PAY",
	message:
		"Tax-exempt owners that are paid the credit in cash need domestic content when construction begins after 2025, or lose part of it.",
};
const noElection: Warning = {
	code: "ELECTION_NOT_AVAILABLE",
	message: "This technology has no production credit to elect: the investment credit is shown.",
};
const beginsLater: Warning = {
	code: "BOC_AFTER_COD",
	message: "Construction begins after the year in which the plant is placed in service: one of the two is wrong.",
};
const storageKeeps: Warning = {
	code: "STORAGE_PART",
	message:
		"The end date of wind and solar does not affect the storage part, which can claim the investment credit by itself.",
};
const storageInvests: Warning = {
	code: "STORAGE_PART",
	message:
		"The storage part cannot take the production credit: it claims the investment credit by itself, not counted here.",
};
export const storageNotCounted: Warning = {
	code: "STORAGE_PART",
	message: "The storage part can claim the investment credit by itself, which is not counted.",
};

export interface Notes {
	warnings: Warning[];
	assumptions: string[];
	citations: Citation[];
}

export function addWarnings(claimed: ClaimedCredit, end: End, place: BonusListings, notes: Notes): void {
	const { input, type, claim, plant, construction } = claimed;
	const { warnings } = notes;
	if (construction.known && construction.year > input.codYear) warnings.push(beginsLater);
	if (input.elect === "ptc" && !claim.mayProduce) warnings.push(noElection);
	if (plant.hasStoragePart && plant.rule.ending === "wind_solar" && end.status !== "eligible")
		warnings.push(storageKeeps);
	else if (plant.hasStoragePart && type === "PTC") warnings.push(storageInvests);
	if (end.factor === 0) return;
	if (claimed.regime.adders !== null) {
		warnings.push(...listPlaceWarnings(place.energyCommunity, construction));
		warnOfContent(claimed, notes);
	}
	warnOfForeignEntities(claimed, notes);
}

function listPlaceWarnings(
	{ status, yearly, validFrom }: EnergyCommunityListing,
	construction: Construction,
): Warning[] {
	const isStatusFixed = construction.known && construction.last >= fixedSince;
	const isBeforeList = isStatusFixed && validFrom !== null && construction.first < validFrom;
	return [
		...(status === "eligible" && yearly ? [everyYear] : []),
		...(status === "possible" ? [countyOnly] : []),
		...(status !== "unknown" && isBeforeList ? [beforeList(validFrom)] : []),
	];
}

function warnOfContent(claimed: ClaimedCredit, { warnings, citations }: Notes): void {
	const { input, capacity, construction, regime } = claimed;
	if (input.domesticContent) {
		const { share, law } = findContentRow(claimed);
		const percent = Math.round(share * 1000) / 10;
		warnings.push({
			code: "DOMESTIC_CONTENT_THRESHOLD",
			message: `Domestic content needs all structural steel and iron, and ${percent} % of manufactured products by cost, to be made in the United States.`,
		});
		citations.push(law);
	} else if (regime.hasEndDates && construction.last >= directPay.begunFrom && !isSmall(capacity)) {
		warnings.push(directPayWarning);
		citations.push(directPay.law);
	}
}

function isSmall(capacity: CreditInput["capacityMw"]): boolean {
	return capacity !== null && capacity < directPay.fromMw;
}

function warnOfForeignEntities({ plant, regime, construction }: ClaimedCredit, { warnings, citations }: Notes): void {
	const row = regime.hasEndDates ? rowAt(materialAssistance, construction.last) : undefined;
	if (row === undefined) return;
	const kind = plant.hasStoragePart ? "both" : plant.rule.storage ? "storage" : "facility";
	warnings.push(row.warnings[kind]);
	citations.push(row.law);
}
