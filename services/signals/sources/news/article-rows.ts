/** Rows of any news source turned into articles, or counted with the reason why they are none. Pure. */
import { canonicalUrl, domainOf, maxUrlLength, webAddress } from "../../domain/canonical-url.ts";
import type { Article, Dropped, Parsed } from "../../domain/parsed.ts";
import { tidyTitle } from "../../domain/tidy-title.ts";

/** Characters; what is longer is a page that was taken for its headline. */
const maxTitleLength = 1_000;
/** Characters of a description that are looked at for the matching. */
const maxSnippetLength = 4_000;
/** Characters of a country or language. */
const maxWordLength = 100;
const maxExamples = 5;
const maxExampleLength = 200;

/** What a source states of an article, as it writes it. `null` and blank are the same. */
export interface StatedArticle {
	url: string | null;
	title: string | null;
	/** ISO moment, from `moments.ts`; null when the source states none that can be read. */
	publishedAt: string | null;
	source: string;
	sourceCountry?: string | null;
	language?: string | null;
	organizations?: string[];
	snippet?: string | null;
}

/** Collects one file's articles and drops. */
export class ArticleRows {
	readonly #records: Article[] = [];
	readonly #dropped = new Map<string, Dropped>();

	/** Keeps the row, or drops it with a reason; `place` is how a person finds it again: "line 17". */
	add(stated: StatedArticle, place: string): void {
		const article = toArticle(stated);
		if (typeof article === "string") this.drop(article, stated.url === null ? place : `${place}: ${stated.url}`);
		else this.#records.push(article);
	}

	/** Counts a row, or several at once, that become no article. */
	drop(reason: string, example: string, count = 1): void {
		const known = this.#dropped.get(reason) ?? { reason, count: 0, examples: [] };
		this.#dropped.set(reason, known);
		known.count += count;
		if (known.examples.length < maxExamples) known.examples.push(example.slice(0, maxExampleLength));
	}

	parsed(): Parsed<Article> {
		const dropped = [...this.#dropped.values()];
		const rowsIn = dropped.reduce((sum, { count }) => sum + count, this.#records.length);
		return { rowsIn, records: this.#records, dropped };
	}
}

/** The article, or the reason why it is none. */
function toArticle(stated: StatedArticle): Article | string {
	const url = stated.url?.trim() ?? "";
	if (url === "") return "no address";
	if (url.length > maxUrlLength) return `address longer than ${maxUrlLength} characters`;
	const domain = domainOf(url);
	const address = webAddress(url);
	if (domain === null || address === null || canonicalUrl(url) === null) return "no web address";
	if ((stated.title ?? "").length > maxTitleLength) return `title longer than ${maxTitleLength} characters`;
	const title = plain(stated.title ?? "");
	if (title === "") return "no title";
	if (stated.publishedAt === null) return "no date that can be read";
	return {
		url: address,
		title,
		domain,
		publishedAt: stated.publishedAt,
		source: stated.source,
		sourceCountry: stated.sourceCountry?.slice(0, maxWordLength).trim() || null,
		language: stated.language?.slice(0, maxWordLength).trim() || null,
		organizations: stated.organizations ?? [],
		snippet: plain(stated.snippet?.slice(0, maxSnippetLength) ?? "") || null,
	};
}

/** Feeds write headlines and descriptions as HTML, whether they may or not. */
function plain(written: string): string {
	return tidyTitle(written.replace(/<\/?[a-z][^<>]*>/gi, " "));
}
