import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

/** As many as the summary of news shows (specification 8). */
const acquirers = 25;

export function summariseMaEvents(sql: Sql): Handler<"summariseMaEvents"> {
	return async () =>
		oneJsonReply<Reply<"summariseMaEvents">>(
			sql,
			sql`
			with standing as (select * from ma_events where not retracted),
			-- An asset is a plant, however many of its generators were sold, or a queue project, however often.
			top as (
				select buyer_canonical as developer, count(distinct coalesce('plant ' || plant_id, project_id)) as acquisitions
				from standing where buyer_canonical is not null and confidence <> 'low'
				group by buyer_canonical order by acquisitions desc, developer limit ${acquirers})
			select json_build_object(
				'total', (select count(*) from standing),
				'by_type', coalesce((select json_object_agg(event_type, n order by event_type)
					from (select event_type, count(*) as n from standing group by event_type) t), '{}'),
				'by_confidence', coalesce((select json_object_agg(confidence, n order by confidence)
					from (select confidence, count(*) as n from standing group by confidence) t), '{}'),
				'top_acquirers', coalesce((select json_agg(row_to_json(top)) from top), '[]'))`,
		);
}
