/** GDELT DOC 2.0, mode artlist, format json: up to 250 articles that match a query. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Article, Parsed } from "../../domain/parsed.ts";
import { ArticleRows } from "./article-rows.ts";
import { isObject, readJsonObject, stringAt } from "./json-body.ts";
import { compactMoment } from "./moments.ts";

export const gdeltDocSource = "GDELT DOC";

/**
 * The articles of an answer; `{}` is none. `publishedAt` is `seendate`, when GDELT saw the page. Throws
 * `StructureError` with GDELT's own words when it answers with a sentence: "Your query was too short or too long.",
 * "Please limit requests to one every 5 seconds."
 */
export function readGdeltDoc(bytes: Uint8Array, name: string): Parsed<Article> {
	const { articles = [] } = readJsonObject(bytes, name);
	if (!Array.isArray(articles)) throw new StructureError(`${name}: "articles" is no list`);
	const rows = new ArticleRows();
	for (const [index, article] of articles.entries()) {
		const place = `article ${index + 1}`;
		if (!isObject(article)) {
			rows.drop("no JSON object", place);
			continue;
		}
		const stated = {
			url: stringAt(article, "url"),
			title: stringAt(article, "title"),
			publishedAt: compactMoment(stringAt(article, "seendate") ?? ""),
			source: gdeltDocSource,
			sourceCountry: stringAt(article, "sourcecountry"),
			language: stringAt(article, "language"),
		};
		rows.add(stated, place);
	}
	return rows.parsed();
}
