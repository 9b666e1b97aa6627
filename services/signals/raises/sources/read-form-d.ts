/** Reads Form D in all its publications. Pure. */
import { isZip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { readFeed, recogniseFeed } from "../../edgar/feeds.ts";
import { FilingCollector } from "../../edgar/filing-collector.ts";
import { readSubmissionHeader } from "../../edgar/full-submission.ts";
import { Account, joinParsed } from "../../records/account.ts";
import type { FormD, IndexedFiling, Parsed, SourceFile } from "../../records/records.ts";
import { isIndexFile, readIndexFile } from "./index-files.ts";
import { isRendering, readPrimaryDoc } from "./primary-doc.ts";
import { isQuarterlyTable, readQuarterlyTables, readQuarterlyZip } from "./quarterly-sets.ts";
import { isScreenerFilings, isScreenerIndex, readScreenerFilings, readScreenerIndex } from "./screener.ts";

export type FormDKind =
	| "primary-doc"
	| "submission"
	| "quarterly-zip"
	| "quarterly-table"
	| "index"
	| "atom"
	| "submissions"
	| "screener-filings"
	| "screener-index";

/** The kind of a file by its beginning, of a zip by its directory. Null for any other file. Never throws. */
export function recogniseFormD({ name, bytes }: SourceFile): FormDKind | null {
	if (isZip(bytes)) return holdsTables(bytes) ? "quarterly-zip" : null;
	if (isIndexFile(bytes, name)) return "index";
	if (isQuarterlyTable(bytes)) return "quarterly-table";
	const start = peek(bytes, 4096);
	if (isFormDSubmission(start)) return "submission";
	// The primary documents of other forms have a <headerData>.
	if (/<(\w{1,20}:)?edgarsubmission[\s>]/.test(start) && !start.includes("<headerdata")) return "primary-doc";
	if (isRendering(bytes, name)) return "primary-doc";
	if (isScreenerFilings(bytes)) return "screener-filings";
	if (isScreenerIndex(bytes)) return "screener-index";
	const feed = recogniseFeed(bytes);
	return feed === "atom" || feed === "submissions" ? feed : null;
}

/**
 * Reads the filings and index rows of forms D and D/A. Files of an unknown kind are skipped. A filing in several files is returned several
 * times. Throws `StructureError`, which names the file, for an incomplete file.
 */
export async function readFormD(
	files: readonly SourceFile[],
	{ now }: { now: Date },
): Promise<{ filings: Parsed<FormD>; index: Parsed<IndexedFiling> }> {
	const byKind = Map.groupBy(files, recogniseFormD);
	const of = (kind: FormDKind) => byKind.get(kind) ?? [];
	const forms = (form: string) => form === "D" || form === "D/A";
	const index = joinParsed([
		...of("index").map(({ name, bytes }) => readIndexFile(bytes, { name, now, forms })),
		...of("screener-index").map((file) => readScreenerIndex(file, now)),
		...of("atom").map((file) => readNamedFilings("atom", file, now)),
		...of("submissions").map((file) => readNamedFilings("submissions", file, now)),
	]);
	const tables = of("quarterly-table");
	const filings = [
		...of("primary-doc").map(({ name, bytes }) => readPrimaryDoc(bytes, { name, now })),
		...of("submission").map(({ name, bytes }) => readSubmission(bytes, { name, now })),
		...(tables.length > 0 ? [readQuarterlyTables(tables, now)] : []),
		...of("screener-filings").map((file) => readScreenerFilings(file, index.records, now)),
	];
	for (const zip of of("quarterly-zip")) filings.push(await readQuarterlyZip(zip, now));
	return { filings: joinParsed(filings), index };
}

/** The D and D/A of a feed, which lists filings of any form. */
function readNamedFilings(kind: "atom" | "submissions", { name, bytes }: SourceFile, now: Date): Parsed<IndexedFiling> {
	const collector = new FilingCollector(now);
	readFeed(kind, bytes, name, collector);
	const { index, filings } = collector.result();
	const others = new Account();
	for (const { form, accessionNumber } of filings.records) {
		others.drop(`form ${form} is neither D nor D/A`, accessionNumber);
	}
	const { dropped } = others.parsed([]);
	return joinParsed([
		{ ...index, notes: [] },
		{ rowsIn: filings.rowsIn, records: [], dropped: [...filings.dropped, ...dropped], notes: [] },
	]);
}

function holdsTables(bytes: Uint8Array): boolean {
	return peek(bytes.subarray(-65_536), 65_536).includes("formdsubmission.tsv");
}

function isFormDSubmission(start: string): boolean {
	if (start.includes("<sec-document>")) return /\nconformed submission type:\s{0,20}d(\/a)?\s/.test(start);
	return start.trimStart().startsWith("<submission>") && /\n<type>d(\/a)?\s/.test(start);
}

/** Reads the full submission, whose header states what `primary_doc.xml` does not. Throws `StructureError` for a cut file. */
function readSubmission(bytes: Uint8Array, source: { name: string; now: Date }): Parsed<FormD> {
	const header = readSubmissionHeader(bytes, source.name);
	const document = header.documents.find(
		({ type, start, end }) =>
			/^D(\/A)?$/.test(type) && peek(bytes.subarray(start, end), 1024).includes("<edgarsubmission"),
	);
	if (!document) {
		const account = new Account();
		account.rowsIn = 1;
		account.drop(`a submission of form ${header.form} without the XML document of a Form D`, header.accessionNumber);
		return account.parsed([]);
	}
	return readPrimaryDoc(bytes.subarray(document.start, document.end), {
		...source,
		accessionNumber: header.accessionNumber,
		filingDate: header.filingDate,
		fileNumber: header.companies.find(({ fileNumber }) => fileNumber?.startsWith("021-"))?.fileNumber ?? null,
	});
}
