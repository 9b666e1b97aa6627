/**
 * Recognizes EDGAR's lists of filings, and reads them. Its Atom feeds list the latest filings (`getcurrent`) or those of one company
 * (`getcompany`). Pure.
 */
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { text } from "#libs/files/values.ts";
import { childrenOf, findChild, readXmlTree, textOf, type XmlNode } from "../records/xml-tree.ts";
import type { FiledRow, FilingCollector } from "./filing-collector.ts";
import { findItemCodes } from "./item-codes.ts";
import { readFullTextSearch, readSubmissions } from "./json-feeds.ts";

export type FeedKind = "atom" | "submissions" | "full-text-search";

/** Bytes searched for the kind of the file. Many, because a company's list begins with the company's addresses. */
const startLength = 16_384;

/** Recognizes the kind of a file by its beginning. Returns null if it is unknown. Never throws. */
export function recognizeFeed(bytes: Uint8Array): FeedKind | null {
	const start = peek(bytes, startLength)
		.replace(/^\ufeff/, "")
		.trimStart();
	if (start.startsWith("<")) return isEdgarFeed(start) ? "atom" : null;
	if (!start.startsWith("{")) return null;
	if (start.includes('"_shards"') || /"hits"\s{0,9}:\s{0,9}[{[]/.test(start)) return "full-text-search";
	if (start.includes('"accessionnumber"') || /"cik"\s{0,9}:[^{}[\]]{0,400}"entitytype"/.test(start))
		return "submissions";
	return null;
}

/** News feeds may also be Atom. Only EDGAR's contain the address of its program or the data of a company. */
function isEdgarFeed(start: string): boolean {
	return (
		/<feed[\s>]/.test(start) && /browse-edgar|<company-info>|accession-number=\d{10}-|<accession-number>/.test(start)
	);
}

/** @throws StructureError if the file is incomplete */
export function readFeed(kind: FeedKind, bytes: Uint8Array, name: string, collector: FilingCollector): void {
	if (kind === "atom") readAtom(bytes, name, collector);
	else if (kind === "submissions") readSubmissions(bytes, name, collector);
	else readFullTextSearch(bytes, name, collector);
}

interface AtomEntry extends FiledRow {
	/** `Filer`, `Subject`, `Issuer`, `Reporting` or `Filed by`. Null in a company's own feed. */
	role: string | null;
}

/** A page has 100 entries of about a dozen elements each, and takes 60 kB. */
const limits = { maxBytes: 8 * 1024 * 1024, maxElements: 100_000, maxDepth: 16 };
const maxTitle = 500;
const maxSummary = 20_000;

/** Roles of a company that submits a filing for another company. */
const filingAgents: ReadonlySet<string> = new Set(["Filed by", "Reporting"]);

/**
 * Adds every entry, even of other forms: EDGAR treats the requested `type` as a prefix, and the collector counts the rows that it drops. A
 * filing has one entry for each of its companies.
 * @throws StructureError if the feed is incomplete, or is the HTML page that EDGAR sends beyond the last page
 */
export function readAtom(bytes: Uint8Array, name: string, collector: FilingCollector): void {
	for (const [at, entry] of readAtomEntries(bytes, name).entries()) {
		const isFiledForOthers = entry.role !== null && filingAgents.has(entry.role);
		collector.add(entry, `${name}: entry ${at + 1}`, isFiledForOthers ? `the company's role is ${entry.role}` : null);
	}
}

export function readAtomEntries(bytes: Uint8Array, name: string): AtomEntry[] {
	const feed = readXmlTree(bytes, name, limits);
	if (feed.name !== "feed") throw new StructureError(`${name}: the root element is <${feed.name}>, not an Atom feed`);
	const company = findChild(feed, "company-info");
	return childrenOf(feed, "entry").map((entry) => toEntry(entry, company));
}

function toEntry(entry: XmlNode, company: XmlNode | null): AtomEntry {
	const title = parseTitle(textOf(entry, "title")?.slice(0, maxTitle) ?? "");
	const summary = (findChild(entry, "summary")?.text ?? "").slice(0, maxSummary);
	const content = findChild(entry, "content");
	const items = [...summary.matchAll(/<br>\s{0,9}Item (\d{1,2}(?:\.\d{2})?):/gi)].map(([, code]) => code ?? "");
	const filedDay = /Filed:(?:<\/b>)?\s{0,9}(\d{4}-\d\d-\d\d)/.exec(summary)?.[1];
	return {
		accessionNumber: accessionOf(entry, summary, content),
		form: findChild(entry, "category")?.attributes.get("term") ?? textOf(content, "filing-type"),
		// The time of acceptance, with New York's UTC offset, begins with the day.
		filingDate: filedDay ?? textOf(content, "filing-date") ?? textOf(entry, "updated"),
		reportDate: null,
		items: items.length > 0 ? [...new Set(items)] : findItemCodes(textOf(content, "items-desc") ?? ""),
		document: null,
		dealText: null,
		subsidiaryBankruptcy: null,
		companies: [
			{
				cik: title.cik ?? textOf(company, "cik"),
				name: title.name ?? textOf(company, "conformed-name"),
				sic: textOf(company, "assigned-sic"),
				fileNumber: textOf(content, "file-number"),
			},
		],
		role: title.role,
	};
}

function accessionOf(entry: XmlNode, summary: string, content: XmlNode | null): string | null {
	const number = String.raw`(\d{10}-\d{2}-\d{6})(?!\d)`;
	return (
		new RegExp(`AccNo:(?:</b>)?\\s{0,9}${number}`).exec(summary)?.[1] ??
		new RegExp(`accession-number=${number}`).exec(textOf(entry, "id") ?? "")?.[1] ??
		textOf(content, "accession-number")
	);
}

/** Parses `8-K - Velo3D, Inc. (0001825079) (Filer)`. A title of a company's own feed (`8-K  - Current report`) yields nulls. */
function parseTitle(title: string): { cik: string | null; name: string | null; role: string | null } {
	const end = / \((\d{1,10})\) \(([A-Za-z ]{1,20})\)$/.exec(title);
	const start = title.indexOf(" - ");
	if (end === null || start < 0) return { cik: null, name: null, role: null };
	return { cik: end[1] ?? null, name: text(title.slice(start + 3, end.index)), role: end[2] ?? null };
}
