/** EDGAR's lists in JSON: the filings of one company, the full-text search, and all listed companies. Pure. */

import { StructureError } from "#libs/files/structure-error.ts";
import { Account } from "../records/account.ts";
import { cik, shortText } from "../records/fields.ts";
import { isObject, type JsonObject, readJsonObject, stated } from "../records/json.ts";
import type { Parsed } from "../records/records.ts";
import type { FiledCompany, FiledRow, FilingCollector } from "./filing-collector.ts";
import { itemCodes, itemCodesOfLine } from "./item-codes.ts";

/** Other columns have been added and removed over the years (`core_type`, `isXBRLNumeric`). */
const required = ["accessionNumber", "filingDate", "form"];

/** A page has 1,000 rows, and at most some tens of thousands. */
const maxFilings = 200_000;

/**
 * Reads `submissions/CIK##########.json`, with one array for each column in `filings.recent`, and its older pages
 * (`CIK0001318605-submissions-001.json`), which contain the arrays alone and their company only in the file name. Throws `StructureError`
 * for arrays of unequal length, a missing column and an unknown company.
 */
export function readSubmissions(bytes: Uint8Array, name: string, into: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	const columns = columnsOf(body, name);
	const company = companyOf(body, name);
	const cell = (column: string, at: number) => stated(columns.get(column)?.[at]);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	for (let at = 0; at < rows; at++) {
		into.add(
			{
				accessionNumber: cell("accessionNumber", at),
				form: cell("form", at),
				filingDate: cell("filingDate", at),
				reportDate: cell("reportDate", at),
				items: itemCodesOfLine(cell("items", at) ?? ""),
				document: cell("primaryDocument", at),
				dealText: null,
				subsidiaryBankruptcy: null,
				companies: [{ ...company, fileNumber: cell("fileNumber", at) }],
			},
			`${name}: row ${at + 1}`,
		);
	}
}

function columnsOf(body: JsonObject, name: string): Map<string, unknown[]> {
	const recent = isObject(body.filings) ? body.filings.recent : body;
	if (!isObject(recent)) throw new StructureError(`${name}: filings.recent is missing`);
	const columns = new Map<string, unknown[]>();
	for (const [column, cells] of Object.entries(recent)) if (Array.isArray(cells)) columns.set(column, cells);
	const missing = required.filter((column) => !columns.has(column));
	if (missing.length > 0) throw new StructureError(`${name}: required column missing: ${missing.join(", ")}`);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	if (rows > maxFilings) throw new StructureError(`${name}: ${rows} filings in one list`);
	for (const [column, cells] of columns) {
		if (cells.length !== rows) {
			throw new StructureError(`${name}: column ${column} has ${cells.length} of ${rows} rows: the file is damaged`);
		}
	}
	return columns;
}

function companyOf(body: JsonObject, name: string): FiledCompany {
	const number = cik(stated(body.cik) ?? /(?:^|[/\\])CIK(\d{10})(?!\d)/.exec(name)?.[1]);
	if (number === null) throw new StructureError(`${name}: neither the file nor its name identifies the company`);
	return { cik: number, name: stated(body.name), sic: stated(body.sic), fileNumber: null };
}

/** The search returns 100 hits a page, and at most 10,000 hits. */
const maxHits = 10_000;

/**
 * Reads efts.sec.gov/LATEST/search-index. A hit is a document, and so a filing with exhibits has several. Throws `StructureError` for a
 * search that failed or timed out, and for a cut or different response.
 */
export function readFullTextSearch(bytes: Uint8Array, name: string, into: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	refuseFailure(body, name);
	const hits = isObject(body.hits) ? body.hits.hits : undefined;
	if (!Array.isArray(hits))
		throw new StructureError(`${name}: contains no hits: is not a response of the full-text search`);
	if (hits.length > maxHits) throw new StructureError(`${name}: more than ${maxHits} hits in one response`);
	for (const [at, hit] of hits.entries()) {
		const place = `${name}: hit ${at + 1}`;
		const source = isObject(hit) ? hit._source : undefined;
		if (!isObject(hit) || !isObject(source)) into.drop("a hit without a filing", place);
		else into.add(toRow(stated(hit._id) ?? "", source), place);
	}
}

/** A failed search would otherwise look like a search with few hits. */
function refuseFailure(body: JsonObject, name: string): void {
	const failure = body.error ?? body.errorMessage ?? (isObject(body.hits) ? undefined : body.message);
	if (failure !== undefined && failure !== null) {
		const message = typeof failure === "string" ? failure : JSON.stringify(failure);
		throw new StructureError(`${name}: the search failed: ${message.slice(0, 200)}`);
	}
	if (body.timed_out === true) throw new StructureError(`${name}: the search timed out before it was complete`);
	const failed = isObject(body._shards) ? Number(stated(body._shards.failed) ?? 0) : 0;
	if (failed > 0) throw new StructureError(`${name}: ${failed} parts of the search failed`);
}

function toRow(id: string, source: JsonObject): FiledRow {
	const colon = id.indexOf(":");
	const form = stated(source.form);
	return {
		accessionNumber: stated(source.adsh) ?? (colon > 0 ? id.slice(0, colon) : null),
		form,
		filingDate: stated(source.file_date),
		reportDate: stated(source.period_ending),
		items: itemCodes(strings(source.items)),
		// The hit may be an exhibit. The primary document has the type of the form.
		document: colon > 0 && stated(source.file_type) === form ? id.slice(colon + 1) : null,
		dealText: null,
		subsidiaryBankruptcy: null,
		companies: companiesOf(source),
	};
}

/** `ciks` and `display_names` are parallel. `sics` and `file_num` are if they have the same length. */
function companiesOf(source: JsonObject): FiledCompany[] {
	const names = strings(source.display_names).map(readDisplayName);
	const filed = strings(source.ciks).map(cik);
	const ciks = filed.length > 0 ? filed : names.map((named) => named.cik);
	const sics = strings(source.sics);
	const fileNumbers = strings(source.file_num);
	return ciks.map((number, at) => ({
		cik: number,
		name: names.find((named) => named.cik === number)?.company ?? names[at]?.company ?? null,
		sic: sics.length === ciks.length ? (sics[at] ?? null) : null,
		fileNumber: fileNumbers.length === ciks.length ? (fileNumbers[at] ?? null) : null,
	}));
}

const maxCompanies = 100;

/** A single text counts as an array of one. */
function strings(value: unknown): string[] {
	const list = Array.isArray(value) ? value.slice(0, maxCompanies) : [value];
	return list.map(stated).filter((entry) => entry !== null);
}

/** `FORD MOTOR CO  (F, F-PB)  (CIK 0000037996)`, with or without tickers. */
export function readDisplayName(written: string): { company: string; cik: string | null } {
	const end = /\(CIK (\d{1,10})\)\s{0,9}$/.exec(written);
	const head = (end ? written.slice(0, end.index) : written).trimEnd();
	// Two spaces precede the tickers; brackets in the name follow a single space.
	const tickers = head.endsWith(")") ? head.lastIndexOf("  (") : -1;
	return { company: (tickers > 0 ? head.slice(0, tickers) : head).trim(), cik: cik(end?.[1]) };
}

export interface ListedCompany {
	/** A company has a row for each of its tickers. */
	cik: string;
	ticker: string;
	title: string;
}

const maxTickers = 200_000;

/** Reads `company_tickers.json`. Throws `StructureError` for another file. A row without one of the three values is dropped. */
export function readCompanyTickers(bytes: Uint8Array, name: string): Parsed<ListedCompany> {
	const rows = Object.entries(readJsonObject(bytes, name));
	if (rows.length > maxTickers) throw new StructureError(`${name}: ${rows.length} companies in one list`);
	if (rows.length > 0 && !rows.some(([, row]) => isObject(row) && "cik_str" in row)) {
		throw new StructureError(`${name}: no row contains cik_str: is not the list of companies`);
	}
	const account = new Account();
	const companies = new Map<string, ListedCompany>();
	for (const [key, row] of rows) {
		account.rowsIn++;
		const company = isObject(row) ? toCompany(row) : null;
		if (company === null) account.drop("no company number, ticker or title", key);
		else if (companies.has(company.ticker)) account.drop("a repeated ticker", company.ticker);
		else companies.set(company.ticker, company);
	}
	return account.parsed([...companies.values()]);
}

function toCompany(row: JsonObject): ListedCompany | null {
	const number = cik(stated(row.cik_str));
	const ticker = shortText(stated(row.ticker), 20);
	const title = shortText(stated(row.title), 200);
	return number === null || ticker === null || title === null ? null : { cik: number, ticker, title };
}
