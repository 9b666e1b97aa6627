/** What is known of an 8-K, from however many sources: the columns of `filings` that a source states. Pure. */
import { isIndexPage } from "../edgar/filing-collector.ts";
import { itemCodes } from "../edgar/item-codes.ts";
import { earlier, mergeFlag, mergeList, mergeText } from "../records/merge-rules.ts";
import type { EightK } from "../records/records.ts";

export interface FilingCompany {
	/** Without leading zeros. */
	cik: string;
	name: string;
	sic: string | null;
}

export interface FilingFacts {
	accession_number: string;
	form_type: string;
	/** YYYY-MM-DD, as the report date. */
	filing_date: string;
	file_number: string | null;
	report_date: string | null;
	/** By number, each once: the first is the issuer, which of several has been registered longest. */
	companies: FilingCompany[];
	/** `1.01`, `9.01`. */
	item_codes: string[];
	deal_text: boolean | null;
	subsidiary_bankruptcy: boolean | null;
	url: string;
}

/** `coFilers`: further companies of this filing. */
export function filingFacts(filing: EightK, coFilers: readonly { cik: string; company: string }[] = []): FilingFacts {
	return {
		accession_number: filing.accessionNumber,
		form_type: filing.form,
		filing_date: filing.filingDate,
		file_number: filing.fileNumber,
		report_date: filing.reportDate,
		companies: joinCompanies(
			[{ cik: filing.cik, name: filing.company, sic: filing.sic }],
			coFilers.map(({ cik, company }) => ({ cik, name: company, sic: null })),
		),
		item_codes: itemCodes(filing.items),
		deal_text: filing.dealText,
		subsidiary_bankruptcy: filing.subsidiaryBankruptcy,
		url: filing.url,
	};
}

/** What two sources say of one filing. */
export function joinFiling(a: FilingFacts, b: FilingFacts): FilingFacts {
	return {
		accession_number: a.accession_number,
		form_type: mergeText(a.form_type, b.form_type) ?? "",
		filing_date: earlier(a.filing_date, b.filing_date),
		file_number: mergeText(a.file_number, b.file_number),
		report_date:
			a.report_date === null || b.report_date === null
				? (a.report_date ?? b.report_date)
				: earlier(a.report_date, b.report_date),
		companies: joinCompanies(a.companies, b.companies),
		item_codes: mergeList(a.item_codes, b.item_codes),
		deal_text: mergeFlag(a.deal_text, b.deal_text),
		subsidiary_bankruptcy: mergeFlag(a.subsidiary_bankruptcy, b.subsidiary_bankruptcy),
		url: joinUrls(a.url, b.url),
	};
}

function joinCompanies(a: readonly FilingCompany[], b: readonly FilingCompany[]): FilingCompany[] {
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

/** The document rather than the list of the filing's documents. */
function joinUrls(a: string, b: string): string {
	if (isIndexPage(a) !== isIndexPage(b)) return isIndexPage(a) ? b : a;
	return earlier(a, b);
}
