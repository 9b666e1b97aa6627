/** Reads GDELT's article lists as CSV, and counts the rows of similar tables. Pure. */
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
/** The time when GDELT saw the page is preferred to a mere day. */
const dateHeaders = ["seendate", "date"];

/** Tables that are kept with article lists. Their `headers` identify them. */
const lookalikes = [
	{ headers: ["mentionidentifier"], reason: "a GDELT mention: an address without a headline" },
	{ headers: ["tableid", "datatype"], reason: "the label of a column, not an article" },
];

/** Recognises a table with addresses and headlines, and the similar tables. Never throws. */
export function isArticleTable(bytes: Uint8Array): boolean {
	if (isTabbedLabels(bytes)) return true;
	const names = csvHeaderNames(bytes);
	return hasHeadlines(names) || lookalikes.some(({ headers }) => headers.every((header) => names.has(header)));
}

/**
 * Drops every row of a similar table and of a table without a date column. Throws `StructureError` for any other table, and for a file
 * that is cut or not UTF-8.
 */
export function readArticleTable(bytes: Uint8Array, name: string): Parsed<Article> {
	if (isTabbedLabels(bytes)) return tabbedLabels(bytes, name);
	const list = readCsv(bytes, name);
	const names = csvHeaderNames(bytes);
	const lookalike = lookalikes.find(({ headers }) => headers.every((header) => names.has(header)));
	if (lookalike) return noArticles(list.rows.length - 1, lookalike.reason, name);
	if (!hasHeadlines(names))
		throw new StructureError(`${name}: is not a list of articles: it lacks columns for address and title`);
	if (!dateHeaders.some((header) => names.has(header))) {
		return noArticles(list.rows.length - 1, "a headline without a date: the table has no date column", name);
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

/** One collector adds the headline and the words of its query to the snippet. */
function ownSnippet(snippet: string | null, title: string | null): string | null {
	const own = snippet?.split(" | GDELT query", 1)[0]?.trim() ?? "";
	return own === "" || own === title ? null : own;
}

function hasHeadlines(names: ReadonlySet<string>): boolean {
	return names.has("url") && titleHeaders.some((header) => names.has(header));
}

/** The labels of GKG's columns are tab-separated, with a blank first header. */
function isTabbedLabels(bytes: Uint8Array): boolean {
	return /^\ufeff?\t?tableid\tdatatype\t/.test(peek(bytes, 256));
}

function tabbedLabels(bytes: Uint8Array, name: string): Parsed<Article> {
	const lines = decodeText(bytes, name).split("\n");
	const filled = lines.filter((line) => line.trim() !== "");
	return noArticles(filled.length - 1, "the label of a column, not an article", name);
}

function noArticles(count: number, reason: string, name: string): Parsed<Article> {
	const rows = new ArticleRows();
	if (count > 0) rows.drop(reason, name, count);
	return rows.parsed();
}
