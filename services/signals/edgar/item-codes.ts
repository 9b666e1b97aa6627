/** The items of an 8-K: their titles, their categories, and the kind of event that a filing reports. Pure. */
import type { filingCategories, filingTypes } from "#libs/contract/vocabulary.ts";
import { text } from "#libs/files/values.ts";

export type ItemCategory = (typeof filingCategories)[number];
export type MaterialEventType = (typeof filingTypes)[number];

interface Item {
	code: string;
	title: string;
	/** Null for an item that is not an event. */
	category: ItemCategory | null;
	/** EDGAR's wordings that differ from the title. Headers of filings contain titles instead of codes. */
	alsoTitled?: readonly string[];
}

const item = (code: string, title: string, category: ItemCategory | null = null, ...alsoTitled: string[]): Item => ({
	code,
	title,
	category,
	alsoTitled,
});

/** The items of Form 8-K since August 2004, with the API's categories. */
export const eightKItems: readonly Item[] = [
	item("1.01", "Entry into a Material Definitive Agreement", "agreement"),
	item("1.02", "Termination of a Material Definitive Agreement"),
	item("1.03", "Bankruptcy or Receivership", "distress"),
	item("1.04", "Mine Safety – Reporting of Shutdowns and Patterns of Violations"),
	item("1.05", "Material Cybersecurity Incidents"),
	item("2.01", "Completion of Acquisition or Disposition of Assets", "ma"),
	item("2.02", "Results of Operations and Financial Condition"),
	item(
		"2.03",
		"Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
		"debt",
	),
	item(
		"2.04",
		"Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement",
	),
	item(
		"2.05",
		"Costs Associated with Exit or Disposal Activities",
		null,
		"Cost Associated with Exit or Disposal Activities",
	),
	item("2.06", "Material Impairments", "distress"),
	item(
		"3.01",
		"Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
		"distress",
	),
	item("3.02", "Unregistered Sales of Equity Securities", "equity"),
	item(
		"3.03",
		"Material Modification to Rights of Security Holders",
		null,
		"Material Modifications to Rights of Security Holders",
	),
	item("4.01", "Changes in Registrant's Certifying Accountant"),
	item(
		"4.02",
		"Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
	),
	item("5.01", "Changes in Control of Registrant"),
	item(
		"5.02",
		"Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers",
		null,
		"Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers",
	),
	item("5.03", "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year"),
	item("5.07", "Submission of Matters to a Vote of Security Holders"),
	item("7.01", "Regulation FD Disclosure"),
	item("8.01", "Other Events"),
	item("9.01", "Financial Statements and Exhibits"),
];

const byCode: ReadonlyMap<string, Item> = new Map(eightKItems.map((known) => [known.code, known]));

/** Codes by the letters of the title, because EDGAR's punctuation differs from the form's. */
const byTitle: ReadonlyMap<string, string> = new Map(
	eightKItems.flatMap(({ code, title, alsoTitled = [] }) =>
		[title, ...alsoTitled].map((name): [string, string] => [titleKey(name), code]),
	),
);

function titleKey(title: string): string {
	return title.toLowerCase().replace(/[^a-z]+/g, "");
}

const maxItemLength = 300;

/**
 * Returns the code of `1.01`, `Item 1.01`, `Item 1.01: Entry into ...` or a title without a number. An unknown number (5 and 12 before
 * August 2004, 6.01 of asset-backed issuers) or title is returned as written. Null if blank.
 */
export function parseItemCode(item: string): string | null {
	const clean = text(item.slice(0, maxItemLength));
	if (clean === null) return null;
	const code = /^(?:items?\s)?(\d{1,2}(?:\.\d{2})?)(?!\w|\.\d)/i.exec(clean)?.[1];
	return code ?? byTitle.get(titleKey(clean)) ?? clean;
}

export function parseItemCodes(written: readonly string[]): string[] {
	return [...new Set(written.map(parseItemCode).filter((code) => code !== null))];
}

/** Finds the codes in `1.01,9.01`, in `items 1.01, 3.02, 8.01and9.01`, and in `5,7` (before August 2004). */
export function findItemCodes(line: string): string[] {
	return [...new Set(line.slice(0, maxItemLength).match(/\d{1,2}(?:\.\d{2})?/g))];
}

interface ItemMeaning {
	/** Titles. An item with an unknown number is `Item x.yz`. */
	items: string[];
	categories: ItemCategory[];
	/** Distress takes precedence over ma, and ma over financing. Null if no item has a category. */
	eventType: MaterialEventType | null;
}

/**
 * A delisting (3.01) reported with a completed acquisition (2.01) or a change of control (5.01) completes a merger, so its category is ma,
 * not distress. `dealText`: whether the text of item 1.01 is about a merger or a purchase; null if it has not been read.
 */
export function describeItems(written: readonly string[], dealText: boolean | null): ItemMeaning {
	const codes = parseItemCodes(written);
	const mergerClosed = codes.includes("2.01") || codes.includes("5.01");
	const categories = new Set<ItemCategory>();
	for (const code of codes) {
		const category = code === "3.01" && mergerClosed ? "ma" : byCode.get(code)?.category;
		if (category) categories.add(category);
	}
	return {
		items: codes.map(titleOf),
		categories: [...categories].sort(),
		eventType: eventTypeOf(categories, codes.includes("1.01") && dealText === true),
	};
}

function titleOf(code: string): string {
	return byCode.get(code)?.title ?? (/^\d/.test(code) ? `Item ${code}` : code);
}

function eventTypeOf(categories: ReadonlySet<ItemCategory>, isDeal: boolean): MaterialEventType | null {
	if (categories.has("distress")) return "distress";
	if (categories.has("ma") || isDeal) return "ma";
	return categories.size > 0 ? "financing" : null;
}
