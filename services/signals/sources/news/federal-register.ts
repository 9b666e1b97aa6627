/** Federal Register documents (`/api/v1/documents.json`): FERC's notices and orders. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Article, Parsed } from "../../domain/parsed.ts";
import { ArticleRows } from "./article-rows.ts";
import { isObject, readJsonObject, stringAt } from "./json-body.ts";
import { feedMoment } from "./moments.ts";

/**
 * A page of the list of documents; without `results` there are none. The day of publication is taken for its midnight
 * in UTC. Throws `StructureError` for another answer.
 */
export function readFederalRegister(bytes: Uint8Array, name: string): Parsed<Article> {
	const body = readJsonObject(bytes, name);
	const { results = [] } = body;
	if (!Array.isArray(results) || !("count" in body)) {
		throw new StructureError(`${name}: is no list of Federal Register documents`);
	}
	const rows = new ArticleRows();
	for (const [index, document] of results.entries()) {
		const place = `document ${index + 1}`;
		if (!isObject(document)) {
			rows.drop("no JSON object", place);
			continue;
		}
		const stated = {
			url: stringAt(document, "html_url") ?? stringAt(document, "pdf_url"),
			title: stringAt(document, "title"),
			publishedAt: feedMoment(stringAt(document, "publication_date") ?? ""),
			source: "federalregister.gov",
			snippet: stringAt(document, "abstract") ?? stringAt(document, "excerpts"),
		};
		rows.add(stated, place);
	}
	return rows.parsed();
}
