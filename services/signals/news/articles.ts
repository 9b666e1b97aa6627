/** Writes the tables `articles` and `article_matches`, and publishes the articles whose events changed. */
import { isDeepStrictEqual } from "node:util";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import type { EventType } from "#libs/contract/vocabulary.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { excluded } from "#libs/postgres/events/copies.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import type { ArticleMatch, Matchers } from "../companies/matchers.ts";
import { classify } from "../headlines/classify.ts";
import { seeksCapital } from "../headlines/flags.ts";
import { batchSize } from "../records/storing.ts";

/** An article, merged from its appearances. */
export interface MatchedArticle {
	article_id: number;
	title: string;
	url: string;
	domain: string;
	published_at: string;
	source: string;
	source_country: string | null;
	copies: number;
	organizations: string[];
	body_names: string[];
}

interface Row extends Omit<MatchedArticle, "organizations" | "body_names"> {
	event_type: EventType;
	seeks_capital: boolean;
	matches: ArticleMatch[];
	version: number;
}

/**
 * Classifies and matches articles, and writes those that changed. Retracts and deletes the articles `replacedIds`, whose pages now belong
 * to other articles.
 */
export async function writeArticles(
	tx: Transaction,
	matchers: Matchers,
	articles: readonly MatchedArticle[],
	replacedIds: readonly number[],
): Promise<void> {
	const stored = await readArticles(tx, [...articles.map(({ article_id }) => article_id), ...replacedIds]);
	const rows: Row[] = [];
	const differingIds: number[] = [];
	for (const article of articles) {
		const storedRow = stored.get(article.article_id);
		const row = classifyAndMatch(article, matchers, storedRow?.version ?? 0);
		if (storedRow !== undefined && isDeepStrictEqual(row, storedRow)) continue;
		const hasChanged =
			storedRow === undefined || !isDeepStrictEqual(publishedContent(storedRow), publishedContent(row));
		rows.push({ ...row, version: row.version + (hasChanged ? 1 : 0) });
		if (hasChanged && (row.matches.length > 0 || (storedRow?.matches.length ?? 0) > 0))
			differingIds.push(row.article_id);
	}
	if (rows.length > 0) await upsert(tx, rows);
	const retracted = selectArticleEvents(tx, tx`article_id = any(${[...replacedIds]}) and matches <> '[]'`);
	await publishCurrent(tx, newsRecorded, retracted, { versionOffset: 1, overrides: { developers: [] } });
	if (replacedIds.length > 0) await tx`delete from articles where article_id = any(${[...replacedIds]})`;
	if (rows.length > 0) await writeMatches(tx, rows);
	await publishCurrent(tx, newsRecorded, selectArticleEvents(tx, tx`article_id = any(${differingIds})`), {});
	if (rows.length + replacedIds.length > 0) await raiseDataVersion(tx);
}

function classifyAndMatch(article: MatchedArticle, matchers: Matchers, version: number): Row {
	const { organizations, body_names, ...row } = article;
	return {
		...row,
		event_type: classify(article.title),
		seeks_capital: seeksCapital(article.title),
		matches: matchers.matchArticle({ ...row, organizations, bodyNames: body_names }),
		version,
	};
}

async function readArticles(tx: Transaction, ids: number[]): Promise<Map<number, Row>> {
	const rows = await tx<Row[]>`
		select article_id, title, url, domain, iso(published_at) as published_at, source, source_country, event_type, seeks_capital,
			copies, matches, version
		from articles where article_id = any(${ids})`;
	return new Map(rows.map((row) => [row.article_id, { ...row }]));
}

const columns =
	"title, url, domain, published_at, source, source_country, event_type, seeks_capital, copies, matches, version";

async function upsert(tx: Transaction, rows: readonly Row[]): Promise<void> {
	await tx.unsafe(
		`insert into articles (article_id, ${columns})
		select article_id, ${columns} from jsonb_populate_recordset(null::articles, $1::text::jsonb)
		on conflict (article_id) do update set (${columns}) = (${excluded(columns)})`,
		[JSON.stringify(rows)],
	);
}

async function writeMatches(tx: Transaction, rows: readonly Row[]): Promise<void> {
	await tx`delete from article_matches where article_id = any(${rows.map(({ article_id }) => article_id)})`;
	const matches = rows.flatMap(({ article_id, published_at, event_type, matches }) =>
		matches.map(({ match_confidence, ...match }) => ({
			...match,
			confidence: match_confidence,
			article_id,
			published_at,
			event_type,
		})),
	);
	await tx`
		insert into article_matches
		select * from jsonb_populate_recordset(null::article_matches, ${JSON.stringify(matches)}::text::jsonb)`;
}

/** Rematches the next batch of articles, by id after `afterKey`. Returns the last key, or null after the last batch. */
export async function rematchArticles(tx: Transaction, matchers: Matchers, afterKey: string): Promise<string | null> {
	const articles = await tx<MatchedArticle[]>`
		select a.article_id, a.title, a.url, a.domain, iso(a.published_at) as published_at, a.source, a.source_country, a.copies,
			array(select distinct o from appearances p, unnest(p.organizations) o where p.article_id = a.article_id order by o)
				as organizations,
			array(select distinct n from appearances p, unnest(p.body_names) n where p.article_id = a.article_id order by n) as body_names
		from articles a where a.article_id > ${afterKey === "" ? 0 : Number(afterKey)} order by a.article_id limit ${batchSize}`;
	if (articles.length > 0) await writeArticles(tx, matchers, articles, []);
	return articles.length < batchSize ? null : String(articles.at(-1)?.article_id);
}

const publishedContent = ({ title, url, domain, published_at, event_type, seeks_capital, matches }: Row) => ({
	title,
	url,
	domain,
	published_at,
	event_type,
	seeks_capital,
	developers: matches.map(({ matched_text: _, ...developer }) => developer),
});

/** Query for `publishCurrent`: the events of the rows that satisfy the condition. */
export const selectArticleEvents = (tx: Transaction, condition: Fragment): Fragment => tx`
	select article_id as key, version, jsonb_build_object('article_id', article_id, 'title', title, 'url', url, 'domain', domain,
		'published_at', iso(published_at), 'event_type', event_type, 'seeks_capital', seeks_capital, 'developers',
		(select coalesce(jsonb_agg(m - 'matched_text' order by place), '[]')
			from jsonb_array_elements(matches) with ordinality as e (m, place))) as body
	from articles where ${condition}`;
