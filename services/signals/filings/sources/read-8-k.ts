/** Reads 8-Ks from EDGAR's files: feeds, search results, companies' lists of filings, full submissions. Pure. */
import { peek } from "#libs/files/decode.ts";
import { type FeedKind, readFeed, recognizeFeed } from "../../edgar/feeds.ts";
import { type EdgarFilings, FilingCollector } from "../../edgar/filing-collector.ts";
import { readSubmissionHeader, type SubmissionDocument } from "../../edgar/full-submission.ts";
import { parseItemCodes } from "../../edgar/item-codes.ts";
import type { SourceFile } from "../../records/records.ts";
import { extractText, findItemSection, isDeal, isSubsidiaryBankruptcy } from "./text.ts";

/** Recognizes the kind of a file by its beginning. Returns null if it is unknown. Never throws. */
export function recognizeEightK({ bytes }: SourceFile): FeedKind | "full-submission" | null {
	return isSubmission(peek(bytes, 8192)) ? "full-submission" : recognizeFeed(bytes);
}

/** Whether it is the full submission of an 8-K. Submissions of other forms begin with the same tag. */
function isSubmission(start: string): boolean {
	if (!/^\s{0,9}<(?:sec-document|submission)>/.test(start)) return false;
	return /\n(?:conformed submission type:\s{0,9}|<type>)8-k(?:\/a)?\s/.test(start);
}

/**
 * Reads a file and returns each filing once. A file of an unknown kind yields nothing. The company's name is empty if the file is an older
 * page of its list.
 * @throws StructureError if the file is incomplete
 */
export function readEightK(file: SourceFile, now: Date): EdgarFilings {
	const { name, bytes } = file;
	const collector = new FilingCollector(now);
	const kind = recognizeEightK(file);
	if (kind === "full-submission") readFullSubmission(bytes, name, collector);
	else if (kind !== null) readFeed(kind, bytes, name, collector);
	return collector.result();
}

/** Maximum bytes read of the main document. With inline XBRL, a page takes a hundred kilobytes. */
const maxDocumentBytes = 8 * 1024 * 1024;

/**
 * Adds the filing. `dealText` is set only if item 1.01 is reported, and `subsidiaryBankruptcy` only if item 1.03 is. Exhibits are not read.
 * @throws StructureError if the file is truncated or header fields are missing
 */
export function readFullSubmission(bytes: Uint8Array, name: string, collector: FilingCollector): void {
	const header = readSubmissionHeader(bytes, name);
	const items = parseItemCodes(header.items);
	const main = header.documents.find(({ type }) => type === header.form) ?? null;
	const text = items.includes("1.01") || items.includes("1.03") ? textOf(bytes, main) : null;
	collector.add(
		{
			accessionNumber: header.accessionNumber,
			form: header.form,
			filingDate: header.filingDate,
			reportDate: header.reportDate,
			items,
			document: main?.fileName ?? null,
			dealText: text !== null && items.includes("1.01") ? isDeal(findItemSection(text, "1.01")) : null,
			subsidiaryBankruptcy:
				text !== null && items.includes("1.03") ? isSubsidiaryBankruptcy(findItemSection(text, "1.03")) : null,
			companies: header.companies,
		},
		name,
	);
}

function textOf(bytes: Uint8Array, main: SubmissionDocument | null): string | null {
	if (main === null) return null;
	return extractText(bytes.subarray(main.start, Math.min(main.end, main.start + maxDocumentBytes)));
}
