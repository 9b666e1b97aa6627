/** Reads EDGAR's full submissions: the header and the documents of a filing in one text file (`.txt`, `.nc.txt`). Pure. */
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { text } from "#libs/files/values.ts";
import { clip, parseAccessionNumber, parseCik, parseDay } from "../records/fields.ts";

interface SubmissionCompany {
	name: string;
	cik: string | null;
	sic: string | null;
	/** The first file number that the header lists for the company: `021-...`, `001-...`. */
	fileNumber: string | null;
}

export interface SubmissionDocument {
	type: string;
	fileName: string | null;
	/** Byte offsets of the document inside its `<XML>`, `<XBRL>` or `<PDF>` tag, if any. */
	start: number;
	end: number;
}

interface SubmissionHeader {
	accessionNumber: string;
	form: string;
	filingDate: string;
	/** Period of report: the day of an 8-K's event. */
	reportDate: string | null;
	/** Items of an 8-K: titles in `.txt`, codes in `.nc.txt`. Exemptions of a Form D. */
	items: string[];
	companies: SubmissionCompany[];
	documents: SubmissionDocument[];
}

/** Filings of funds reach 200 MB. Forms D and 8-K are far smaller. */
const maxBytes = 256 * 1024 * 1024;
const maxHeader = 4 * 1024 * 1024;
const maxDocuments = 5_000;
const maxCompanies = 1_000;

/**
 * Reads the header and locates the documents.
 * @throws StructureError if it is an HTML page, lacks the accession number, form or filing date, or is truncated
 */
export function readSubmissionHeader(bytes: Uint8Array, name = "submission"): SubmissionHeader {
	if (bytes.length > maxBytes) throw new StructureError(`${name}: is larger than ${maxBytes} bytes`);
	if (isHtml(peek(bytes, 1024))) throw new StructureError(`${name}: is an HTML page, not a submission`);
	// In Latin-1 each character is one byte, so offsets in the text are offsets in the file.
	const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
	const closing = closingTag(source, name);
	const first = source.indexOf("\n<DOCUMENT>");
	const headerEnd = first < 0 ? source.length : first;
	if (headerEnd > maxHeader) throw new StructureError(`${name}: the header is longer than ${maxHeader} bytes`);
	const header = new HeaderParser();
	for (const line of decodeUtf8(source.slice(0, headerEnd)).split("\n")) header.line(line);
	const located = locateDocuments(source, headerEnd, name);
	if (source.indexOf(closing, located.end) < 0) {
		throw new StructureError(`${name}: ends without ${closing}: the file is truncated`);
	}
	return { ...header.finish(name), documents: located.documents };
}

function closingTag(source: string, name: string): string {
	const start = source.slice(0, 4096);
	if (start.includes("<SEC-DOCUMENT>")) return "</SEC-DOCUMENT>";
	if (start.includes("<SUBMISSION>")) return "</SUBMISSION>";
	throw new StructureError(`${name}: begins with neither <SEC-DOCUMENT> nor <SUBMISSION>`);
}

const keys: ReadonlyMap<string, string> = new Map([
	["ACCESSION NUMBER", "accession"],
	["ACCESSION-NUMBER", "accession"],
	["CONFORMED SUBMISSION TYPE", "form"],
	["TYPE", "form"],
	["FILED AS OF DATE", "filed"],
	["FILING-DATE", "filed"],
	["CONFORMED PERIOD OF REPORT", "period"],
	["PERIOD", "period"],
	["ITEM INFORMATION", "item"],
	["ITEMS", "item"],
	["COMPANY CONFORMED NAME", "company"],
	["CONFORMED-NAME", "company"],
	["CENTRAL INDEX KEY", "cik"],
	["CIK", "cik"],
	["STANDARD INDUSTRIAL CLASSIFICATION", "sic"],
	["ASSIGNED-SIC", "sic"],
	["SEC FILE NUMBER", "file"],
	["FILE-NUMBER", "file"],
]);

class HeaderParser {
	readonly #single = new Map<string, string>();
	readonly #items: string[] = [];
	readonly #companies: SubmissionCompany[] = [];

	line(line: string): void {
		const match = /^\s*(?:<([A-Z-]{1,60})>|([A-Z][A-Z -]{0,60}):)(.*)$/.exec(clip(line, 2000).trimEnd());
		const key = keys.get(match?.[1] ?? match?.[2] ?? "");
		const value = text(match?.[3]);
		if (key === undefined || value === null) return;
		if (key === "item") this.#items.push(value);
		else if (key === "company") this.addCompany(value);
		else if (["accession", "form", "filed", "period"].includes(key)) {
			if (!this.#single.has(key)) this.#single.set(key, value);
		} else this.setCompanyField(key, value);
	}

	finish(name: string): Omit<SubmissionHeader, "documents"> {
		const accession = parseAccessionNumber(this.#single.get("accession"));
		const form = this.#single.get("form");
		const filingDate = parseDay(this.#single.get("filed"));
		if (accession === null || form === undefined || filingDate === null) {
			throw new StructureError(`${name}: the header lacks an accession number, a form type or a filing date`);
		}
		const reportDate = parseDay(this.#single.get("period"));
		return { accessionNumber: accession, form, filingDate, reportDate, items: this.#items, companies: this.#companies };
	}

	addCompany(name: string): void {
		if (this.#companies.length >= maxCompanies) return;
		this.#companies.push({ name, cik: null, sic: null, fileNumber: null });
	}

	setCompanyField(key: string, value: string): void {
		const company = this.#companies.at(-1);
		if (!company) return;
		if (key === "cik") company.cik ??= parseCik(value);
		else if (key === "sic") company.sic ??= /^(\d{4})$|\[(\d{4})\]$/.exec(value)?.slice(1).find(Boolean) ?? null;
		else company.fileNumber ??= value;
	}
}

function locateDocuments(source: string, from: number, name: string): { documents: SubmissionDocument[]; end: number } {
	const found: SubmissionDocument[] = [];
	let at = source.indexOf("\n<DOCUMENT>", from);
	let after = from;
	while (at >= 0) {
		if (found.length >= maxDocuments) throw new StructureError(`${name}: more than ${maxDocuments} documents`);
		const textStart = source.indexOf("\n<TEXT>", at);
		const textEnd = textStart < 0 ? -1 : source.indexOf("\n</TEXT>", textStart);
		const end = textEnd < 0 ? -1 : source.indexOf("\n</DOCUMENT>", textEnd);
		if (end < 0)
			throw new StructureError(`${name}: document ${found.length + 1} is not terminated: the file is truncated`);
		const head = source.slice(at, Math.min(textStart, at + 4096));
		found.push({
			type: decodeUtf8(clip(/\n<TYPE>([^\r\n]*)/.exec(head)?.[1]?.trim() ?? "", 60)),
			fileName: text(decodeUtf8(/\n<FILENAME>([^\r\n]*)/.exec(head)?.[1] ?? "")),
			...unwrapDocument(source, textStart + "\n<TEXT>".length, textEnd),
		});
		after = end;
		at = source.indexOf("\n<DOCUMENT>", end);
	}
	return { documents: found, end: after };
}

/** Offsets of the document without the tag and white space around it. */
function unwrapDocument(source: string, from: number, to: number): { start: number; end: number } {
	const opening = /^\s{0,20}<(XML|XBRL|PDF)>\s{0,20}/.exec(source.slice(from, Math.min(to, from + 100)));
	if (!opening) return { start: from, end: to };
	const start = from + opening[0].length;
	const tail = Math.max(start, to - 100);
	const closing = source.slice(tail, to).lastIndexOf(`</${opening[1]}>`);
	return { start, end: closing < 0 ? to : tail + closing };
}

/** Decodes bytes that were read as Latin-1 as UTF-8. */
function decodeUtf8(latin1: string): string {
	return Buffer.from(latin1, "latin1").toString("utf8");
}
