import { describe, expect, it } from "vitest";
import { type FilingFacts, mergeFiling, toFilingFacts } from "../filings/facts.ts";
import { addIndexFacts, mergeRaise } from "../raises/facts.ts";
import { mergeFlag, mergeList, mergeNumber, mergeText } from "./merge-rules.ts";
import type { EightK, FormD } from "./records.ts";

const form: FormD = {
	accession_number: "0001900001-26-000001",
	filing_date: "2026-03-02",
	filing_date_known: true,
	file_number: "021-1",
	is_amendment: false,
	previous_accession_number: null,
	cik: "1900001",
	issuer_name: "Harvest Lane LLC",
	previous_names: [],
	entity_type: null,
	jurisdiction: "DELAWARE",
	issuer_street: null,
	issuer_city: "NASHVILLE",
	issuer_state: "TN",
	year_of_inc: null,
	industry_group: "Other Energy",
	total_offering_amount: null,
	total_amount_sold: 5,
	date_of_first_sale: null,
	is_equity: true,
	is_debt: false,
	related_persons: [],
	clarification: null,
};
const signed = {
	...form,
	filing_date: "2026-02-27",
	filing_date_known: false,
	file_number: null,
	entity_type: "Other",
};
const shouted = {
	...form,
	issuer_name: "HARVEST LANE LLC",
	total_offering_amount: 20,
	related_persons: [{ name: "Ann", relationships: [], city: null, state: null }],
};
const report: EightK = {
	accessionNumber: "0001900002-26-000001",
	cik: "1900002",
	company: "Example Sun Corp",
	coFilers: [],
	form: "8-K",
	filingDate: "2026-04-10",
	fileNumber: null,
	reportDate: null,
	items: [],
	sic: null,
	url: "https://www.sec.gov/Archives/edgar/data/1900002/000190000226000001/0001900002-26-000001-index.htm",
	dealText: null,
	subsidiaryBankruptcy: null,
};
const full = {
	...report,
	reportDate: "2026-04-07",
	items: ["1.01", "9.01"],
	dealText: true,
	url: "https://www.sec.gov/Archives/edgar/data/1900002/000190000226000001/a.htm",
};
const utility = { ...report, cik: "1900050", company: "Example Utility Co", sic: "4911", items: ["1.01"] };

describe("two deliveries of one record", () => {
	it("merge independently of order, grouping and repetition", () => {
		const lawful = <T>(join: (a: T, b: T) => T, [a, b, c]: readonly [T, T, T]) => {
			expect(join(a, a)).toEqual(a);
			expect(join(a, b)).toEqual(join(b, a));
			expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
			expect(join(join(a, c), b)).toEqual(join(join(b, a), c));
		};
		lawful<FormD>(mergeRaise, [form, signed, shouted]);
		lawful<FilingFacts>(mergeFiling, [toFilingFacts(report), toFilingFacts(full), toFilingFacts(utility)]);
		lawful(mergeText, [null, "b", "aa"]);
		lawful(mergeText, ["ab", "ba", "aa"]);
		lawful(mergeNumber, [null, 0, 5]);
		lawful(mergeFlag, [null, false, true]);
		lawful(mergeList<number>, [[], [2, 1], [1, 2]]);
	});

	it("merge to the stated and more complete values", () => {
		const joined = mergeRaise(signed, shouted);
		expect(joined).toMatchObject({
			filing_date: "2026-03-02",
			filing_date_known: true,
			file_number: "021-1",
			entity_type: "Other",
			issuer_name: "Harvest Lane LLC",
			total_offering_amount: 20,
			related_persons: shouted.related_persons,
		});
		const filing = mergeFiling(toFilingFacts(utility), mergeFiling(toFilingFacts(report), toFilingFacts(full)));
		expect(filing).toMatchObject({
			item_codes: ["1.01", "9.01"],
			report_date: "2026-04-07",
			deal_text: true,
			url: full.url,
		});
		expect(filing.companies.map(({ cik }) => cik)).toEqual(["1900002", "1900050"]);
	});

	it("merge to the filing day of an index, whichever comes first", () => {
		const index = { filingDate: "2026-03-02", fileNumber: null };
		expect(addIndexFacts(signed, index)).toMatchObject({ filing_date: "2026-03-02", filing_date_known: true });
		expect(addIndexFacts(form, index)).toEqual(form);
	});
});
