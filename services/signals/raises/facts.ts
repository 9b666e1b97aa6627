/** What is known of a Form D, from however many sources: the columns of `raises` that a source states. Pure. */
import { earlier, mergeList, mergeNumber, mergeText, union } from "../records/merge-rules.ts";
import type { FormD, IndexedFiling } from "../records/records.ts";

export interface RaiseFacts {
	accession_number: string;
	/** YYYY-MM-DD. */
	filing_date: string;
	/** The filing's own; else the day it was signed. */
	filing_date_known: boolean;
	file_number: string | null;
	is_amendment: boolean;
	previous_accession_number: string | null;
	cik: string;
	issuer_name: string;
	previous_names: string[];
	entity_type: string | null;
	jurisdiction: string | null;
	issuer_street: string | null;
	issuer_city: string | null;
	issuer_state: string | null;
	year_of_inc: string | null;
	industry_group: string | null;
	total_offering_amount: number | null;
	total_amount_sold: number | null;
	date_of_first_sale: string | null;
	is_equity: boolean;
	is_debt: boolean;
	related_persons: FormD["relatedPersons"];
	clarification: string | null;
}

export function raiseFacts(filing: FormD): RaiseFacts {
	return {
		accession_number: filing.accessionNumber,
		filing_date: filing.filingDate,
		filing_date_known: filing.filingDateKnown,
		file_number: filing.fileNumber,
		is_amendment: filing.isAmendment,
		previous_accession_number: filing.previousAccessionNumber,
		cik: filing.cik,
		issuer_name: filing.issuerName,
		previous_names: [...new Set(filing.previousNames)].sort(),
		entity_type: filing.entityType,
		jurisdiction: filing.jurisdiction,
		issuer_street: filing.issuerStreet,
		issuer_city: filing.issuerCity,
		issuer_state: filing.issuerState,
		year_of_inc: filing.yearOfInc,
		industry_group: filing.industryGroup,
		total_offering_amount: filing.totalOfferingAmount,
		total_amount_sold: filing.totalAmountSold,
		date_of_first_sale: filing.dateOfFirstSale,
		is_equity: filing.isEquity,
		is_debt: filing.isDebt,
		related_persons: filing.relatedPersons,
		clarification: filing.clarification,
	};
}

/** What two sources say of one filing. The filing's own day wins over the day it was signed. */
export function joinRaise(a: RaiseFacts, b: RaiseFacts): RaiseFacts {
	const text = (key: TextKey) => mergeText(a[key], b[key]);
	return {
		accession_number: a.accession_number,
		...joinDates(a, b),
		file_number: text("file_number"),
		is_amendment: a.is_amendment || b.is_amendment,
		previous_accession_number: text("previous_accession_number"),
		// A filing of several issuers: the one that has been registered longest, whichever source lists it first.
		cik: Number(a.cik) <= Number(b.cik) ? a.cik : b.cik,
		issuer_name: text("issuer_name") ?? "",
		previous_names: union(a.previous_names, b.previous_names),
		entity_type: text("entity_type"),
		jurisdiction: text("jurisdiction"),
		issuer_street: text("issuer_street"),
		issuer_city: text("issuer_city"),
		issuer_state: text("issuer_state"),
		year_of_inc: text("year_of_inc"),
		industry_group: text("industry_group"),
		total_offering_amount: mergeNumber(a.total_offering_amount, b.total_offering_amount),
		total_amount_sold: mergeNumber(a.total_amount_sold, b.total_amount_sold),
		date_of_first_sale: text("date_of_first_sale"),
		is_equity: a.is_equity || b.is_equity,
		is_debt: a.is_debt || b.is_debt,
		related_persons: mergeList(a.related_persons, b.related_persons),
		clarification: text("clarification"),
	};
}

/** The keys whose value is a text or nothing. */
type TextKey = {
	[K in keyof RaiseFacts]: RaiseFacts[K] extends string | null ? K : never;
}[keyof RaiseFacts];

/** An index knows the filing's day and number, and nothing else that the filing does not say itself. */
export function withIndex(facts: RaiseFacts, indexed: Pick<IndexedFiling, "filingDate" | "fileNumber">): RaiseFacts {
	const stated = { filing_date: indexed.filingDate, filing_date_known: true };
	return { ...facts, ...joinDates(facts, stated), file_number: mergeText(facts.file_number, indexed.fileNumber) };
}

type Dated = Pick<RaiseFacts, "filing_date" | "filing_date_known">;

function joinDates(a: Dated, b: Dated): Dated {
	const { filing_date, filing_date_known } = a.filing_date_known ? a : b;
	if (a.filing_date_known !== b.filing_date_known) return { filing_date, filing_date_known };
	return { filing_date: earlier(a.filing_date, b.filing_date), filing_date_known };
}

/**
 * What co-issuers' notices of one sale have in common: amount and first day of sale beside an address or a person. Filings that share
 * a key are to be chained together.
 */
export function saleKeys(facts: RaiseFacts): string[] {
	const { total_amount_sold, date_of_first_sale, issuer_street, issuer_city, related_persons } = facts;
	if (total_amount_sold === null || date_of_first_sale === null) return [];
	const sale = `${total_amount_sold} ${date_of_first_sale}`;
	const traits = related_persons.map(({ name }) => spelling(name));
	if (issuer_street !== null) traits.push(spelling(`${issuer_street} ${issuer_city ?? ""}`));
	return [...new Set(traits.map((trait) => `${sale} ${trait}`))].sort();
}

/** Case, punctuation and white space do not tell two addresses or names apart. */
export function spelling(value: string): string {
	return value
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
