/** Reads EDGAR's daily and quarterly indexes: `master.idx`, `form.idx` and `company.idx`, plain or gzipped. Pure. */
import { gunzipSync } from "node:zlib";
import { isGzip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../../records/account.ts";
import { findAccessionNumber, isPlausibleDay, parseCik, parseDay, shortText } from "../../records/fields.ts";
import type { IndexedFiling, Parsed, SourceFile } from "../../records/records.ts";
import { readTextLines } from "./tsv.ts";

/** A quarter's index is about 30 MB. */
const maxBytes = 192 * 1024 * 1024;
const maxHeaderLines = 30;

/**
 * Reads the filings of forms D and D/A, one record for each filer. A header without rows means a day without filings; so does the file
 * store's response "AccessDenied" or "NoSuchKey".
 * @throws StructureError if any other file has no index header, or the file is truncated
 */
export function readIndexFile({ name, bytes }: SourceFile, now: Date): Parsed<IndexedFiling> {
	const account = new Account();
	const content = gunzip(bytes, name);
	if (isNoSuchDay(content)) return account.finish([]);
	const records: IndexedFiling[] = [];
	let header: string[] = [];
	let splitRow: SplitRow | null = null;
	for (const { number, start, end, text } of readTextLines(content, name)) {
		const line = text(start, end);
		if (splitRow === null) {
			if (/^-{40}/.test(line)) splitRow = parseLayout(header, name);
			else header = [...header, line];
			if (header.length > maxHeaderLines) throw missingHeader(name);
		} else if (line.trim() !== "") {
			account.rowsIn++;
			const filing = toFiling(splitRow(line), `${name}, line ${number}`, now, account);
			if (filing) records.push(filing);
		}
	}
	if (splitRow === null) throw missingHeader(name);
	return account.finish(records);
}

/** Recognizes an index by its header, or by its name if it is compressed. */
export function isIndexFile(bytes: Uint8Array, name: string): boolean {
	if (isGzip(bytes)) return /\.(idx|gz)$/i.test(name);
	const start = peek(bytes, 4096);
	return (
		/\.idx$/i.test(name) || (start.includes("company name") && start.includes("form type") && /^-{40}/m.test(start))
	);
}

interface Row {
	cik: string;
	company: string;
	form: string;
	filed: string;
	path: string;
}
/** Splits a line into its columns. Returns null if the line has another layout. */
type SplitRow = (line: string) => Row | null;

/** `header`: the lines above the dashes. The last of them that names the columns defines the layout. */
function parseLayout(header: readonly string[], name: string): SplitRow {
	const columns = header.findLast((line) => line.includes("Company Name") && line.includes("Form Type"));
	if (columns === undefined) throw missingHeader(name);
	return columns.includes("|") ? splitAtPipes(columns, name) : splitAtColumns(columns, name);
}

function splitAtPipes(columns: string, name: string): SplitRow {
	if (!/^cik\|company name\|form type\|date filed\|file ?name$/i.test(columns.trim())) throw missingHeader(name);
	return (line) => {
		const [number, company, form, filed, path, extra] = line.split("|", 6);
		if (number === undefined || company === undefined || form === undefined) return null;
		if (filed === undefined || path === undefined || extra !== undefined) return null;
		return { cik: number, company, form, filed, path };
	};
}

/** The header shows where form and company begin. The CIK, date and path after them contain no spaces. */
function splitAtColumns(columns: string, name: string): SplitRow {
	const formAt = columns.indexOf("Form Type");
	const companyAt = columns.indexOf("Company Name");
	const restAt = columns.indexOf("CIK");
	if (restAt < Math.max(formAt, companyAt)) throw missingHeader(name);
	const [second, first] = [Math.max(formAt, companyAt), Math.min(formAt, companyAt)];
	return (line) => {
		const words = line.slice(restAt).trim().split(/\s+/, 4);
		const [number, filed, path] = words;
		if (words.length !== 3 || number === undefined || filed === undefined || path === undefined) return null;
		const left = line.slice(first, second);
		const right = line.slice(second, restAt);
		return {
			cik: number,
			filed,
			path,
			form: formAt < companyAt ? left : right,
			company: formAt < companyAt ? right : left,
		};
	};
}

function toFiling(row: Row | null, label: string, now: Date, account: Account): IndexedFiling | null {
	const drop = (reason: string): null => {
		account.drop(reason, label);
		return null;
	};
	if (row === null) return drop("the line does not fit the layout that the header defines");
	const form = shortText(row.form, 40);
	if (form === null) return drop("no form type");
	if (form !== "D" && form !== "D/A") return drop(`form ${form} is not wanted`);
	const accession = findAccessionNumber(row.path.trim().replace(/\.txt$/i, ""));
	if (accession === null) return drop("no accession number in the file name");
	const filer = parseCik(row.cik);
	const company = shortText(row.company);
	if (filer === null || company === null) return drop("no CIK or no company name");
	const filingDate = parseDay(row.filed);
	if (filingDate === null || !isPlausibleDay(filingDate, now)) return drop("no plausible filing date");
	return { accessionNumber: accession, cik: filer, company, form, filingDate, fileNumber: null };
}

function gunzip(bytes: Uint8Array, name: string): Uint8Array {
	if (!isGzip(bytes)) {
		if (bytes.length > maxBytes) throw new StructureError(`${name}: is larger than ${maxBytes} bytes`);
		return bytes;
	}
	try {
		return gunzipSync(bytes, { maxOutputLength: maxBytes });
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new StructureError(`${name}: the gzip file is damaged, truncated or too large: ${why}`, { cause: error });
	}
}

/** Recognizes the file store's response for a weekend or holiday without an index. A refused client gets an HTML page instead. */
function isNoSuchDay(bytes: Uint8Array): boolean {
	const start = peek(bytes, 1024);
	return /^\s*(<\?xml\s[^>]{0,100}>)?\s*<error>\s*<code>(accessdenied|nosuchkey)<\/code>/.test(start);
}

function missingHeader(name: string): StructureError {
	return new StructureError(`${name}: has no header of an EDGAR index`);
}
