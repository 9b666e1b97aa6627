/** The operations that read news. */
import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type EventType, eventTypes } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { findDeveloper } from "#libs/postgres/find-developer.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { allOf, coverageMeta, nameContains, type Resources } from "../records/storing.ts";

export function listEvents({ sql, now }: Resources): Handler<"listEvents"> {
	return async ({ page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`article_matches m where ${matchCondition(sql, { ...filters, usualDays: 30, now: now() })}`,
				sort: [
					{ column: "published_at", order: "desc" },
					{ column: "article_id", order: "desc" },
					{ column: "developer_id" },
				],
				columns: sql`m.*`,
				rows: sql`select d.canonical_name as developer_canonical, ${newsColumns(sql)}
					from page join articles a using (article_id) join developers d using (developer_id)`,
				meta: newsCoverage(sql, filters),
			},
			{ page, per_page, cursor },
		);
}

export function listDeveloperEvents({ sql, now }: Resources): Handler<"listDeveloperEvents"> {
	return async ({ developer_id, page, per_page, cursor, ...filters }) => {
		const developerId = await resolveDeveloper(sql, developer_id);
		return replyList(
			sql,
			{
				filters: { ...filters, developerId },
				chosen: sql`article_matches m where ${matchCondition(sql, { ...filters, developerId, usualDays: 90, now: now() })}`,
				sort: [
					{ column: "published_at", order: "desc" },
					{ column: "article_id", order: "desc" },
				],
				columns: sql`m.*`,
				rows: sql`select ${newsColumns(sql)} from page join articles a using (article_id)`,
				meta: newsCoverage(sql, filters),
				fields: { developer: sql`select to_json(canonical_name) from developers where developer_id = ${developerId}` },
			},
			{ page, per_page, cursor },
		);
	};
}

/** Day of the newest headline matched to a developer; news of parents counts only with `include_parent`. */
const newsCoverage = (sql: Sql, { include_parent }: Pick<MatchFilters, "include_parent">) =>
	coverageMeta(
		sql,
		"news",
		sql`select left(iso(max(published_at)), 10) from article_matches m where ${subjectCondition(sql, include_parent)}`,
	);

/** Returns the developer's id. @throws AppError 404 */
async function resolveDeveloper(sql: Sql, idOrName: string): Promise<number> {
	const aliases = sql`(select developer_id, a ->> 'alias' as alias from developers, jsonb_array_elements(aliases) a) named`;
	const developerId = await findDeveloper(sql, idOrName, { developers: sql`developers`, aliases });
	if (developerId === undefined) throw notFound(`no developer ${idOrName}`);
	return developerId;
}

/** Counts the rows that `listEvents` returns: an article about two developers is two events. */
export function summariseEvents({ sql, now }: Resources): Handler<"summariseEvents"> {
	return async ({ days, ...filters }) => {
		const condition = matchCondition(sql, { ...filters, usualDays: days, now: now() });
		return oneJsonReply<Reply<"summariseEvents">>(
			sql,
			sql`
			with found as materialized (select developer_id, event_type, published_at from article_matches m where ${condition})
			select json_build_object(
				'total_events', (select count(*) from found),
				'days', ${days}::int,
				'by_type', (select coalesce(json_agg(row_to_json(t)), '[]') from (
					select event_type, count(*) as count, count(distinct developer_id) as developers
					from found group by event_type order by array_position(${[...eventTypes]}::text[], event_type)) t),
				'top_developers', (select coalesce(json_agg(row_to_json(t)), '[]') from (
					select d.canonical_name as developer_canonical, count(*) as events,
						count(*) filter (where f.event_type = 'distress') as distress,
						count(*) filter (where f.event_type = 'financing') as financing,
						count(*) filter (where f.event_type = 'litigation') as litigation,
						iso(max(f.published_at)) as latest_event
					from found f join developers d using (developer_id)
					group by d.developer_id order by events desc, distress desc, latest_event desc, d.developer_id limit 25) t))`,
		);
	};
}

interface MatchFilters {
	developer?: string | undefined;
	developerId?: number | undefined;
	event_type?: EventType | undefined;
	min_confidence?: number | undefined;
	include_parent: boolean;
	days?: number | undefined;
	since?: string | undefined;
	until?: string | undefined;
	/** Days to look back by default. */
	usualDays: number;
	now: Date;
}

/** Condition on `article_matches m`. */
function matchCondition(sql: Sql, filters: MatchFilters): Fragment {
	const { since, until, days, usualDays, now } = filters;
	const parts: Fragment[] = [];
	if (since === undefined && until === undefined) {
		const start = new Date(now.getTime() - (days ?? usualDays) * 86_400_000).toISOString();
		parts.push(sql`m.published_at >= ${start}::timestamptz`);
	}
	if (since !== undefined) parts.push(sql`m.published_at >= ${`${since}T00:00:00Z`}::timestamptz`);
	if (until !== undefined) parts.push(sql`m.published_at < ${`${until}T00:00:00Z`}::timestamptz + interval '1 day'`);
	parts.push(subjectCondition(sql, filters.include_parent));
	if (filters.developerId !== undefined) parts.push(sql`m.developer_id = ${filters.developerId}`);
	if (filters.event_type !== undefined) parts.push(sql`m.event_type = ${filters.event_type}`);
	if (filters.min_confidence !== undefined) parts.push(sql`m.confidence >= ${filters.min_confidence}`);
	if (filters.developer !== undefined) parts.push(nameContains(sql, sql`m.developer_id`, filters.developer));
	return allOf(sql, parts);
}

const subjectCondition = (sql: Sql, includesParent: boolean): Fragment =>
	includesParent ? sql`true` : sql`m.subject = 'us_business'`;

/** Columns of an event. `page` contains rows of `article_matches`. */
const newsColumns = (sql: Sql): Fragment => sql`
	page.event_type, a.title, a.url, a.domain, iso(page.published_at) as published_at, a.source, page.matched_on, page.matched_text,
	page.confidence as match_confidence, page.subject, a.source_country, a.copies`;
