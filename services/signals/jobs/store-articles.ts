/**
 * Stores news. A page delivered by several sources is one appearance, and a headline in several outlets one article, whatever the
 * order of arrival; an article that names developers is published, and again when it names others.
 */
import { isDeepStrictEqual } from "node:util";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { joinPages, type PageFacts, pageFacts } from "../domain/appearance.ts";
import type { Article } from "../domain/parsed.ts";
import { foldCopies } from "../domain/syndication.ts";
import { type MatchedArticle, writeArticles } from "./articles.ts";
import { type Matchers, matchersOf } from "./matchers.ts";
import { inBatches, lockWriters, type Stored, storable } from "./storing.ts";

/** A row of `appearances`. */
interface Page extends PageFacts {
	article_id: number | null;
}

export const storeArticles = (sql: Sql, articles: readonly Article[]): Promise<Stored> =>
	inBatches(articles, (batch) =>
		sql.begin(async (tx) => {
			await lockWriters(tx);
			const matchers = await matchersOf(sql, tx);
			const news = await freshPages(tx, delivered(storable(batch), matchers));
			if (news.length > 0) await settle(tx, matchers, news);
			return { stored: news.length, known: batch.length - news.length };
		}),
	);

/** The batch's pages, each once. Of a description only the names of developers in it are kept. */
function delivered(articles: readonly Article[], matchers: Matchers): Map<string, PageFacts> {
	const pages = new Map<string, PageFacts>();
	for (const article of articles) {
		const page = pageFacts(article, matchers.namesInSnippet(article.snippet));
		if (page === null) continue;
		const known = pages.get(page.canonical_url);
		pages.set(page.canonical_url, known === undefined ? page : joinPages(known, page));
	}
	return pages;
}

interface News {
	before: Page | undefined;
	after: Page;
}

/** Pages that are new, or of which more is known than before. */
async function freshPages(tx: Transaction, pages: Map<string, PageFacts>): Promise<News[]> {
	const stored = new Map(
		(await readPages(tx, tx`canonical_url = any(${[...pages.keys()]})`)).map((page) => [page.canonical_url, page]),
	);
	const news: News[] = [];
	for (const page of pages.values()) {
		const before = stored.get(page.canonical_url);
		const after = before === undefined ? { ...page, article_id: null } : { ...before, ...joinPages(before, page) };
		if (before === undefined || !isDeepStrictEqual(after, before)) news.push({ before, after });
	}
	return news;
}

/** Folds every headline that the news touches anew, and brings the articles to that. */
async function settle(tx: Transaction, matchers: Matchers, news: readonly News[]): Promise<void> {
	const keys = news.flatMap(({ before, after }) => [after.title_key, before?.title_key ?? after.title_key]);
	const pages = new Map(
		(await readPages(tx, tx`title_key = any(${[...new Set(keys)]})`)).map((page) => [page.canonical_url, page]),
	);
	const formerIds = new Set([...pages.values()].flatMap(({ article_id }) => article_id ?? []));
	for (const { after } of news) pages.set(after.canonical_url, after);
	const groups = foldCopies([...pages.values()]).map(({ article, copies }) => [article, ...copies]);
	const stored = await withIds(tx, groups);
	const fresh = new Set(news.map(({ after }) => after));
	const changed = stored.flatMap(({ id, pages }) =>
		pages.filter((page) => fresh.has(page) || page.article_id !== id).map((page) => ({ ...page, article_id: id })),
	);
	const kept = new Set(stored.map(({ id }) => id));
	const gone = [...formerIds].filter((id) => !kept.has(id));
	await writeArticles(tx, matchers, stored.map(articleOf), gone, () => writePages(tx, changed));
}

interface Group {
	id: number;
	/** The earliest first. */
	pages: Page[];
}

/** An article keeps its number: the lowest that one of its pages had and no earlier article took; else a new one. */
async function withIds(tx: Transaction, groups: readonly Page[][]): Promise<Group[]> {
	const taken = new Set<number>();
	const claimed = groups.map((pages) => {
		const ids = pages.flatMap(({ article_id }) => (article_id !== null && !taken.has(article_id) ? article_id : []));
		const id = ids.length === 0 ? null : Math.min(...ids);
		if (id !== null) taken.add(id);
		return { id, pages };
	});
	const missing = claimed.filter(({ id }) => id === null).length;
	const fresh = await tx<{ id: number }[]>`
		select nextval(pg_get_serial_sequence('articles', 'article_id')) as id from generate_series(1, ${missing})`;
	const ids = fresh.map(({ id }) => id);
	return claimed.map(({ id, pages }) => ({ id: id ?? ids.shift() ?? 0, pages }));
}

function articleOf({ id, pages }: Group): MatchedArticle {
	const [lead, ...copies] = pages;
	if (lead === undefined) throw new Error("an article has at least one page");
	return {
		article_id: id,
		title: lead.title,
		url: lead.url,
		domain: lead.domain,
		published_at: lead.publishedAt,
		source: lead.source,
		source_country: lead.source_country,
		copies: copies.length,
		organizations: [...new Set(pages.flatMap((page) => page.organizations))].sort(),
		body_names: [...new Set(pages.flatMap((page) => page.body_names))].sort(),
	};
}

async function readPages(tx: Transaction, condition: ReturnType<Transaction>): Promise<Page[]> {
	const rows = await tx<Page[]>`
		select canonical_url, article_id, url, title, title_key, domain, iso(published_at) as "publishedAt", source, source_country,
			language, organizations, body_names
		from appearances where ${condition}`;
	return rows.map((row) => ({ ...row }));
}

async function writePages(tx: Transaction, pages: readonly Page[]): Promise<void> {
	const rows = pages.map(({ publishedAt, ...page }) => ({ ...page, published_at: publishedAt }));
	await tx`delete from appearances where canonical_url = any(${pages.map((page) => page.canonical_url)})`;
	await tx`
		insert into appearances select * from jsonb_populate_recordset(null::appearances, ${JSON.stringify(rows)}::text::jsonb)`;
}
