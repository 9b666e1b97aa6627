/** Reads EDGAR's JSON lists: the filings of one company, and full-text search results. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { parseCik } from "../records/fields.ts";
import { isObject, type JsonObject, readJsonObject, trimmedText } from "../records/json.ts";
import type { FiledCompany, FiledRow, FilingCollector } from "./filing-collector.ts";
import { findItemCodes, parseItemCodes } from "./item-codes.ts";

/** Required columns. Others have been added and removed over the years (`core_type`, `isXBRLNumeric`). */
const requiredColumns = ["accessionNumber", "filingDate", "form"];

/** A page usually has 1,000 rows, and never more than tens of thousands. */
const maxFilings = 200_000;

/**
 * Reads `submissions/CIK##########.json`, which has an array for each column in `filings.recent`, or one of its older pages
 * (`CIK0001318605-submissions-001.json`), which contains only the arrays and identifies the company only in its name.
 * @throws StructureError if the arrays differ in length, a required column is missing or the company is unknown
 */
export function readSubmissions(bytes: Uint8Array, name: string, collector: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	const columns = columnsOf(body, name);
	const company = companyOf(body, name);
	const cell = (column: string, at: number) => trimmedText(columns.get(column)?.[at]);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	for (let at = 0; at < rows; at++) {
		collector.add(
			{
				accessionNumber: cell("accessionNumber", at),
				form: cell("form", at),
				filingDate: cell("filingDate", at),
				reportDate: cell("reportDate", at),
				items: findItemCodes(cell("items", at) ?? ""),
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
	if (!isObject(recent)) throw new StructureError(`${name}: the object filings.recent is missing`);
	const columns = new Map<string, unknown[]>();
	for (const [column, cells] of Object.entries(recent)) if (Array.isArray(cells)) columns.set(column, cells);
	const missing = requiredColumns.filter((column) => !columns.has(column));
	if (missing.length > 0) throw new StructureError(`${name}: required column missing: ${missing.join(", ")}`);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	if (rows > maxFilings) throw new StructureError(`${name}: ${rows} filings, more than the maximum of ${maxFilings}`);
	for (const [column, cells] of columns) {
		if (cells.length !== rows) {
			throw new StructureError(`${name}: column ${column} has ${cells.length} of ${rows} rows: the file is damaged`);
		}
	}
	return columns;
}

function companyOf(body: JsonObject, name: string): FiledCompany {
	const number = parseCik(trimmedText(body.cik) ?? /(?:^|[/\\])CIK(\d{10})(?!\d)/.exec(name)?.[1]);
	if (number === null)
		throw new StructureError(
			`${name}: needs a valid "cik", or a name with CIK and ten digits, such as CIK0000037996.json`,
		);
	return { cik: number, name: trimmedText(body.name), sic: trimmedText(body.sic), fileNumber: null };
}

/** The search returns 100 hits per page and at most 10,000 hits in total. */
const maxHits = 10_000;

/**
 * Reads a response of efts.sec.gov/LATEST/search-index. Each hit is a document, so a filing with exhibits may have several.
 * @throws StructureError if the search failed or timed out, or the response is truncated or is not a search result
 */
export function readFullTextSearch(bytes: Uint8Array, name: string, collector: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	refuseFailure(body, name);
	const hits = isObject(body.hits) ? body.hits.hits : undefined;
	if (!Array.isArray(hits))
		throw new StructureError(`${name}: is not a response of the full-text search, because it has no list "hits"`);
	if (hits.length > maxHits) throw new StructureError(`${name}: more than ${maxHits} hits in one response`);
	for (const [at, hit] of hits.entries()) {
		const location = `${name}: hit ${at + 1}`;
		const source = isObject(hit) ? hit._source : undefined;
		if (!isObject(hit) || !isObject(source)) collector.drop("a hit without a filing", location);
		else collector.add(toRow(trimmedText(hit._id) ?? "", source), location);
	}
}

/** Refuses a failed search, which would otherwise look like a search with few hits. */
function refuseFailure(body: JsonObject, name: string): void {
	const failure = body.error ?? body.errorMessage ?? (isObject(body.hits) ? undefined : body.message);
	if (failure !== undefined && failure !== null) {
		const message = typeof failure === "string" ? failure : JSON.stringify(failure);
		throw new StructureError(`${name}: the search failed: ${message.slice(0, 200)}`);
	}
	if (body.timed_out === true) throw new StructureError(`${name}: the search timed out before it was complete`);
	const failed = isObject(body._shards) ? Number(trimmedText(body._shards.failed) ?? 0) : 0;
	if (failed > 0) throw new StructureError(`${name}: the search failed on ${failed} shards`);
}

function toRow(id: string, source: JsonObject): FiledRow {
	const colon = id.indexOf(":");
	const form = trimmedText(source.form);
	return {
		accessionNumber: trimmedText(source.adsh) ?? (colon > 0 ? id.slice(0, colon) : null),
		form,
		filingDate: trimmedText(source.file_date),
		reportDate: trimmedText(source.period_ending),
		items: parseItemCodes(strings(source.items)),
		// The hit may be an exhibit. Only the primary document's type equals the form.
		document: colon > 0 && trimmedText(source.file_type) === form ? id.slice(colon + 1) : null,
		dealText: null,
		subsidiaryBankruptcy: null,
		companies: companiesOf(source),
	};
}

/** `ciks` and `display_names` are parallel arrays, and so are `sics` and `file_num` if they have the same length. */
function companiesOf(source: JsonObject): FiledCompany[] {
	const names = strings(source.display_names).map(readDisplayName);
	const filedCiks = strings(source.ciks).map(parseCik);
	const ciks = filedCiks.length > 0 ? filedCiks : names.map((displayed) => displayed.cik);
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

/** Returns the texts of an array, without empty ones. A single text counts as an array of one. */
function strings(value: unknown): string[] {
	const list = Array.isArray(value) ? value.slice(0, maxCompanies) : [value];
	return list.map(trimmedText).filter((entry) => entry !== null);
}

/** Parses `FORD MOTOR CO  (F, F-PB)  (CIK 0000037996)`, with or without tickers. */
export function readDisplayName(displayName: string): { company: string; cik: string | null } {
	const end = /\(CIK (\d{1,10})\)\s{0,9}$/.exec(displayName);
	const head = (end ? displayName.slice(0, end.index) : displayName).trimEnd();
	// Two spaces precede the tickers; brackets in the name follow a single space.
	const tickers = head.endsWith(")") ? head.lastIndexOf("  (") : -1;
	return { company: (tickers > 0 ? head.slice(0, tickers) : head).trim(), cik: parseCik(end?.[1]) };
}
