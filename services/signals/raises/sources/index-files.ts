/** EDGAR's daily and quarterly indexes: `master`, `form` and `company.idx`, plain or gzip. Pure. */
import { gunzipSync } from "node:zlib";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../../records/account.ts";
import { accessionInName, cik, day, isPlausibleDay, shortText } from "../../records/fields.ts";
import type { IndexedFiling, Parsed } from "../../records/records.ts";
import { textLines } from "./tsv.ts";

export interface IndexSource {
	name: string;
	now: Date;
	/** Selects forms as filed (`D`, `8-K/A`). Rows of other forms are dropped. */
	forms: (form: string) => boolean;
}

/** A quarter's index has about 30 MB. */
const maxBytes = 192 * 1024 * 1024;
const maxHeaderLines = 30;

/**
 * Reads the filings of the selected forms, one for each filer. A header without rows is a day without filings, and so is the store's
 * response "AccessDenied" or "NoSuchKey". Throws `StructureError` for anything else without an index header, and for a cut file.
 */
export function readIndexFile(bytes: Uint8Array, source: IndexSource): Parsed<IndexedFiling> {
	const account = new Account();
	const plain = gunzip(bytes, source.name);
	if (isNoSuchDay(plain)) return account.parsed([]);
	const records: IndexedFiling[] = [];
	let header: string[] = [];
	let split: SplitRow | null = null;
	for (const { number, start, end, text } of textLines(plain, source.name)) {
		const line = text(start, end);
		if (split === null) {
			if (/^-{40}/.test(line)) split = layoutOf(header, source.name);
			else header = [...header, line];
			if (header.length > maxHeaderLines) throw noIndex(source.name);
		} else if (line.trim() !== "") {
			account.rowsIn++;
			const filing = toFiling(split(line), `${source.name}, line ${number}`, source, account);
			if (filing) records.push(filing);
		}
	}
	if (split === null) throw noIndex(source.name);
	return account.parsed(records);
}

/** Recognised by the header, or by the name when it is compressed. */
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
/** Null for a line of another layout. */
type SplitRow = (line: string) => Row | null;

/** `header` contains the lines above the dashes. The last one that names the columns defines the layout. */
function layoutOf(header: readonly string[], name: string): SplitRow {
	const columns = header.findLast((line) => line.includes("Company Name") && line.includes("Form Type"));
	if (columns === undefined) throw noIndex(name);
	return columns.includes("|") ? pipes(columns, name) : fixedWidth(columns, name);
}

function pipes(columns: string, name: string): SplitRow {
	if (!/^cik\|company name\|form type\|date filed\|file ?name$/i.test(columns.trim())) throw noIndex(name);
	return (line) => {
		const [number, company, form, filed, path, more] = line.split("|", 6);
		if (number === undefined || company === undefined || form === undefined) return null;
		if (filed === undefined || path === undefined || more !== undefined) return null;
		return { cik: number, company, form, filed, path };
	};
}

/** The header gives the columns of form and company. The number, date and path after them contain no blanks. */
function fixedWidth(columns: string, name: string): SplitRow {
	const formAt = columns.indexOf("Form Type");
	const companyAt = columns.indexOf("Company Name");
	const restAt = columns.indexOf("CIK");
	if (restAt < Math.max(formAt, companyAt)) throw noIndex(name);
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

function toFiling(row: Row | null, label: string, source: IndexSource, account: Account): IndexedFiling | null {
	const drop = (reason: string): null => {
		account.drop(reason, label);
		return null;
	};
	if (row === null) return drop("the line does not fit this layout");
	const form = shortText(row.form, 40);
	if (form === null) return drop("no form type");
	if (!source.forms(form)) return drop(`form ${form} is not wanted`);
	const accession = accessionInName(row.path.trim().replace(/\.txt$/i, ""));
	if (accession === null) return drop("no accession number in the file name");
	const filer = cik(row.cik);
	const company = shortText(row.company);
	if (filer === null || company === null) return drop("no CIK or no company name");
	const filingDate = day(row.filed);
	if (filingDate === null || !isPlausibleDay(filingDate, source.now)) return drop("no plausible filing date");
	return { accessionNumber: accession, cik: filer, company, form, filingDate, fileNumber: null };
}

function isGzip(bytes: Uint8Array): boolean {
	return bytes[0] === 0x1f && bytes[1] === 0x8b;
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

/** The file store sends this where a weekend or holiday has no index. A refused client gets a page instead. */
function isNoSuchDay(bytes: Uint8Array): boolean {
	const start = peek(bytes, 1024);
	return /^\s*(<\?xml\s[^>]{0,100}>)?\s*<error>\s*<code>(accessdenied|nosuchkey)<\/code>/.test(start);
}

function noIndex(name: string): StructureError {
	return new StructureError(`${name}: contains no header of an EDGAR index`);
}
