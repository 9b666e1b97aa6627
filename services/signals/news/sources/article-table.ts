/** GDELT article lists kept as CSV, read by their header names; and look-alikes, which are counted, not read. Pure. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { decodeText, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { ArticleRows } from "./article-rows.ts";
import { gdeltDocSource } from "./json-lists.ts";
import { compactMoment, feedMoment } from "./moments.ts";

const titleHeaders = ["title", "headline"];
/** When GDELT saw the page goes before a mere day. */
const dateHeaders = ["seendate", "date"];

/** Tables that lie beside article lists. A name that all of `headers` have is enough to know them. */
const lookalikes = [
	{ headers: ["mentionidentifier"], reason: "a GDELT mention: an address without a headline" },
	{ headers: ["tableid", "datatype"], reason: "the label of a column, no article" },
];

/** Is this a table with addresses and headlines, or a look-alike that can be recognised as one? Never throws. */
export function isArticleTable(bytes: Uint8Array): boolean {
	if (isTabbedLabels(bytes)) return true;
	const names = csvHeaderNames(bytes);
	return hasHeadlines(names) || lookalikes.some(({ headers }) => headers.every((header) => names.has(header)));
}

/**
 * The articles of a table. In a look-alike, or a table without a date column, every row is dropped with the table's
 * reason. Throws `StructureError` for a table that is neither, and for a file that is cut or no UTF-8 text.
 */
export function readArticleTable(bytes: Uint8Array, name: string): Parsed<Article> {
	if (isTabbedLabels(bytes)) return tabbedLabels(bytes, name);
	const list = readCsv(bytes, name);
	const names = csvHeaderNames(bytes);
	const lookalike = lookalikes.find(({ headers }) => headers.every((header) => names.has(header)));
	if (lookalike) return noArticles(list.rows.length - 1, lookalike.reason, name);
	if (!hasHeadlines(names))
		throw new StructureError(`${name}: is no list of articles: no columns for address and title`);
	if (!dateHeaders.some((header) => names.has(header))) {
		return noArticles(list.rows.length - 1, "a headline without a date: the table has no such column", name);
	}
	return articles(list);
}

function articles(list: Table): Parsed<Article> {
	const table = new HeadedTable(list, [["url"], titleHeaders, dateHeaders], 1);
	const at = {
		url: table.column("url"),
		title: table.column(...titleHeaders),
		dates: dateHeaders.map((header) => table.column(header)),
		language: table.column("language"),
		country: table.column("sourcecountry"),
		snippet: table.column("snippet"),
	};
	const rows = new ArticleRows();
	for (const [index, row] of table.rows.entries()) {
		const stated = {
			url: text(row[at.url]),
			title: String(row[at.title] ?? ""),
			publishedAt: at.dates.map((column) => momentOf(text(row[column]) ?? "")).find((found) => found !== null) ?? null,
			source: gdeltDocSource,
			sourceCountry: text(row[at.country]),
			language: text(row[at.language]),
			snippet: ownSnippet(text(row[at.snippet]), text(row[at.title])),
		};
		rows.add(stated, `record ${index + 1}`);
	}
	return rows.parsed();
}

function momentOf(written: string): string | null {
	return compactMoment(written) ?? feedMoment(written);
}

/** One collector fills the snippet up with the headline and the words of its query, which the page never said. */
function ownSnippet(snippet: string | null, title: string | null): string | null {
	const own = snippet?.split(" | GDELT query", 1)[0]?.trim() ?? "";
	return own === "" || own === title ? null : own;
}

function hasHeadlines(names: ReadonlySet<string>): boolean {
	return names.has("url") && titleHeaders.some((header) => names.has(header));
}

/** The GKG column labels are a tab-separated file whose first header is blank. */
function isTabbedLabels(bytes: Uint8Array): boolean {
	return /^\ufeff?\t?tableid\tdatatype\t/.test(peek(bytes, 256));
}

function tabbedLabels(bytes: Uint8Array, name: string): Parsed<Article> {
	const lines = decodeText(bytes, name).split("\n");
	const filled = lines.filter((line) => line.trim() !== "");
	return noArticles(filled.length - 1, "the label of a column, no article", name);
}

function noArticles(count: number, reason: string, name: string): Parsed<Article> {
	const rows = new ArticleRows();
	if (count > 0) rows.drop(reason, name, count);
	return rows.parsed();
}
