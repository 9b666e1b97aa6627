/** The facts of a Form D as the columns of `raises`, merged from any number of sources. Pure. */
import { earlier, mergeList, mergeNumber, mergeText, union } from "../records/merge-rules.ts";
import type { FormD, IndexedFiling } from "../records/records.ts";

/** Merges two versions of a filing. The day of filing replaces the day of signature. */
export function mergeRaise(a: FormD, b: FormD): FormD {
	const text = (key: TextKey) => mergeText(a[key], b[key]);
	return {
		accession_number: a.accession_number,
		...mergeDates(a, b),
		file_number: text("file_number"),
		is_amendment: a.is_amendment || b.is_amendment,
		previous_accession_number: text("previous_accession_number"),
		// The issuer that registered first has the lowest CIK.
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

type TextKey = {
	[K in keyof FormD]: FormD[K] extends string | null ? K : never;
}[keyof FormD];

/** Adds the filing day and the file number from an index. */
export function addIndexFacts(facts: FormD, indexed: Pick<IndexedFiling, "filingDate" | "fileNumber">): FormD {
	const indexFacts = { filing_date: indexed.filingDate, filing_date_known: true };
	return { ...facts, ...mergeDates(facts, indexFacts), file_number: mergeText(facts.file_number, indexed.fileNumber) };
}

type FilingDay = Pick<FormD, "filing_date" | "filing_date_known">;

function mergeDates(a: FilingDay, b: FilingDay): FilingDay {
	const { filing_date, filing_date_known } = a.filing_date_known ? a : b;
	if (a.filing_date_known !== b.filing_date_known) return { filing_date, filing_date_known };
	return { filing_date: earlier(a.filing_date, b.filing_date), filing_date_known };
}

type Sale = Pick<
	FormD,
	"total_amount_sold" | "date_of_first_sale" | "issuer_street" | "issuer_city" | "related_persons"
>;

/**
 * Keys that co-issuers' notices of one sale have in common: the amount and the first day of sale with an address or a person. Filings with a
 * common key are chained together.
 */
export function saleKeys(facts: Sale): string[] {
	const { total_amount_sold, date_of_first_sale, issuer_street, issuer_city, related_persons } = facts;
	if (total_amount_sold === null || date_of_first_sale === null) return [];
	const sale = `${total_amount_sold} ${date_of_first_sale}`;
	const traits = related_persons.map(({ name }) => normalizeSpelling(name));
	if (issuer_street !== null) traits.push(normalizeSpelling(`${issuer_street} ${issuer_city ?? ""}`));
	return [...new Set(traits.map((trait) => `${sale} ${trait}`))].sort();
}

/** Comparison key that ignores case, punctuation and repeated white space. */
function normalizeSpelling(value: string): string {
	return value
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
