/** The tables `articles` and `article_matches`: brought to what is now known, and published where subscribers would see a difference. */
import { isDeepStrictEqual } from "node:util";
import { newsRecorded } from "#libs/contract/events/signals.ts";
import type { EventType } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishAll } from "#libs/postgres/outbox.ts";
import type { ArticleMatch, Matchers } from "./matchers.ts";
import { batchSize } from "./storing.ts";

/** An article as its appearances make it. */
export interface MatchedArticle {
	article_id: number;
	title: string;
	url: string;
	domain: string;
	/** ISO moment in UTC, to the second. */
	published_at: string;
	source: string;
	source_country: string | null;
	copies: number;
	organizations: string[];
	body_names: string[];
}

/** A row of `articles`. */
interface Row extends Omit<MatchedArticle, "organizations" | "body_names"> {
	event_type: EventType;
	seeks_capital: boolean;
	matches: ArticleMatch[];
	version: number;
}

/**
 * Classifies and matches the articles and writes those that differ from what is stored; takes back those of `gone`, whose appearances
 * others have. `between` runs when the articles are there and before any is deleted.
 */
export async function writeArticles(
	tx: Transaction,
	matchers: Matchers,
	articles: readonly MatchedArticle[],
	gone: readonly number[],
	between: () => Promise<void> = async () => {},
): Promise<void> {
	const stored = await readArticles(tx, [...articles.map(({ article_id }) => article_id), ...gone]);
	const rows: Row[] = [];
	const changed: Row[] = [];
	for (const article of articles) {
		const before = stored.get(article.article_id);
		const row = describe(article, matchers, before?.version ?? 0);
		if (before !== undefined && isDeepStrictEqual(row, before)) continue;
		const differs = before === undefined || !isDeepStrictEqual(content(before), content(row));
		const next = { ...row, version: row.version + (differs ? 1 : 0) };
		rows.push(next);
		if (differs && (row.matches.length > 0 || (before?.matches.length ?? 0) > 0)) changed.push(next);
	}
	for (const id of gone) {
		const before = stored.get(id);
		if (before !== undefined && before.matches.length > 0)
			changed.push({ ...before, matches: [], version: before.version + 1 });
	}
	if (rows.length > 0) await upsert(tx, rows);
	await between();
	if (gone.length > 0) await tx`delete from articles where article_id = any(${[...gone]})`;
	if (rows.length > 0) await writeMatches(tx, rows);
	const occurredAt = new Date().toISOString();
	await publishAll(
		tx,
		newsRecorded,
		changed.map((row) => payloadOf(row, occurredAt)),
	);
	if (rows.length + gone.length > 0) await raiseDataVersion(tx);
}

function describe(article: MatchedArticle, matchers: Matchers, version: number): Row {
	const { organizations, body_names, ...row } = article;
	return {
		...row,
		event_type: matchers.classify(article.title),
		seeks_capital: matchers.seeksCapital(article.title),
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

async function upsert(tx: Transaction, rows: readonly Row[]): Promise<void> {
	await tx`
		insert into articles as t (article_id, title, url, domain, published_at, source, source_country, event_type, seeks_capital, copies,
			matches, version)
		select article_id, title, url, domain, published_at, source, source_country, event_type, seeks_capital, copies, matches, version
		from jsonb_populate_recordset(null::articles, ${JSON.stringify(rows)}::text::jsonb)
		on conflict (article_id) do update set (title, url, domain, published_at, source, source_country, event_type, seeks_capital,
				copies, matches, version)
			= (excluded.title, excluded.url, excluded.domain, excluded.published_at, excluded.source, excluded.source_country,
				excluded.event_type, excluded.seeks_capital, excluded.copies, excluded.matches, excluded.version)`;
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

/** Matches stored articles again, those after `afterKey` in the order of their numbers; answers the last key, null at the end. */
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

const content = ({ title, url, domain, published_at, event_type, seeks_capital, matches }: Row) => ({
	title,
	url,
	domain,
	published_at,
	event_type,
	seeks_capital,
	developers: matches.map(({ matched_text: _, ...developer }) => developer),
});

const payloadOf = (row: Row, occurredAt: string) => ({
	id: `${newsRecorded.name}:${row.article_id}:${row.version}`,
	occurred_at: occurredAt,
	version: row.version,
	article_id: row.article_id,
	...content(row),
});
