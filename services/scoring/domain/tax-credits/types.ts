/** What the federal tax credits of a plant are computed from and what is said of them. Rates are fractions: 0.3 is 30 %. */
import type { BonusStatus, CreditStatus, CreditType, technologies } from "#libs/contract/vocabulary.ts";

export type Technology = (typeof technologies)[number];

/** What the reference lists say of a place. */
export interface BonusListing {
	status: BonusStatus;
	reason: string;
	/** The notice whose list was looked at. */
	notice: string | null;
}

export interface EnergyCommunityListing extends BonusListing {
	/** The statistical category decided, whose counties are listed anew each June; coal-closure tracts stay listed. */
	yearly: boolean;
	/** First day of the period of the list that was looked at; null where none was. */
	validFrom: string | null;
}

export interface BonusListings {
	energyCommunity: EnergyCommunityListing;
	lowIncome: BonusListing;
}

export type LowIncomeCategory = 1 | 2 | 3 | 4;

export interface CreditInput {
	/** A word of `technologies`; of any other, no credit is claimed and the answer says why. */
	technology: string;
	/** MW AC. Null, zero or less is not known: assumptions say how it was taken. */
	capacityMw: number | null;
	/** Year placed in service. */
	codYear: number;
	/** "2026" or "2026-07-04"; null: not known. */
	constructionStart: string | null;
	/** The operator reports construction. */
	underConstruction: boolean;
	domesticContent: boolean;
	prevailingWage: boolean;
	/** Of an allocation that was awarded. */
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

/** A rule and its days, both inclusive; null: no limit. What kind of day (construction, service, sale), the rule says. */
export interface Citation {
	rule: string;
	citation: string;
	valid_from: string | null;
	valid_to: string | null;
}

export interface Bonus {
	/** Would be counted in the rate; where the credit has ended or none exists, nothing is. */
	eligible: boolean;
	status: BonusStatus;
	/** What it adds to the rate before the phase factor, or where it is only possible could add. */
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
	/** (base + counted bonuses) x phase factor, four decimals; of a production credit its investment equivalent. */
	effectiveRate: number;
	/** What is left of a conditional rate if its condition fails. */
	atRiskRate: number | null;
	/** Null unless the type is the production credit. */
	ptcCentsPerKwh: number | null;
	ptcRateYear: number | null;
	/** Whole USD; null where cost or capacity is not known. */
	estimatedValue: number | null;
	bonuses: Bonuses;
	/** The credit has a domestic-content adder: no claim that the test is met. */
	domesticContentAdder: boolean;
	warnings: Warning[];
	assumptions: string[];
	citations: Citation[];
}

// MERGED services/scoring/domain/tax-credits/types.ts: The form of every table of the law: rows that hold between two days.
export interface Row {
	readonly law: Citation;
}

/** `from` and `to` are inclusive; null: no limit. */
export function law(rule: string, citation: string, from: string | null, to: string | null): Citation {
	return Object.freeze({ rule, citation, valid_from: from, valid_to: to });
}

/** The row in force on a day, `YYYY-MM-DD`; undefined before the first and after the last. */
export function rowAt<T extends Row>(rows: readonly T[], day: string): T | undefined {
	for (const row of rows) {
		const { valid_from: from, valid_to: to } = row.law;
		if ((from === null || from <= day) && (to === null || day <= to)) return row;
	}
	return undefined;
}
