/** Answers of EDGAR's full-text search (efts.sec.gov/LATEST/search-index). Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { itemCodes } from "../../domain/item-codes.ts";
import { cik } from "../fields.ts";
import type { FiledCompany, FiledRow, FilingCollector } from "./filings.ts";
import { isObject, type JsonObject, readJsonObject, stated } from "./json.ts";

/** The search answers 100 hits a page and no more than 10,000 in all. */
const maxHits = 10_000;

/**
 * Adds every hit: a document, so that a filing with exhibits comes several times. Throws `StructureError` for a search that failed or timed out, and for a cut or foreign answer.
 */
export function readFullTextSearch(bytes: Uint8Array, name: string, into: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	refuseFailure(body, name);
	const hits = isObject(body.hits) ? body.hits.hits : undefined;
	if (!Array.isArray(hits)) throw new StructureError(`${name}: holds no hits: is no answer of the full-text search`);
	if (hits.length > maxHits) throw new StructureError(`${name}: ${hits.length} hits in one answer`);
	for (const [at, hit] of hits.entries()) {
		const place = `${name}: hit ${at + 1}`;
		const source = isObject(hit) ? hit._source : undefined;
		if (!isObject(hit) || !isObject(source)) into.drop("a hit without a filing", place);
		else into.add(toRow(stated(hit._id) ?? "", source), place);
	}
}

/** A search that broke off would look like one that found little. */
function refuseFailure(body: JsonObject, name: string): void {
	const said = body.error ?? body.errorMessage ?? (isObject(body.hits) ? undefined : body.message);
	if (said !== undefined && said !== null) {
		const message = typeof said === "string" ? said : JSON.stringify(said);
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
		// A hit may be an exhibit; only the document of the form's own type is the filing's primary one.
		document: colon > 0 && stated(source.file_type) === form ? id.slice(colon + 1) : null,
		dealText: null,
		subsidiaryBankruptcy: null,
		companies: companiesOf(source),
	};
}

/** `ciks` and `display_names` run in parallel; `sics` and `file_num` do where they are as long. */
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

/** Texts of an array; one text alone counts as an array of it. */
function strings(value: unknown): string[] {
	const list = Array.isArray(value) ? value.slice(0, maxCompanies) : [value];
	return list.map(stated).filter((entry) => entry !== null);
}

/** `FORD MOTOR CO  (F, F-PB)  (CIK 0000037996)`; the tickers may be absent. */
export function readDisplayName(written: string): { company: string; cik: string | null } {
	const end = /\(CIK (\d{1,10})\)\s{0,9}$/.exec(written);
	const head = (end ? written.slice(0, end.index) : written).trimEnd();
	// Two spaces part name and tickers; brackets that belong to the name follow one.
	const tickers = head.endsWith(")") ? head.lastIndexOf("  (") : -1;
	return { company: (tickers > 0 ? head.slice(0, tickers) : head).trim(), cik: cik(end?.[1]) };
}
