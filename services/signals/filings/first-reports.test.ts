import { describe, expect, it } from "vitest";
import { findFirstReports } from "./first-reports.ts";

const filing = (
	accession_number: string,
	filing_date: string,
	report_date: string | null,
	items: string[],
	form = "8-K",
) => ({
	accession_number,
	cik: "123456",
	form_type: form,
	filing_date,
	report_date,
	item_codes: items,
});
type Filing = ReturnType<typeof filing>;

/** The first reports of each filing, whatever the order in which the filings arrive. */
function reported(filings: Filing[]): Record<string, string[]> {
	const inOrder = Object.fromEntries(findFirstReports(filings));
	expect(Object.fromEntries(findFirstReports(filings.toReversed()))).toEqual(inOrder);
	return inOrder;
}

const report = filing("report", "2026-03-02", "2026-02-27", ["1.01", "2.01"]);

describe("firstReports", () => {
	it("attributes to an amendment only new items", () => {
		const amendment = filing("amendment", "2026-05-08", "2026-02-27", ["2.01", "9.01"], "8-K/A");
		expect(reported([report, amendment])).toEqual({ report: ["1.01", "2.01"], amendment: ["9.01"] });
	});

	it("puts the report first if both have the same day", () => {
		const amendment = filing("a", "2026-03-02", "2026-02-27", ["1.01"], "8-K/A");
		expect(reported([report, amendment])).toEqual({ report: ["1.01", "2.01"], a: [] });
	});

	it("uses an amendment if its report is not loaded", () => {
		expect(reported([filing("a", "2026-05-08", "2026-02-27", ["2.01"], "8-K/A")])).toEqual({ a: ["2.01"] });
	});

	it("separates days, issuers and items", () => {
		const next = filing("next", "2026-04-01", "2026-03-30", ["1.01"]);
		const other = { ...report, accession_number: "other", cik: "7" };
		expect(reported([report, next, other])).toEqual({
			report: ["1.01", "2.01"],
			next: ["1.01"],
			other: ["1.01", "2.01"],
		});
	});

	it("treats an amendment without a day as a repetition of the last hundred days, but never a report", () => {
		const amendment = filing("amendment", "2026-05-08", null, ["2.01", "3.02"], "8-K/A");
		const late = filing("late", "2027-01-08", null, ["2.01"], "8-K/A");
		const plain = filing("plain", "2026-03-09", null, ["1.01"]);
		expect(reported([report, amendment, late, plain])).toEqual({
			report: ["1.01", "2.01"],
			amendment: ["3.02"],
			late: ["2.01"],
			plain: ["1.01"],
		});
	});

	it("treats an amendment as a repetition of a report without a day", () => {
		const undated = filing("undated", "2026-03-02", null, ["2.01"]);
		const amendment = filing("amendment", "2026-05-08", "2026-02-27", ["2.01"], "8-K/A");
		expect(reported([undated, amendment])).toEqual({ undated: ["2.01"], amendment: [] });
	});

	it("compares items in any notation, and lists a filing once", () => {
		const amendment = filing("amendment", "2026-03-08", "2026-02-27", ["Item 2.01: Completion"], "8-K/A");
		expect(reported([report, amendment, report])).toEqual({ report: ["1.01", "2.01"], amendment: [] });
	});
});
