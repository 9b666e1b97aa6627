import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function describeScoringDatabases(sql: Sql): Handler<"describeScoringDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeScoringDatabases">>(
			sql,
			sql`
			select json_build_object('databases', json_build_array(json_build_object(
				'name', 'scoring',
				'row_count', (select count(*) from scores where score_version = (select active_version from settings))
					+ (select count(*) from developer_ratings),
				'size_mb', (select round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8
					from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'),
				'last_modified', (select iso(raised_at) from data_version))))`,
		);
}
