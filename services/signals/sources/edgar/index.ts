/** EDGAR's feeds and indexes: which of them a file is, and its rows. Pure. */
import { peek } from "#libs/files/decode.ts";
import { readAtom } from "./atom.ts";
import type { FilingCollector } from "./filings.ts";
import { readFullTextSearch } from "./full-text-search.ts";
import { readSubmissions } from "./submissions.ts";

export type FeedKind = "atom" | "submissions" | "full-text-search" | "company-tickers";

/** Bytes that suffice to tell the kinds apart: a company's own list begins with its addresses. */
const startLength = 16_384;

/** The kind of a file by how it begins; null for anything else. Cheap, never throws. */
export function recogniseFeed(bytes: Uint8Array): FeedKind | null {
	const start = peek(bytes, startLength)
		.replace(/^\ufeff/, "")
		.trimStart();
	if (start.startsWith("<")) return isEdgarFeed(start) ? "atom" : null;
	if (!start.startsWith("{")) return null;
	if (start.includes('"cik_str"')) return "company-tickers";
	if (start.includes('"_shards"') || /"hits"\s{0,9}:\s{0,9}[{[]/.test(start)) return "full-text-search";
	if (start.includes('"accessionnumber"') || /"cik"\s{0,9}:[^{}[\]]{0,400}"entitytype"/.test(start))
		return "submissions";
	return null;
}

/** News feeds are Atom too: EDGAR's names its own programs, or holds the data of a company. */
function isEdgarFeed(start: string): boolean {
	return (
		/<feed[\s>]/.test(start) && /browse-edgar|<company-info>|accession-number=\d{10}-|<accession-number>/.test(start)
	);
}

/** Adds the rows of a feed that lists filings. Throws `StructureError` when the file is not whole. */
export function readFeed(
	kind: Exclude<FeedKind, "company-tickers">,
	bytes: Uint8Array,
	name: string,
	into: FilingCollector,
): void {
	if (kind === "atom") readAtom(bytes, name, into);
	else if (kind === "submissions") readSubmissions(bytes, name, into);
	else readFullTextSearch(bytes, name, into);
}
