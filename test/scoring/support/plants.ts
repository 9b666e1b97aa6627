/** Plants and places of the tests. */
import { calculateCredit } from "../../../services/scoring/domain/tax-credits/calculate.ts";
import type {
	BonusListing,
	BonusListings,
	Credit,
	CreditInput,
	LawOptions,
} from "../../../services/scoring/domain/tax-credits/types.ts";

export const law: LawOptions = { asOf: "2026-11-20", notice_2025_42: "vacated" };

const listing = (status: BonusListing["status"], reason = `The list says ${status}`): BonusListing => ({
	status,
	reason,
	notice: status === "unknown" ? null : "2026-39",
});

export function place(
	energyCommunity: BonusListing["status"],
	lowIncome: BonusListing["status"] = "ineligible",
): BonusListings {
	const known = energyCommunity !== "unknown";
	const listed = { yearly: energyCommunity === "eligible", validFrom: known ? "2026-06-10" : null };
	return { energyCommunity: { ...listing(energyCommunity), ...listed }, lowIncome: listing(lowIncome) };
}

/** Statistical counties. */
export const losAngeles = place("eligible");
export const nueces = place("eligible");
/** Not a statistical county. */
export const broward = place("ineligible");

const solar: CreditInput = {
	technology: "Solar",
	capacityMw: 100,
	codYear: 2027,
	constructionStart: null,
	state: "TX",
	listed: null,
	noValueWarning: null,
	domesticContent: false,
	prevailingWage: true,
	lowIncomeCategory: null,
	elect: "auto",
};

/** On a list of the middle of 2026, under construction or not. */
export const listed = (underConstruction: boolean): NonNullable<CreditInput["listed"]> => ({
	underConstructionOn: underConstruction ? "2026-06-30" : null,
	stalled: false,
	canceled: false,
});

/** The credit of a solar plant of 100 MW in 2027, except for `changes`. */
export function creditOf(
	changes: Partial<CreditInput>,
	where: BonusListings = broward,
	by: Partial<LawOptions> = {},
): Credit {
	return calculateCredit({ ...solar, ...changes }, where, { ...law, ...by });
}

export const codes = (credit: Credit): string[] => credit.warnings.map(({ code }) => code);
