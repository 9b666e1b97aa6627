/** A plant and its federal tax credit. Rates are fractions: 0.3 is 30 %. */
import type { BonusStatus, CreditStatus, CreditType, technologies } from "#libs/contract/vocabulary.ts";

export type Technology = (typeof technologies)[number];

export interface BonusListing {
	status: BonusStatus;
	reason: string;
	notice: string | null;
}

export interface EnergyCommunityListing extends BonusListing {
	/** Whether the place qualifies by the statistical category, whose list changes each June. Coal-closure tracts remain listed. */
	yearly: boolean;
	/** First day of the period of the searched list; null if none was searched. */
	validFrom: string | null;
}

export interface BonusListings {
	energyCommunity: EnergyCommunityListing;
	lowIncome: BonusListing;
}

export type LowIncomeCategory = 1 | 2 | 3 | 4;

/** Facts of a plant that its operator or the EIA lists. */
interface Listed {
	/** Day by which the operator or the EIA lists the plant as under construction; null: neither does. */
	underConstructionOn: string | null;
	/** The request is suspended and has no projected date in the future. */
	stalled: boolean;
	/** The EIA lists the plant as canceled or postponed. */
	canceled: boolean;
}

export interface CreditInput {
	/** One of `technologies`, or several joined by " + ". Any other gets no credit, with a warning. */
	technology: string;
	/** MW AC. Null, zero and negative values mean unknown; the assumptions state the consequences. */
	capacityMw: number | null;
	codYear: number;
	/** Two-letter code; null: not known. */
	state: string | null;
	/** "2026" or "2026-07-04"; null: not known. */
	constructionStart: string | null;
	/** Null for a plant that a caller describes: its year of service is accepted as given. */
	listed: Listed | null;
	/** Why no value can be estimated, whatever the capacity; null if there is no such reason. */
	noValueWarning: Warning | null;
	domesticContent: boolean;
	prevailingWage: boolean;
	lowIncomeCategory: LowIncomeCategory | null;
	elect: "auto" | "itc" | "ptc";
}

export interface LawOptions {
	/** `YYYY-MM-DD`. */
	asOf: string;
	notice_2025_42: "vacated" | "in_force";
}

/** `code` is stable; `message` is for people. */
export interface Warning {
	code: string;
	message: string;
}

/** A rule and its first and last day, both inclusive (null: no limit). The rule states which day counts: that of construction, service or sale. */
export interface Citation {
	rule: string;
	citation: string;
	valid_from: string | null;
	valid_to: string | null;
}

export interface Bonus {
	/** Whether it is added to the rate, unless the credit has ended or none exists. */
	eligible: boolean;
	status: BonusStatus;
	/** Points that it adds (or would add, if it is only possible) to the rate before the phase factor. */
	bonus_pct: number;
	reason: string;
}

export interface Bonuses {
	energyCommunity: Bonus & { notice: string | null };
	domesticContent: Bonus & { requiredPct: number | null };
	lowIncome: Bonus;
}

export interface Credit {
	type: CreditType | null;
	status: CreditStatus;
	baseRate: number;
	phaseFactor: number;
	/** (base + counted bonuses) x phase factor, to four decimals; for a production credit, the equivalent investment credit. */
	effectiveRate: number;
	/** The rate that remains if the condition of a conditional credit fails; null if it is not conditional. */
	atRiskRate: number | null;
	ptcCentsPerKwh: number | null;
	ptcRateYear: number | null;
	estimatedValue: number | null;
	/** Last day of service with a credit if construction did not begin in time; null: no such limit. */
	serviceBy: string | null;
	bonuses: Bonuses;
	/** Whether the credit has a domestic-content adder, even if the test is not met. */
	domesticContentAdder: boolean;
	warnings: Warning[];
	assumptions: string[];
	citations: Citation[];
}

/** A row of a table of the law, which is in force between two days. */
export interface Row {
	readonly law: Citation;
}

/** `from` and `to` are inclusive; null: no limit. */
export function law(rule: string, citation: string, from: string | null, to: string | null): Citation {
	return Object.freeze({ rule, citation, valid_from: from, valid_to: to });
}

/** Returns the row in force on a day (`YYYY-MM-DD`); undefined before the first row and after the last. */
export function rowAt<T extends Row>(rows: readonly T[], day: string): T | undefined {
	return rows.find(({ law: { valid_from, valid_to } }) => (valid_from ?? day) <= day && day <= (valid_to ?? day));
}
