/** A plant and its federal tax credit. Rates are fractions: 0.3 is 30 %. */
import type { BonusStatus, CreditStatus, CreditType, technologies } from "#libs/contract/vocabulary.ts";

export type Technology = (typeof technologies)[number];

export interface BonusListing {
	status: BonusStatus;
	reason: string;
	notice: string | null;
}

export interface EnergyCommunityListing extends BonusListing {
	/** Decided by the statistical category, whose counties are listed each June again; coal-closure tracts stay listed. */
	yearly: boolean;
	/** First day of the period of the list that was searched; null where none was. */
	validFrom: string | null;
}

export interface BonusListings {
	energyCommunity: EnergyCommunityListing;
	lowIncome: BonusListing;
}

export type LowIncomeCategory = 1 | 2 | 3 | 4;

/** Facts of a plant by its operator's newest list. */
export interface Listed {
	/** Day on which the operator or the EIA has it under construction; null: none does. */
	underConstructionOn: string | null;
	/** Suspended, and no projected date lies ahead. */
	stalled: boolean;
	/** The EIA lists its plant as cancelled or postponed. */
	cancelled: boolean;
}

export interface CreditInput {
	/** One of `technologies`; with any other, no credit is claimed, for a stated reason. */
	technology: string;
	/** MW AC. Null, zero and less are unknown; the assumptions state how that was treated. */
	capacityMw: number | null;
	codYear: number;
	/** Two-letter code; null: not known. */
	state: string | null;
	/** "2026" or "2026-07-04"; null: not known. */
	constructionStart: string | null;
	/** Null: a plant that a caller describes, whose year of service is taken as stated. */
	listed: Listed | null;
	/** Why no value can be estimated, whatever its capacity; null: nothing speaks against one. */
	unvalued: Warning | null;
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

/** `code` is stable; the message is for people. */
export interface Warning {
	code: string;
	message: string;
}

/** A rule and its days, both inclusive; null: no limit. The rule states the kind of day: construction, service or sale. */
export interface Citation {
	rule: string;
	citation: string;
	valid_from: string | null;
	valid_to: string | null;
}

export interface Bonus {
	/** Would be counted in the rate, unless the credit has ended or none exists. */
	eligible: boolean;
	status: BonusStatus;
	/** Points that it adds, or if it is only possible would add, to the rate before the phase factor. */
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
	/** (base + counted bonuses) x phase factor, four decimals; for a production credit its investment equivalent. */
	effectiveRate: number;
	/** The rest of a conditional rate if its condition fails. */
	atRiskRate: number | null;
	ptcCentsPerKwh: number | null;
	ptcRateYear: number | null;
	estimatedValue: number | null;
	/** Last day of service that leaves a credit, where no construction is known to have begun in time; null: none. */
	serviceBy: string | null;
	bonuses: Bonuses;
	/** The credit has a domestic-content adder, whether or not the test is met. */
	domesticContentAdder: boolean;
	warnings: Warning[];
	assumptions: string[];
	citations: Citation[];
}

/** A row of a table of the law, which holds between two days. */
export interface Row {
	readonly law: Citation;
}

/** `from` and `to` are inclusive; null: no limit. */
export function law(rule: string, citation: string, from: string | null, to: string | null): Citation {
	return Object.freeze({ rule, citation, valid_from: from, valid_to: to });
}

/** The row in force on a day, `YYYY-MM-DD`; undefined before the first and after the last. */
export function rowAt<T extends Row>(rows: readonly T[], day: string): T | undefined {
	return rows.find(({ law: { valid_from, valid_to } }) => (valid_from ?? day) <= day && day <= (valid_to ?? day));
}
