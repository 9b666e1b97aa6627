/** How much federal tax credit a developer's open requests would bring (specification 2.5, `tax_credit_activity`). Pure. */
import type { TaxCreditActivity } from "#libs/contract/vocabulary.ts";
import { checkAmount } from "./developer-counts.ts";

/**
 * USD of estimated credits from which a developer is called so, highest first. The measure is a solar plant of 100 MW at $1,588 a
 * kW and the full base rate of 30 %, whose credit is $47.6 million (signals sheet, 6.6): about one of them is medium, about ten are
 * high. Ours; no publication has such words.
 */
export const taxCreditActivityTable: readonly { activity: TaxCreditActivity; from: number }[] = [
	{ activity: "high", from: 500_000_000 },
	{ activity: "medium", from: 50_000_000 },
	{ activity: "low", from: 0 },
];

/**
 * `creditValue`: USD of estimated credits of open requests in the mid stage or later; `creditProjects`: how many of them can claim
 * one. None is `none`; some whose value is not known are `low`. Throws a RangeError for what is no amount.
 */
export function taxCreditActivity(creditValue: number, creditProjects: number): TaxCreditActivity {
	checkAmount("creditValue", creditValue);
	checkAmount("creditProjects", creditProjects);
	if (creditProjects === 0) {
		if (creditValue > 0) throw new RangeError(`a credit value of ${creditValue} comes from no project`);
		return "none";
	}
	return taxCreditActivityTable.find(({ from }) => creditValue >= from)?.activity ?? "low";
}
