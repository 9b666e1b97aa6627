/**
 * Stores news. A page from several sources is one appearance, and a headline in several outlets is one article, in whatever order they
 * arrive. An article that names developers is published.
 */
import { isDeepStrictEqual } from "node:util";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { loadMatchers, type Matchers } from "../companies/matchers.ts";
import type { Article, Stored } from "../records/records.ts";
import { storeInBatches } from "../records/storing.ts";
import { type MatchedArticle, writeArticles } from "./articles.ts";
import { groupCopies, mergePage, mergePages, type PageFacts } from "./syndication.ts";

interface Page extends PageFacts {
	article_id: number | null;
}

export const storeArticles = (sql: Sql, articles: readonly Article[]): Promise<Stored> =>
	storeInBatches(sql, articles, async (tx, batch) => {
		const matchers = await loadMatchers(sql, tx);
		const changes = await findPageChanges(tx, mergePages(batch, matchers.namesInSnippet));
		if (changes.length > 0) await regroupPages(tx, matchers, changes);
		return changes.length;
	});

interface PageChange {
	before: Page | undefined;
	after: Page;
}

/** Returns the pages that are new or have more facts than before. */
async function findPageChanges(tx: Transaction, pages: readonly PageFacts[]): Promise<PageChange[]> {
	const stored = await readPages(tx, tx`canonical_url = any(${pages.map((page) => page.canonical_url)})`);
	const changes: PageChange[] = [];
	for (const page of pages) {
		const before = stored.get(page.canonical_url);
		const after = before === undefined ? { ...page, article_id: null } : { ...before, ...mergePage(before, page) };
		if (before === undefined || !isDeepStrictEqual(after, before)) changes.push({ before, after });
	}
	return changes;
}

/** Groups the copies of the changed pages' headlines again, and updates their articles. */
async function regroupPages(tx: Transaction, matchers: Matchers, changes: readonly PageChange[]): Promise<void> {
	const keys = changes.flatMap(({ before, after }) => [after.title_key, before?.title_key ?? after.title_key]);
	const pages = await readPages(tx, tx`title_key = any(${[...new Set(keys)]})`);
	const formerIds = new Set([...pages.values()].flatMap(({ article_id }) => article_id ?? []));
	for (const { after } of changes) pages.set(after.canonical_url, after);
	const stored = await assignIds(tx, groupCopies([...pages.values()]));
	const changedPages = new Set(changes.map(({ after }) => after));
	const pagesToWrite = stored.flatMap(({ id, pages }) =>
		pages
			.filter((page) => changedPages.has(page) || page.article_id !== id)
			.map((page) => ({ ...page, article_id: id })),
	);
	const keptIds = new Set(stored.map(({ id }) => id));
	const emptiedIds = [...formerIds].filter((id) => !keptIds.has(id));
	await writePages(tx, pagesToWrite);
	await writeArticles(tx, matchers, stored.map(articleOf), emptiedIds);
}

interface Group {
	id: number;
	pages: [Page, ...Page[]];
}

/** Assigns each article the lowest id of its pages that no earlier article has taken, otherwise a new id. */
async function assignIds(tx: Transaction, groups: readonly [Page, ...Page[]][]): Promise<Group[]> {
	const takenIds = new Set<number>();
	const groupsWithIds = groups.map((pages) => {
		const ids = pages.flatMap(({ article_id }) => (article_id !== null && !takenIds.has(article_id) ? article_id : []));
		const id = ids.length === 0 ? null : Math.min(...ids);
		if (id !== null) takenIds.add(id);
		return { id, pages };
	});
	const missing = groupsWithIds.filter(({ id }) => id === null).length;
	const newRows = await tx<{ id: number }[]>`
		select nextval(pg_get_serial_sequence('articles', 'article_id')) as id from generate_series(1, ${missing})`;
	const ids = newRows.map(({ id }) => id);
	return groupsWithIds.map(({ id, pages }) => ({ id: id ?? ids.shift() ?? 0, pages }));
}

function articleOf({ id, pages }: Group): MatchedArticle {
	const [lead, ...copies] = pages;
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

/** Returns the pages by canonical URL. */
async function readPages(tx: Transaction, condition: Fragment): Promise<Map<string, Page>> {
	const rows = await tx<Page[]>`
		select canonical_url, article_id, url, title, title_key, domain, iso(published_at) as "publishedAt", source, source_country,
			organizations, body_names
		from appearances where ${condition}`;
	return new Map(rows.map((row) => [row.canonical_url, { ...row }]));
}

/** The articles of the pages may not be written yet: the reference is checked at the end of the transaction. */
async function writePages(tx: Transaction, pages: readonly Page[]): Promise<void> {
	const rows = pages.map(({ publishedAt, ...page }) => ({ ...page, published_at: publishedAt }));
	await tx`delete from appearances where canonical_url = any(${pages.map((page) => page.canonical_url)})`;
	await tx`
		insert into appearances select * from jsonb_populate_recordset(null::appearances, ${JSON.stringify(rows)}::text::jsonb)`;
}
