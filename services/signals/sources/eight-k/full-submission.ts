/** An 8-K as EDGAR keeps it whole (`{accession}.txt`): what its header says, and what its text says of a deal or a bankruptcy. Pure. */

import { itemCodes } from "../../domain/item-codes.ts";
import type { FilingCollector } from "../edgar/filings.ts";
import { readSubmissionHeader, type SubmissionDocument } from "../edgar/sgml.ts";
import { documentText, isDeal, isSubsidiaryBankruptcy, itemSection } from "./text.ts";

/** Bytes of the main document that are read: inline XBRL makes a page of text a hundred kilobytes, none of interest has ten million. */
const maxDocumentBytes = 8 * 1024 * 1024;

/**
 * Adds the filing. `dealText` is stated where a 1.01 is among the items, `subsidiaryBankruptcy` where a
 * 1.03 is; the exhibits are not read. Throws `StructureError` for a cut file and for one without the header's fields.
 */
export function readFullSubmission(bytes: Uint8Array, name: string, into: FilingCollector): void {
	const header = readSubmissionHeader(bytes, name);
	const items = itemCodes(header.items);
	const main = header.documents.find(({ type }) => type === header.form) ?? null;
	const text = items.includes("1.01") || items.includes("1.03") ? textOf(bytes, main) : null;
	into.add(
		{
			accessionNumber: header.accessionNumber,
			form: header.form,
			filingDate: header.filingDate,
			reportDate: header.reportDate,
			items,
			document: main?.fileName ?? null,
			dealText: text !== null && items.includes("1.01") ? isDeal(itemSection(text, "1.01")) : null,
			subsidiaryBankruptcy:
				text !== null && items.includes("1.03") ? isSubsidiaryBankruptcy(itemSection(text, "1.03")) : null,
			companies: header.companies,
		},
		name,
	);
}

function textOf(bytes: Uint8Array, main: SubmissionDocument | null): string | null {
	if (main === null) return null;
	return documentText(bytes.subarray(main.start, Math.min(main.end, main.start + maxDocumentBytes)));
}
