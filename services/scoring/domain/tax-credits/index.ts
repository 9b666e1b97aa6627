/** Federal tax credits as dated law. */
export { calculateCredit } from "./calculate.ts";
export { enacted } from "./law/end-dates.ts";
export type {
	Bonus,
	Bonuses,
	BonusListing,
	BonusListings,
	Citation,
	Credit,
	CreditInput,
	EnergyCommunityListing,
	LawOptions,
	LowIncomeCategory,
	Technology,
	Warning,
} from "./types.ts";
