import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../sources/index.ts";

export function listSources(sql: Sql): Handler<"listSources"> {
	const names = pipelines.map((pipeline) => pipeline.feed);
	return async () =>
		oneJsonReply<Reply<"listSources">>(
			sql,
			sql`
			select json_build_object('sources', json_agg(json_build_object(
				'database', 'master', 'source', s.feed,
				'records', case s.feed when 'lbnl' then (select count(*) from lbnl_requests)
					when 'eia860' then (select coalesce(sum(stored), 0) from eia_schedules) else coalesce(p.records, 0) end,
				'last_checked', iso(f.last_checked_at), 'last_changed', iso(f.last_changed_at),
				'unchecked_records', coalesce(p.missing, 0)) order by s.place))
			from unnest(${names}::text[]) with ordinality as s (feed, place)
			left join feeds f using (feed)
			left join (select feed, count(*) as records, count(missing_since) as missing from projects group by feed) p using (feed)`,
		);
}
