/**
 * Groups the appearances of a headline into articles: a page from several sources is one appearance, and the same headline in several
 * outlets is one article. Pure.
 */
import { withoutOutlet } from "../headlines/title.ts";
import { mergeBy, mergeText, union } from "../records/merge-rules.ts";
import type { Article } from "../records/records.ts";
import { canonicalUrl, domainOf } from "./canonical-url.ts";

/** Maximum time between the first appearance of a headline and its copies. */
const windowMs = 3 * 86_400_000;
/** A shorter headline ("Company Announcement") does not identify an event across outlets. */
const minWords = 4;
const maxKeyLength = 300;

/** Keys of recurring headings. */
const genericKeys = new Set([
	"combined notice of filings",
	"letters to the editor",
	"letter to the editor",
	"news from around the state",
	"stock market news for today",
	"things to know for today",
	"today in business and finance",
]);

/** A web page with a headline, merged from all sources. */
export interface PageFacts {
	canonical_url: string;
	url: string;
	title: string;
	/** Equal for pages that may be copies of each other. */
	title_key: string;
	domain: string;
	publishedAt: string;
	source: string;
	source_country: string | null;
	organizations: string[];
	body_names: string[];
}

/** Returns the pages of the articles, each once. A snippet contributes only the developers' names that it contains. */
export function mergePages(
	articles: readonly Article[],
	namesInSnippet: (snippet: string | null) => string[],
): PageFacts[] {
	const pages = articles.flatMap((article) => toPageFacts(article, namesInSnippet(article.snippet)) ?? []);
	return [...mergeBy(pages, (page) => page.canonical_url, mergePage).values()];
}

/** Null if the article has no web address. */
function toPageFacts(article: Article, bodyNames: readonly string[]): PageFacts | null {
	const page = canonicalUrl(article.url);
	if (page === null) return null;
	return {
		canonical_url: page,
		url: article.url,
		title: article.title,
		title_key: pageKey(article, page),
		domain: article.domain,
		publishedAt: article.publishedAt,
		source: article.source,
		source_country: article.sourceCountry,
		organizations: union(article.organizations, []),
		body_names: union(bodyNames, []),
	};
}

function pageKey({ url, title }: Article, page: string): string {
	const domain = domainOf(url) ?? "";
	const key = titleKey(title, domain);
	if (key === "") return page;
	return isGeneric(key) ? `${domain}\n${key}` : key;
}

/** Returns a headline's words without case, accents, punctuation, the possessive 's (which GDELT loses) and the outlet's name. */
export function titleKey(title: string, domain = ""): string {
	return withoutOutlet(title.slice(0, maxKeyLength), domain)
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/ø/g, "o")
		.replace(/ ?['’‘`´] ?s(?![\p{L}\p{N}])/gu, "")
		.replace(/['’‘`´]/g, "")
		.replace(/&/g, " and ")
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}

/** Whether the headline may recur for different events. Such headlines are compared only within a domain. */
export function isGeneric(key: string): boolean {
	return key.split(" ").length < minWords || genericKeys.has(key.replace(/ \d+$/, ""));
}

/** Returns the facts of the version that was published first, completed with those of the other version. */
export function mergePage(a: PageFacts, b: PageFacts): PageFacts {
	const earliest = versionSortKey(a) <= versionSortKey(b) ? a : b;
	return {
		...earliest,
		source_country: mergeText(a.source_country, b.source_country),
		organizations: union(a.organizations, b.organizations),
		body_names: union(a.body_names, b.body_names),
	};
}

const versionSortKey = (page: PageFacts): string =>
	[page.publishedAt, page.url, page.title, page.source, page.domain].join("\n");

/**
 * Returns the pages of each article. Articles, and the pages of an article, are in the order of publication. The first page with a key
 * starts a window of three days, which includes both ends. Pages within the window are copies of the first page, and the next page starts
 * another window. Pass all pages of a key together: a page that arrives late but was published first moves all windows.
 */
export function groupCopies<T extends PageFacts>(pages: readonly T[]): [T, ...T[]][] {
	const articles: [T, ...T[]][] = [];
	for (const pagesOfKey of Map.groupBy(pages.toSorted(comparePages), ({ title_key }) => title_key).values()) {
		let article: [T, ...T[]] | undefined;
		for (const page of pagesOfKey) {
			if (article && Date.parse(page.publishedAt) - Date.parse(article[0].publishedAt) <= windowMs) article.push(page);
			else {
				article = [page];
				articles.push(article);
			}
		}
	}
	return articles.toSorted(([a], [b]) => comparePages(a, b));
}

function comparePages(a: PageFacts, b: PageFacts): number {
	const [left, right] = [a, b].map((page) => [page.publishedAt, page.canonical_url, page.url, page.title].join("\n"));
	return left === right ? 0 : (left ?? "") < (right ?? "") ? -1 : 1;
}
