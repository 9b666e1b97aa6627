import type { Handler, Reply } from "#libs/contract/index.ts";
import { eventTypes } from "#libs/contract/vocabulary.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";
import { matchCondition } from "./filters.ts";

/** An event is an article and a developer that it names: an article about two counts as two, as it is two rows of the list. */
export function summariseEvents({ sql, now }: Resources): Handler<"summariseEvents"> {
	return async ({ days, ...filters }) => {
		const condition = matchCondition(sql, { ...filters, days, now: now() });
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
