/** A credit as the interface shows it. */
import type { Credit } from "../domain/tax-credits/index.ts";

export function linesOf({ bonuses, ...credit }: Credit) {
	const { energyCommunity, domesticContent, lowIncome } = bonuses;
	const { notice, ...energy } = energyCommunity;
	const { requiredPct, ...domestic } = domesticContent;
	return {
		credit_type: credit.type,
		status: credit.status,
		base_credit_pct: credit.baseRate,
		base_rate: credit.baseRate,
		phase_factor: credit.phaseFactor,
		effective_rate: credit.effectiveRate,
		at_risk_rate: credit.atRiskRate,
		ptc_cents_per_kwh: credit.ptcCentsPerKwh,
		ptc_rate_year: credit.ptcRateYear,
		estimated_credit_value: credit.estimatedValue,
		bonuses: {
			energy_community: { ...energy, notice },
			domestic_content: { ...domestic, required_pct: requiredPct },
			low_income: lowIncome,
		},
		citations: credit.citations,
	};
}

/** What is not looked at, where there is a credit that it would add to. */
export const brownfields = ({ type }: Credit): string[] =>
	type === null ? [] : ["Brownfield sites, which no list names, are not looked at."];
