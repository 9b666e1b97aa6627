import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelineNames } from "../domain/pipelines.ts";

export function listScoringSources(sql: Sql): Handler<"listScoringSources"> {
	return async () =>
		oneJsonReply<Reply<"listScoringSources">>(
			sql,
			sql`
			select json_build_object('sources', json_agg(json_build_object(
				'database', 'scoring', 'source', s.source,
				'records', r.records, 'last_checked', iso(r.last_checked_at), 'last_changed', iso(r.last_changed_at), 'unchecked_records', 0) order by s.place))
			from unnest(${[...pipelineNames]}::text[]) with ordinality as s (source, place) join source_records r using (source)`,
		);
}
