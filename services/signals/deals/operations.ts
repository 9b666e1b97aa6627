import { containing } from "#libs/contract/filters/meanings.ts";
import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import { confidences, maEventTypes } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { allOf } from "../records/storing.ts";

export function listMaEvents(sql: Sql): Handler<"listMaEvents"> {
	return async ({ page, per_page, cursor, ...filters }) =>
		replyList(
			sql,
			{
				filters,
				chosen: sql`ma_events where ${maCondition(sql, filters)}`,
				sort: [
					{ column: "effective_on", order: "desc" },
					{ column: "id", order: "desc" },
				],
				rows: sql`select event_type, asset_class, m.effective_on as effective_date, plant_id as plant_id_eia, generator_id, queue_id, region,
						asset_name, capacity_mw, technology, state, seller, seller_canonical, buyer, buyer_canonical, fraction_owned,
						source, confidence, reason
					from page join ma_events m using (id)`,
				...(filters.since !== undefined && {
					meta: { coverage: maCoverage(sql, filters) },
				}),
			},
			{ page, per_page, cursor },
		);
}

/** Day of the newest event of each kind. Ownership is reported once a year, and changes in a queue with each list. */
const maCoverage = (sql: Sql, { event_type }: Pick<Filters, "event_type">): Fragment => sql`
	select json_object_agg(kind, (select max(effective_on) from ma_events where event_type = kind and not retracted))
	from unnest(${event_type === undefined ? [...maEventTypes] : [event_type]}::text[]) kind`;

type Filters = Omit<Params<"listMaEvents">, "page" | "per_page" | "cursor">;

function maCondition(sql: Sql, filters: Filters): Fragment {
	const parts: Fragment[] = [sql`not retracted`];
	if (filters.event_type !== undefined) parts.push(sql`event_type = ${filters.event_type}`);
	if (filters.developer !== undefined)
		parts.push(sql`lower(${filters.developer}) in (lower(seller_canonical), lower(buyer_canonical))`);
	if (filters.region !== undefined) parts.push(sql`region = ${filters.region}`);
	if (filters.technology !== undefined) parts.push(sql`technology ilike ${containing(filters.technology)}`);
	if (filters.min_confidence !== undefined) {
		// `confidences` begins with the highest.
		const accepted = confidences.slice(0, confidences.indexOf(filters.min_confidence) + 1);
		parts.push(sql`confidence = any(${accepted}::text[])`);
	}
	if (filters.matched_only) parts.push(sql`coalesce(seller_canonical, buyer_canonical) is not null`);
	if (filters.since !== undefined) parts.push(sql`effective_on >= ${filters.since}::text::date`);
	return allOf(sql, parts);
}

export function listMaReviews(sql: Sql): Handler<"listMaReviews"> {
	return async (request) =>
		replyList(
			sql,
			{
				filters: {},
				chosen: sql`ma_reviews where true`,
				sort: [{ column: "id", order: "desc" }],
				rows: sql`select region, iso(as_of) as as_of, kind, old_developer, new_developer, projects, reason
					from page join ma_reviews using (id)`,
			},
			request,
		);
}

const maxAcquirers = 25;

export function summariseMaEvents(sql: Sql): Handler<"summariseMaEvents"> {
	return async () =>
		oneJsonReply<Reply<"summariseMaEvents">>(
			sql,
			sql`
			with standing as (select * from ma_events where not retracted),
			-- A plant counts once, even if several of its generators were bought; a queue project counts once, even if it was bought repeatedly.
			top as (
				select buyer_canonical as developer, count(distinct coalesce('plant ' || plant_id, project_id)) as acquisitions
				from standing where buyer_canonical is not null and confidence <> 'low'
				group by buyer_canonical order by acquisitions desc, developer limit ${maxAcquirers})
			select json_build_object(
				'total', (select count(*) from standing),
				'by_type', coalesce((select json_object_agg(event_type, n order by event_type)
					from (select event_type, count(*) as n from standing group by event_type) t), '{}'),
				'by_confidence', coalesce((select json_object_agg(confidence, n order by confidence)
					from (select confidence, count(*) as n from standing group by confidence) t), '{}'),
				'top_acquirers', coalesce((select json_agg(row_to_json(top)) from top), '[]'))`,
		);
}
