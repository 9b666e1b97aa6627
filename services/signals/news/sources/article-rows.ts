/** Converts the rows of any news source to articles. Pure. */
import { tidyTitle } from "../../headlines/title.ts";
import { Account } from "../../records/account.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { canonicalUrl, domainOf, maxUrlLength, webAddress } from "../canonical-url.ts";

/** Maximum characters. A longer title is probably the text of a page. */
const maxTitleLength = 1_000;
/** Maximum characters of a description that are used for matching. */
const maxSnippetLength = 4_000;
const maxCountryLength = 100;

/** An article as the source publishes it, before validation. Null and blank are equivalent. */
export interface UncheckedArticle {
	url: string | null;
	title: string | null;
	publishedAt: string | null;
	source: string;
	sourceCountry?: string | null;
	organizations?: string[];
	snippet?: string | null;
}

/** Collects the articles of a file, and counts the rows that are dropped. */
export class ArticleRows {
	readonly #articles: Article[] = [];
	readonly #account = new Account();

	/** Adds the article, or drops the row if it is invalid. `location` identifies the row: "line 17". */
	add(row: UncheckedArticle, location: string): void {
		const article = toArticle(row);
		this.#account.rowsIn++;
		if (typeof article !== "string") this.#articles.push(article);
		else this.#account.drop(article, row.url === null ? location : `${location}: ${row.url}`);
	}

	drop(reason: string, example: string, count = 1): void {
		this.#account.rowsIn += count;
		this.#account.drop(reason, example, count);
	}

	finish(): Parsed<Article> {
		return this.#account.finish(this.#articles);
	}
}

/** Returns the article, or the reason to drop it. */
function toArticle(row: UncheckedArticle): Article | string {
	const url = row.url?.trim() ?? "";
	if (url === "") return "no address";
	if (url.length > maxUrlLength) return `address longer than ${maxUrlLength} characters`;
	const domain = domainOf(url);
	const address = webAddress(url);
	if (domain === null || address === null || canonicalUrl(url) === null) return "not a web address";
	if ((row.title ?? "").length > maxTitleLength) return `title longer than ${maxTitleLength} characters`;
	const title = stripMarkup(row.title ?? "");
	if (title === "") return "no title";
	if (row.publishedAt === null) return "no readable date";
	return {
		url: address,
		title,
		domain,
		publishedAt: row.publishedAt,
		source: row.source,
		sourceCountry: row.sourceCountry?.slice(0, maxCountryLength).trim() || null,
		organizations: row.organizations ?? [],
		snippet: stripMarkup(row.snippet?.slice(0, maxSnippetLength) ?? "") || null,
	};
}

/** Removes tags: feeds write headlines and descriptions as HTML. */
function stripMarkup(html: string): string {
	return tidyTitle(html.replace(/<\/?[a-z][^<>]*>/gi, " "));
}
