/** Finds the filing that first reports an event, because an amendment repeats the items of the report that it amends. Pure. */
import { parseItemCodes } from "../edgar/item-codes.ts";
import type { FilingFacts } from "./facts.ts";

type DatedFiling = Pick<
	FilingFacts,
	"accession_number" | "form_type" | "filing_date" | "report_date" | "item_codes"
> & {
	cik: string;
};

/**
 * Days within which an undated amendment counts as repeating a report. An acquired company's financial statements may follow until 71 days
 * after the report was due, and the report is due four business days after the event.
 */
const amendmentWindowDays = 100;

/**
 * Returns, by accession number, the items that each filing is the first to report. An event is identified by issuer, day and item. The
 * earliest filing is the first; on the same day, a report precedes an amendment. An amendment that does not state the day of the event
 * repeats the issuer's reports of that item in the 100 days before it. A report that does not state the day never repeats another filing.
 */
export function findFirstReports(filings: readonly DatedFiling[]): Map<string, string[]> {
	const itemsByFiling = new Map<string, string[]>();
	const byItem = new Map<string, Reports>();
	for (const filing of filings.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))) {
		const firstItems = itemsByFiling.get(filing.accession_number) ?? [];
		itemsByFiling.set(filing.accession_number, firstItems);
		for (const code of parseItemCodes(filing.item_codes)) {
			const key = `${filing.cik} ${code}`;
			const reports = byItem.get(key) ?? { days: new Set(), lastFiled: "", lastUndated: "" };
			if (!isRepeat(filing, reports) && !firstItems.includes(code)) firstItems.push(code);
			byItem.set(key, addReport(filing, reports));
		}
	}
	return itemsByFiling;
}

/** Earlier reports of one item by one issuer. Days are YYYY-MM-DD, or empty if there is none. */
interface Reports {
	days: Set<string>;
	lastFiled: string;
	/** Filing day of the latest filing that does not state the day of the event. */
	lastUndated: string;
}

const sortKey = ({ filing_date, form_type, accession_number }: DatedFiling): string =>
	[filing_date, form_type, accession_number].join(" ");

function isRepeat(filing: DatedFiling, reports: Reports): boolean {
	if (filing.report_date !== null && reports.days.has(filing.report_date)) return true;
	if (filing.form_type !== "8-K/A") return false;
	return isWithinWindow(filing.report_date === null ? reports.lastFiled : reports.lastUndated, filing.filing_date);
}

function isWithinWindow(earlier: string, later: string): boolean {
	return earlier !== "" && Date.parse(later) - Date.parse(earlier) <= amendmentWindowDays * 86_400_000;
}

function addReport(filing: DatedFiling, reports: Reports): Reports {
	if (filing.report_date !== null) reports.days.add(filing.report_date);
	else reports.lastUndated = filing.filing_date;
	reports.lastFiled = filing.filing_date;
	return reports;
}
