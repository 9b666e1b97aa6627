/** Federal tax credits as dated law. */
export { calculateCredit } from "./calculate.ts";
export type {
	Bonus,
	Bonuses,
	BonusPlace,
	Citation,
	CommunityPlace,
	Credit,
	CreditInput,
	LawOptions,
	LowIncomeCategory,
	Place,
	Technology,
	Warning,
} from "./types.ts";
