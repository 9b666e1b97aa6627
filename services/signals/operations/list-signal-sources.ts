import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { pipelines } from "../domain/pipelines.ts";

/** `unchecked_records` of form-d: filings that an index names and whose content is not here. */
export function listSignalSources(sql: Sql): Handler<"listSignalSources"> {
	const names = pipelines.map(({ name }) => name);
	const databases = pipelines.map(({ database }) => database);
	return async () =>
		oneJsonReply<Reply<"listSignalSources">>(
			sql,
			sql`
			select json_build_object('sources', json_agg(json_build_object(
				'database', s.database, 'source', s.pipeline, 'records', r.records, 'last_checked', iso(r.last_checked_at),
				'last_changed', iso(r.last_changed_at), 'unchecked_records', r.unchecked_records) order by s.place))
			from unnest(${names}::text[], ${databases}::text[]) with ordinality as s (pipeline, database, place)
			join source_records r using (pipeline)`,
		);
}
