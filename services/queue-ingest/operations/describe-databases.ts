import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function describeDatabases(sql: Sql): Handler<"describeDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeDatabases">>(
			sql,
			sql`
			select json_build_object('databases', (select json_agg(json_build_object(
				'name', name, 'row_count', rows, 'size_mb', (
					select coalesce(round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8, 0) from pg_class c
					where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
						and (name = 'developer') = (c.relname like 'developer%')),
				'last_modified', modified) order by place)
				from (values
					(1, 'master', (select count(*) from projects), (select iso(raised_at) from data_version)),
					(2, 'developer', (select count(*) from listed_developers), (select iso(max(updated_at)) from developers))
				) as t (place, name, rows, modified)))`,
		);
}
