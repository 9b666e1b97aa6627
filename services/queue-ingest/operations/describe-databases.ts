import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function describeDatabases(sql: Sql): Handler<"describeDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeDatabases">>(
			sql,
			sql`
			select json_build_object('databases', json_build_array(json_build_object(
				'name', 'master',
				'row_count', (select count(*) from projects),
				'size_mb', (select round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8 from pg_class c
					where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'),
				'last_modified', (select iso(raised_at) from data_version))))`,
		);
}
