/** What several operations choose rows by. */
import type { EventType } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { containing } from "#libs/postgres/containing.ts";

/** All of the conditions; none is everything. */
export function allOf(sql: Sql, parts: readonly Fragment[]): Fragment {
	return parts.reduce((all, part) => sql`${all} and ${part}`, sql`true`);
}

export interface MatchFilters {
	developer?: string | undefined;
	developerId?: number | undefined;
	event_type?: EventType | undefined;
	min_confidence?: number | undefined;
	include_parent: boolean;
	days: number;
	now: Date;
}

/** The condition on `article_matches m` (of an article and one developer that it names). */
export function matchCondition(sql: Sql, filters: MatchFilters): Fragment {
	const since = new Date(filters.now.getTime() - filters.days * 86_400_000).toISOString();
	const parts = [sql`m.published_at >= ${since}::timestamptz`];
	if (!filters.include_parent) parts.push(sql`m.subject = 'us_business'`);
	if (filters.developerId !== undefined) parts.push(sql`m.developer_id = ${filters.developerId}`);
	if (filters.event_type !== undefined) parts.push(sql`m.event_type = ${filters.event_type}`);
	if (filters.min_confidence !== undefined) parts.push(sql`m.confidence >= ${filters.min_confidence}`);
	if (filters.developer !== undefined) parts.push(namedLike(sql, sql`m.developer_id`, filters.developer));
	return allOf(sql, parts);
}

/** Is the developer with this id one whose canonical name holds the text? */
export const namedLike = (sql: Sql, id: Fragment, text: string): Fragment => sql`
	${id} = any(array(select developer_id from developers where canonical_name ilike ${containing(text)}))`;

/** Columns of a news event, of `page` (of `article_matches`) and `articles a`. */
export const newsColumns = (sql: Sql): Fragment => sql`
	page.event_type, a.title, a.url, a.domain, iso(page.published_at) as published_at, a.source, page.matched_on, page.matched_text,
	page.confidence as match_confidence, page.subject, a.source_country, a.copies`;
