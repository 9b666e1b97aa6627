/** News as JSON: GDELT DOC 2.0 (mode artlist) and the Federal Register, for FERC's notices and orders. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { isObject, type JsonObject } from "../../records/json.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { ArticleRows, type StatedArticle } from "./article-rows.ts";
import { compactMoment, feedMoment } from "./moments.ts";

export const gdeltDocSource = "GDELT DOC";

/**
 * `{}` contains no articles. `publishedAt` is `seendate`, when GDELT saw the page. Throws `StructureError` with GDELT's own words for a
 * sentence instead of JSON: "Your query was too short or too long.", "Please limit requests to one every 5 seconds."
 */
export function readGdeltDoc(bytes: Uint8Array, name: string): Parsed<Article> {
	const { articles = [] } = readJsonResponse(bytes, name);
	if (!Array.isArray(articles)) throw new StructureError(`${name}: "articles" is not a list`);
	return readRows(articles, "article", (article) => ({
		url: stringAt(article, "url"),
		title: stringAt(article, "title"),
		publishedAt: compactMoment(stringAt(article, "seendate") ?? ""),
		source: gdeltDocSource,
		sourceCountry: stringAt(article, "sourcecountry"),
		language: stringAt(article, "language"),
	}));
}

/** A page of `/api/v1/documents.json`. The day of publication counts as its midnight in UTC. Throws `StructureError` for another body. */
export function readFederalRegister(bytes: Uint8Array, name: string): Parsed<Article> {
	const body = readJsonResponse(bytes, name);
	const { results = [] } = body;
	if (!Array.isArray(results) || !("count" in body))
		throw new StructureError(`${name}: is not a list of Federal Register documents`);
	return readRows(results, "document", (document) => ({
		url: stringAt(document, "html_url") ?? stringAt(document, "pdf_url"),
		title: stringAt(document, "title"),
		publishedAt: feedMoment(stringAt(document, "publication_date") ?? ""),
		source: "federalregister.gov",
		snippet: stringAt(document, "abstract") ?? stringAt(document, "excerpts"),
	}));
}

function readRows(list: readonly unknown[], label: string, read: (row: JsonObject) => StatedArticle): Parsed<Article> {
	const rows = new ArticleRows();
	for (const [index, row] of list.entries()) {
		const place = `${label} ${index + 1}`;
		if (isObject(row)) rows.add(read(row), place);
		else rows.drop("not a JSON object", place);
	}
	return rows.parsed();
}

/** Characters of a body that the error quotes. */
const maxQuote = 200;

/**
 * Tolerates raw control characters in strings, a byte order mark, backslashes that escape nothing, and bytes that are not UTF-8. Throws
 * `StructureError` for a cut body and for anything but one JSON object, with the publisher's words: GDELT's errors have status 200.
 */
function readJsonResponse(bytes: Uint8Array, name: string): JsonObject {
	const body = new TextDecoder().decode(bytes).replace(/\p{Cc}/gu, " ");
	const start = body.trimStart();
	if (start === "") throw new StructureError(`${name}: the response is empty`);
	if (!start.startsWith("{")) throw new StructureError(`${name}: not JSON, but "${quoteStart(start)}"`);
	const parsed = parse(start) ?? parse(start.replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi, escaped));
	if (parsed === undefined) throw new StructureError(`${name}: is not well-formed JSON: the response is truncated`);
	if (!isObject(parsed)) throw new StructureError(`${name}: is not a JSON object`);
	return parsed;
}

function stringAt(row: JsonObject, key: string): string | null {
	const value = row[key];
	return typeof value === "string" ? value : null;
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function escaped(match: string): string {
	return match === "\\" ? "\\\\" : match;
}

/** The beginning of a body, without tags. */
function quoteStart(body: string): string {
	const words = body.slice(0, 4_000).replace(/<[^<>]*>/g, " ");
	return words.replace(/\s+/g, " ").trim().slice(0, maxQuote);
}
