/** Reads GDELT's article lists in CSV, and counts the rows of similar tables as dropped. Pure. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { decodeText, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { ArticleRows } from "./article-rows.ts";
import { gdeltDocSource } from "./json-lists.ts";
import { parseCompactTime, parseFeedTime } from "./moments.ts";

const titleHeaders = ["title", "headline"];
/** In order of preference: `seendate` is the time at which GDELT saw the page; `date` may be only a day. */
const dateHeaders = ["seendate", "date"];

const columnLabel = "the label of a column, not an article";

/** Tables that collectors store beside article lists, identified by `headers`. */
const lookalikes = [
	{ headers: ["mentionidentifier"], reason: "a GDELT mention: an address without a headline" },
	{ headers: ["tableid", "datatype"], reason: columnLabel },
];

/** Returns why the rows of a similar table are dropped; undefined for any other table. */
const reasonToDrop = (names: ReadonlySet<string>): string | undefined =>
	lookalikes.find(({ headers }) => headers.every((header) => names.has(header)))?.reason;

/** Whether the file is a table with addresses and headlines, or one of the similar tables. Never throws. */
export function isArticleTable(bytes: Uint8Array): boolean {
	if (isTabbedLabels(bytes)) return true;
	const names = csvHeaderNames(bytes);
	return hasHeadlines(names) || reasonToDrop(names) !== undefined;
}

/**
 * Drops every row of a similar table and of a table without a date column.
 * @throws StructureError if it is any other table, is truncated or is not UTF-8
 */
export function readArticleTable(bytes: Uint8Array, name: string): Parsed<Article> {
	if (isTabbedLabels(bytes)) return dropTabbedLabels(bytes, name);
	const list = readCsv(bytes, name);
	const names = csvHeaderNames(bytes);
	const reason = reasonToDrop(names);
	if (reason !== undefined) return dropAll(list.rows.length - 1, reason, name);
	if (!hasHeadlines(names))
		throw new StructureError(`${name}: is not a list of articles, because it lacks columns for address and title`);
	if (!dateHeaders.some((header) => names.has(header))) {
		return dropAll(list.rows.length - 1, "a headline without a date: the table has no date column", name);
	}
	return readArticles(list);
}

function readArticles(list: Table): Parsed<Article> {
	const table = new HeadedTable(list, [["url"], titleHeaders, dateHeaders], 1);
	const columns = {
		url: table.column("url"),
		title: table.column(...titleHeaders),
		dates: dateHeaders.map((header) => table.column(header)),
		country: table.column("sourcecountry"),
		snippet: table.column("snippet"),
	};
	const rows = new ArticleRows();
	for (const [index, row] of table.rows.entries()) {
		const article = {
			url: text(row[columns.url]),
			title: String(row[columns.title] ?? ""),
			publishedAt:
				columns.dates.map((column) => parseTime(text(row[column]) ?? "")).find((found) => found !== null) ?? null,
			source: gdeltDocSource,
			sourceCountry: text(row[columns.country]),
			snippet: cleanSnippet(text(row[columns.snippet]), text(row[columns.title])),
		};
		rows.add(article, `record ${index + 1}`);
	}
	return rows.finish();
}

function parseTime(value: string): string | null {
	return parseCompactTime(value) ?? parseFeedTime(value);
}

/** Removes the headline and the query, which one collector adds to the snippet. */
function cleanSnippet(snippet: string | null, title: string | null): string | null {
	const cleaned = snippet?.split(" | GDELT query", 1)[0]?.trim() ?? "";
	return cleaned === "" || cleaned === title ? null : cleaned;
}

function hasHeadlines(names: ReadonlySet<string>): boolean {
	return names.has("url") && titleHeaders.some((header) => names.has(header));
}

/** Recognizes GKG's file of column labels, which is not an article list: tab-separated, with a blank first header. */
function isTabbedLabels(bytes: Uint8Array): boolean {
	return /^\ufeff?\t?tableid\tdatatype\t/.test(peek(bytes, 256));
}

function dropTabbedLabels(bytes: Uint8Array, name: string): Parsed<Article> {
	const lines = decodeText(bytes, name).split("\n");
	const filled = lines.filter((line) => line.trim() !== "");
	return dropAll(filled.length - 1, columnLabel, name);
}

function dropAll(count: number, reason: string, name: string): Parsed<Article> {
	const rows = new ArticleRows();
	if (count > 0) rows.drop(reason, name, count);
	return rows.finish();
}
