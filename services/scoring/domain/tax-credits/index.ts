/** Federal tax credits as dated law. */
export { calculateCredit } from "./calculate.ts";
export type {
	Bonus,
	Bonuses,
	BonusPlace,
	Citation,
	Credit,
	CreditInput,
	LawOptions,
	LowIncomeCategory,
	Place,
	Technology,
	Warning,
} from "./types.ts";
