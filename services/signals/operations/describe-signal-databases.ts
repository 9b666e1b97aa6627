import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

/** `capital` holds exempt offerings, `signals` everything else of this service. */
export function describeSignalDatabases(sql: Sql): Handler<"describeSignalDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeSignalDatabases">>(
			sql,
			sql`
			with sizes as (
				select c.relname in ('raises', 'indexed_filings') as capital,
					round(sum(pg_total_relation_size(c.oid))::numeric / 1048576, 2)::float8 as mb
				from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by 1)
			select json_build_object('databases', json_build_array(
				json_build_object('name', 'signals',
					'row_count', (select count(*) from articles) + (select count(*) from filings)
						+ (select count(*) from ma_events where not retracted),
					'size_mb', (select mb from sizes where not capital),
					'last_modified', (select iso(raised_at) from data_version)),
				json_build_object('name', 'capital',
					'row_count', (select count(*) from raises),
					'size_mb', (select mb from sizes where capital),
					'last_modified', (select iso(last_changed_at) from pipelines where pipeline = 'form-d'))))`,
		);
}
