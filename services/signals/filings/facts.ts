/** The facts of an 8-K as the columns of `filings`, merged from any number of sources. Pure. */
import { isIndexPage } from "../edgar/filing-collector.ts";
import { parseItemCodes } from "../edgar/item-codes.ts";
import { earlier, mergeFlag, mergeList, mergeText } from "../records/merge-rules.ts";
import type { EightK } from "../records/records.ts";

interface FilingCompany {
	cik: string;
	name: string;
	sic: string | null;
}

export interface FilingFacts {
	accession_number: string;
	form_type: string;
	filing_date: string;
	file_number: string | null;
	report_date: string | null;
	/** Sorted by CIK. The first company registered before the others and counts as the issuer. */
	companies: FilingCompany[];
	item_codes: string[];
	deal_text: boolean | null;
	subsidiary_bankruptcy: boolean | null;
	url: string;
}

export function toFilingFacts(filing: EightK): FilingFacts {
	return {
		accession_number: filing.accessionNumber,
		form_type: filing.form,
		filing_date: filing.filingDate,
		file_number: filing.fileNumber,
		report_date: filing.reportDate,
		companies: mergeCompanies(
			[{ cik: filing.cik, name: filing.company, sic: filing.sic }],
			filing.coFilers.map(({ cik, company }) => ({ cik, name: company, sic: null })),
		),
		item_codes: parseItemCodes(filing.items),
		deal_text: filing.dealText,
		subsidiary_bankruptcy: filing.subsidiaryBankruptcy,
		url: filing.url,
	};
}

export function mergeFiling(a: FilingFacts, b: FilingFacts): FilingFacts {
	return {
		accession_number: a.accession_number,
		form_type: mergeText(a.form_type, b.form_type) ?? "",
		filing_date: earlier(a.filing_date, b.filing_date),
		file_number: mergeText(a.file_number, b.file_number),
		report_date:
			a.report_date === null || b.report_date === null
				? (a.report_date ?? b.report_date)
				: earlier(a.report_date, b.report_date),
		companies: mergeCompanies(a.companies, b.companies),
		item_codes: mergeList(a.item_codes, b.item_codes),
		deal_text: mergeFlag(a.deal_text, b.deal_text),
		subsidiary_bankruptcy: mergeFlag(a.subsidiary_bankruptcy, b.subsidiary_bankruptcy),
		url: mergeUrls(a.url, b.url),
	};
}

function mergeCompanies(a: readonly FilingCompany[], b: readonly FilingCompany[]): FilingCompany[] {
	const joined = new Map<string, FilingCompany>();
	for (const company of [...a, ...b]) {
		const known = joined.get(company.cik) ?? company;
		joined.set(company.cik, {
			cik: company.cik,
			name: mergeText(known.name, company.name) ?? "",
			sic: mergeText(known.sic, company.sic),
		});
	}
	return [...joined.values()].sort((one, other) => Number(one.cik) - Number(other.cik));
}

/** Prefers the primary document over the index page. */
function mergeUrls(a: string, b: string): string {
	if (isIndexPage(a) !== isIndexPage(b)) return isIndexPage(a) ? b : a;
	return earlier(a, b);
}
