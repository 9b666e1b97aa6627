/** What lists and events say of a credit, by the names of the columns of `/projects`. Pure. */
import type { CreditRow } from "./assess.ts";

export const creditColumns = (credit: CreditRow) => ({
	tax_credit_type: credit.credit_type,
	tax_credit_status: credit.status,
	effective_credit_rate: credit.effective_rate,
	estimated_credit_value: credit.estimated_value,
	energy_community_eligible: credit.energy_community_eligible,
	low_income_eligible: credit.low_income_eligible,
	domestic_content_eligible: credit.domestic_content_eligible,
	domestic_content_basis: credit.domestic_content_basis,
});
