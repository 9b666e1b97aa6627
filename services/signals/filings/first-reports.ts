/** Finds the filing that first reports an event: an amendment repeats the items of the report that it amends. Pure. */
import { itemCode } from "../edgar/item-codes.ts";
import type { EightK } from "../records/records.ts";

type Filed = Pick<EightK, "accessionNumber" | "cik" | "form" | "filingDate" | "reportDate" | "items">;

/**
 * Days within which an undated amendment repeats a report. Financial statements of an acquisition follow up to 71 days after the report
 * was due, which is four business days after the event.
 */
const amendmentWindowDays = 100;

/**
 * The items that each filing (by accession number) reports first. An event is an issuer, a day and an item. The earliest filing counts, a
 * report before an amendment. Without a stated day, an amendment repeats what the issuer reported of that item up to 100 days before, and
 * a report always counts.
 */
export function firstReports(filings: readonly Filed[]): Map<string, string[]> {
	const events = new Map<string, string[]>();
	const byItem = new Map<string, Telling>();
	for (const filing of [...filings].sort(byTelling)) {
		const first = events.get(filing.accessionNumber) ?? [];
		events.set(filing.accessionNumber, first);
		for (const code of new Set(filing.items.map(itemCode))) {
			if (code === null) continue;
			const key = `${filing.cik} ${code}`;
			const telling = byItem.get(key) ?? { days: new Set(), lastFiled: "", lastUndated: "" };
			if (!repeats(filing, telling) && !first.includes(code)) first.push(code);
			byItem.set(key, noted(filing, telling));
		}
	}
	return events;
}

/** Earlier reports of one item by one issuer. Days as YYYY-MM-DD, empty for none. */
interface Telling {
	days: Set<string>;
	lastFiled: string;
	/** Latest filing without a day of the event. */
	lastUndated: string;
}

function byTelling(a: Filed, b: Filed): number {
	return (
		compare(a.filingDate, b.filingDate) || compare(a.form, b.form) || compare(a.accessionNumber, b.accessionNumber)
	);
}

function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

function repeats(filing: Filed, telling: Telling): boolean {
	if (filing.reportDate !== null && telling.days.has(filing.reportDate)) return true;
	if (filing.form !== "8-K/A") return false;
	return within(filing.reportDate === null ? telling.lastFiled : telling.lastUndated, filing.filingDate);
}

function within(earlier: string, later: string): boolean {
	return earlier !== "" && Date.parse(later) - Date.parse(earlier) <= amendmentWindowDays * 86_400_000;
}

function noted(filing: Filed, telling: Telling): Telling {
	if (filing.reportDate !== null) telling.days.add(filing.reportDate);
	else telling.lastUndated = filing.filingDate;
	telling.lastFiled = filing.filingDate;
	return telling;
}
