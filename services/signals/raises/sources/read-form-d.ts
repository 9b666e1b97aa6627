/** Reads Form D in all formats in which it is published. Pure. */
import { isZip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { readFeed, recognizeFeed } from "../../edgar/feeds.ts";
import { FilingCollector } from "../../edgar/filing-collector.ts";
import { readSubmissionHeader } from "../../edgar/full-submission.ts";
import { Account, joinParsed } from "../../records/account.ts";
import type { FormD, IndexedFiling, Parsed, SourceFile } from "../../records/records.ts";
import { isIndexFile, readIndexFile } from "./index-files.ts";
import { isRendering, readPrimaryDoc } from "./primary-doc.ts";
import { isQuarterlyTable, readQuarterlyTables, readQuarterlyZip } from "./quarterly-sets.ts";
import { isScreenerFilings, isScreenerIndex, readScreenerFilings, readScreenerIndex } from "./screener.ts";

type FormDKind =
	| "primary-doc"
	| "submission"
	| "quarterly-zip"
	| "quarterly-table"
	| "index"
	| "atom"
	| "submissions"
	| "screener-filings"
	| "screener-index";

/** Recognizes a file by its beginning, and a zip by its directory. Returns null if it is unknown. Never throws. */
export function recognizeFormD({ name, bytes }: SourceFile): FormDKind | null {
	if (isZip(bytes)) return containsTables(bytes) ? "quarterly-zip" : null;
	if (isIndexFile(bytes, name)) return "index";
	if (isQuarterlyTable(bytes)) return "quarterly-table";
	const start = peek(bytes, 4096);
	if (isFormDSubmission(start)) return "submission";
	// Unlike the primary documents of other forms, Form D's has no <headerData>.
	if (/<(\w{1,20}:)?edgarsubmission[\s>]/.test(start) && !start.includes("<headerdata")) return "primary-doc";
	if (isRendering(bytes, name)) return "primary-doc";
	if (isScreenerFilings(bytes)) return "screener-filings";
	if (isScreenerIndex(bytes)) return "screener-index";
	const feed = recognizeFeed(bytes);
	return feed === "atom" || feed === "submissions" ? feed : null;
}

/**
 * Reads the filings and index rows of forms D and D/A. Skips files of an unknown kind. A filing in several files is returned several times.
 * @throws StructureError if a file is incomplete; the message names it
 */
export async function readFormD(
	files: readonly SourceFile[],
	{ now }: { now: Date },
): Promise<{ filings: Parsed<FormD>; index: Parsed<IndexedFiling> }> {
	const byKind = Map.groupBy(files, recognizeFormD);
	const filesOf = (kind: FormDKind) => byKind.get(kind) ?? [];
	const index = joinParsed([
		...filesOf("index").map((file) => readIndexFile(file, now)),
		...filesOf("screener-index").map((file) => readScreenerIndex(file, now)),
		...filesOf("atom").map((file) => readFeedIndex("atom", file, now)),
		...filesOf("submissions").map((file) => readFeedIndex("submissions", file, now)),
	]);
	const tables = filesOf("quarterly-table");
	const filings = [
		...filesOf("primary-doc").map(({ name, bytes }) => readPrimaryDoc(bytes, { name, now })),
		...filesOf("submission").map(({ name, bytes }) => readSubmission(bytes, { name, now })),
		...(tables.length > 0 ? [readQuarterlyTables(tables, now)] : []),
		...filesOf("screener-filings").map((file) => readScreenerFilings(file, index.records, now)),
	];
	for (const zip of filesOf("quarterly-zip")) filings.push(await readQuarterlyZip(zip, now));
	return { filings: joinParsed(filings), index };
}

/** Reads the filings of forms D and D/A from a feed, which lists filings of any form. */
function readFeedIndex(kind: "atom" | "submissions", { name, bytes }: SourceFile, now: Date): Parsed<IndexedFiling> {
	const collector = new FilingCollector(now);
	readFeed(kind, bytes, name, collector);
	const { index, filings } = collector.result();
	const otherForms = new Account();
	for (const { form, accessionNumber } of filings.records) {
		otherForms.drop(`form ${form} is neither D nor D/A`, accessionNumber);
	}
	const { dropped } = otherForms.finish([]);
	return joinParsed([
		{ ...index, notes: [] },
		{ rowsIn: filings.rowsIn, records: [], dropped: [...filings.dropped, ...dropped], notes: [] },
	]);
}

function containsTables(bytes: Uint8Array): boolean {
	return peek(bytes.subarray(-65_536), 65_536).includes("formdsubmission.tsv");
}

function isFormDSubmission(start: string): boolean {
	if (start.includes("<sec-document>")) return /\nconformed submission type:\s{0,20}d(\/a)?\s/.test(start);
	return start.trimStart().startsWith("<submission>") && /\n<type>d(\/a)?\s/.test(start);
}

/** Reads a full submission, whose header contains the filing day and file number. @throws StructureError if it is truncated */
function readSubmission(bytes: Uint8Array, source: { name: string; now: Date }): Parsed<FormD> {
	const header = readSubmissionHeader(bytes, source.name);
	const document = header.documents.find(
		({ type, start, end }) =>
			/^D(\/A)?$/.test(type) && peek(bytes.subarray(start, end), 1024).includes("<edgarsubmission"),
	);
	if (!document) {
		const account = new Account();
		account.rowsIn = 1;
		account.drop(`form ${header.form} without a Form D XML document`, header.accessionNumber);
		return account.finish([]);
	}
	return readPrimaryDoc(bytes.subarray(document.start, document.end), {
		...source,
		accessionNumber: header.accessionNumber,
		filingDate: header.filingDate,
		fileNumber: header.companies.find(({ fileNumber }) => fileNumber?.startsWith("021-"))?.fileNumber ?? null,
	});
}
