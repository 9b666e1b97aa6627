/** A web page that carried a headline: what its deliveries say of it together, and which headlines it is compared with. Pure. */

import { canonicalUrl, domainOf } from "./canonical-url.ts";
import { mergeText, union } from "./merge-rules.ts";
import type { Article } from "./parsed.ts";
import { isGeneric, titleKey } from "./syndication.ts";

export interface PageFacts {
	canonical_url: string;
	url: string;
	title: string;
	/** Equal for pages that may be copies of one another. */
	title_key: string;
	domain: string;
	/** ISO moment in UTC, to the second. */
	publishedAt: string;
	source: string;
	source_country: string | null;
	language: string | null;
	organizations: string[];
	body_names: string[];
}

/** Null for what has no web address. */
export function pageFacts(article: Article, bodyNames: readonly string[]): PageFacts | null {
	const page = canonicalUrl(article.url);
	if (page === null) return null;
	return {
		canonical_url: page,
		url: article.url,
		title: article.title,
		title_key: comparedBy(article, page),
		domain: article.domain,
		publishedAt: article.publishedAt,
		source: article.source,
		source_country: article.sourceCountry,
		language: article.language,
		organizations: union(article.organizations, []),
		body_names: union(bodyNames, []),
	};
}

/** As `foldCopies` groups: a headline that says too little is compared within its own domain only. */
function comparedBy(article: Article, page: string): string {
	const domain = domainOf(article.url) ?? "";
	const key = titleKey(article.title, domain);
	if (key === "") return page;
	return isGeneric(key) ? `${domain}\n${key}` : key;
}

/** The earliest delivery speaks; what it does not know, others add. */
export function joinPages(a: PageFacts, b: PageFacts): PageFacts {
	const spoken = order(a) <= order(b) ? a : b;
	return {
		...spoken,
		source_country: mergeText(a.source_country, b.source_country),
		language: mergeText(a.language, b.language),
		organizations: union(a.organizations, b.organizations),
		body_names: union(a.body_names, b.body_names),
	};
}

const order = (page: PageFacts): string =>
	[page.publishedAt, page.url, page.title, page.source, page.domain].join("\n");
