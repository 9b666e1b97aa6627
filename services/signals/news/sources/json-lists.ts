/** Reads news in JSON: GDELT DOC 2.0 (mode artlist), and FERC's notices and orders in the Federal Register. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { isObject, type JsonObject } from "../../records/json.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { ArticleRows, type UncheckedArticle } from "./article-rows.ts";
import { parseCompactTime, parseFeedTime } from "./moments.ts";

export const gdeltDocSource = "GDELT DOC";

/**
 * Reads a response of GDELT DOC 2.0; `{}` means that no article matches. `publishedAt` is `seendate`, the time at which GDELT saw the page.
 * @throws StructureError if the response is anything else. The error quotes a message such as "Your query was too short or too long."
 */
export function readGdeltDoc(bytes: Uint8Array, name: string): Parsed<Article> {
	const { articles = [] } = readJsonResponse(bytes, name);
	if (!Array.isArray(articles)) throw new StructureError(`${name}: "articles" is not a list`);
	return readRows(articles, "article", (article) => ({
		url: stringAt(article, "url"),
		title: stringAt(article, "title"),
		publishedAt: parseCompactTime(stringAt(article, "seendate") ?? ""),
		source: gdeltDocSource,
		sourceCountry: stringAt(article, "sourcecountry"),
	}));
}

/**
 * Reads a page of `/api/v1/documents.json`. `publishedAt` is midnight (UTC) of the publication day.
 * @throws StructureError if the body is anything else
 */
export function readFederalRegister(bytes: Uint8Array, name: string): Parsed<Article> {
	const body = readJsonResponse(bytes, name);
	const { results = [] } = body;
	if (!Array.isArray(results) || !("count" in body))
		throw new StructureError(`${name}: is not a list of Federal Register documents`);
	return readRows(results, "document", (document) => ({
		url: stringAt(document, "html_url") ?? stringAt(document, "pdf_url"),
		title: stringAt(document, "title"),
		publishedAt: parseFeedTime(stringAt(document, "publication_date") ?? ""),
		source: "federalregister.gov",
		snippet: stringAt(document, "abstract") ?? stringAt(document, "excerpts"),
	}));
}

function readRows(
	list: readonly unknown[],
	label: string,
	read: (row: JsonObject) => UncheckedArticle,
): Parsed<Article> {
	const rows = new ArticleRows();
	for (const [index, row] of list.entries()) {
		const location = `${label} ${index + 1}`;
		if (isObject(row)) rows.add(read(row), location);
		else rows.drop("not a JSON object", location);
	}
	return rows.finish();
}

/** Maximum characters of a response that an error message quotes. */
const maxQuoteLength = 200;

/**
 * Parses a JSON object. Tolerates raw control characters in strings, a byte order mark, invalid escapes, and bytes that are not UTF-8.
 * @throws StructureError if the response is anything else. The error quotes its text, because GDELT sends error messages with status 200.
 */
function readJsonResponse(bytes: Uint8Array, name: string): JsonObject {
	const body = new TextDecoder().decode(bytes).replace(/\p{Cc}/gu, " ");
	const start = body.trimStart();
	if (start === "") throw new StructureError(`${name}: the response is empty`);
	if (!start.startsWith("{")) throw new StructureError(`${name}: the response is not JSON, but "${quoteStart(start)}"`);
	const parsed = parse(start) ?? parse(start.replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi, escapeBackslash));
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

/** Doubles a backslash that is not part of an escape. */
function escapeBackslash(match: string): string {
	return match === "\\" ? "\\\\" : match;
}

/** Returns the beginning of a response, without tags. */
function quoteStart(body: string): string {
	const words = body.slice(0, 4_000).replace(/<[^<>]*>/g, " ");
	return words.replace(/\s+/g, " ").trim().slice(0, maxQuoteLength);
}
