/** Which appearances of a headline are one article: copies of one page, and the same headline in several outlets. Pure. */
import { withoutOutlet } from "../headlines/title.ts";
import { mergeText, union } from "../records/merge-rules.ts";
import type { Article } from "../records/records.ts";
import { canonicalUrl, domainOf } from "./canonical-url.ts";

/** Copies of a headline appear within three days of the first (domain sheet 3.3). */
const windowMs = 3 * 86_400_000;
/** Fewer words say too little to be one event in two outlets: "Company Announcement". */
const telltaleWords = 4;
/** Characters of a headline that are compared. */
const maxKeyLength = 300;

/** Headings that outlets put over something new each time. As keys. */
const genericKeys = new Set([
	"combined notice of filings",
	"letters to the editor",
	"letter to the editor",
	"news from around the state",
	"stock market news for today",
	"things to know for today",
	"today in business and finance",
]);

/** The least that folding must know of an appearance. */
export interface Appearance {
	url: string;
	title: string;
	/** ISO moment in UTC, to the second. */
	publishedAt: string;
}

export interface Folded<T> {
	/** The earliest appearance. */
	article: T;
	/** Other pages with the same headline; the same page met twice is no copy. */
	copies: T[];
}

/**
 * What is compared of a headline: words without case, accents, punctuation, possessive 's (which GDELT loses) and the
 * name of the outlet at its end. Empty when nothing is left.
 */
export function titleKey(title: string, domain = ""): string {
	return keyOf(withoutOutlet(title.slice(0, maxKeyLength), domain));
}

/** Says this key too little to recognise a copy in another outlet? */
export function isGeneric(key: string): boolean {
	return key.split(" ").length < telltaleWords || genericKeys.has(key.replace(/ \d+$/, ""));
}

/**
 * One entry for each article, earliest first. The same page is one appearance, the earliest of them. Then, of the
 * appearances with one key, the earliest opens a window of three days, both ends included, and is kept; what falls into
 * it is a copy; the first after it opens the next window. The outcome is a function of the set: the order of arrival
 * does not matter, and an earlier copy that arrives later takes over. It may move the windows after it, so fold all
 * appearances of a key anew. Generic headlines are folded within their own domain only. What has no web address is left
 * out.
 */
export function foldCopies<T extends Appearance>(appearances: readonly T[]): Folded<T>[] {
	const byKey = Map.groupBy(onePerPage(appearances), foldingKey);
	const folded = [...byKey.values()].flatMap(foldSameKey);
	return folded.toSorted((a, b) => order(a.article, b.article)).map(withAppearances);
}

interface Page<T> {
	appearance: T;
	page: string;
	domain: string;
	time: number;
}

function onePerPage<T extends Appearance>(appearances: readonly T[]): Page<T>[] {
	const earliest = new Map<string, Page<T>>();
	for (const appearance of appearances) {
		const page = canonicalUrl(appearance.url);
		const domain = domainOf(appearance.url);
		if (page === null || domain === null) continue;
		const met = { appearance, page, domain, time: Date.parse(appearance.publishedAt) };
		const known = earliest.get(page);
		if (known === undefined || order(met, known) < 0) earliest.set(page, met);
	}
	return [...earliest.values()];
}

function foldingKey<T extends Appearance>({ appearance, domain, page }: Page<T>): string {
	const key = titleKey(appearance.title, domain);
	if (key === "") return page;
	return isGeneric(key) ? `${domain}\n${key}` : key;
}

function foldSameKey<T extends Appearance>(pages: Page<T>[]): Folded<Page<T>>[] {
	const folded: Folded<Page<T>>[] = [];
	for (const page of pages.toSorted(order)) {
		const open = folded.at(-1);
		if (open && page.time - open.article.time <= windowMs) open.copies.push(page);
		else folded.push({ article: page, copies: [] });
	}
	return folded;
}

/** By time; at one time by address and headline, so that nothing is left to chance. */
function order<T extends Appearance>(a: Page<T>, b: Page<T>): number {
	return (
		a.time - b.time ||
		compared(a.page, b.page) ||
		compared(a.appearance.url, b.appearance.url) ||
		compared(a.appearance.title, b.appearance.title)
	);
}

function compared(a: string, b: string): number {
	return a === b ? 0 : a < b ? -1 : 1;
}

function withAppearances<T>({ article, copies }: Folded<Page<T>>): Folded<T> {
	return { article: article.appearance, copies: copies.map(({ appearance }) => appearance) };
}

function keyOf(title: string): string {
	return title
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
	const spoken = deliveryOrder(a) <= deliveryOrder(b) ? a : b;
	return {
		...spoken,
		source_country: mergeText(a.source_country, b.source_country),
		language: mergeText(a.language, b.language),
		organizations: union(a.organizations, b.organizations),
		body_names: union(a.body_names, b.body_names),
	};
}

const deliveryOrder = (page: PageFacts): string =>
	[page.publishedAt, page.url, page.title, page.source, page.domain].join("\n");
