/** What this service's databases hold. Sizes go by the names of tables: `dg_`, `datacenter`, `market_` and so on. */
import type { Handler, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";

export function describeDatabases(sql: Sql): Handler<"describeDatabases"> {
	return async () =>
		oneJsonReply<Reply<"describeDatabases">>(
			sql,
			sql`
			with sizes as materialized (${sizes(sql)})
			select json_build_object('databases', (select json_agg(json_build_object(
				'name', name, 'row_count', rows,
				'size_mb', coalesce((select round(bytes / 1048576, 2)::float8 from sizes where database = name), 0),
				'last_modified', iso(modified)) order by place)
				from (values
					(1, 'master', (select coalesce(sum(projects), 0) from project_counts), (select raised_at from data_version)),
					(2, 'developer', (select count(*) from listed_developers), (select max(updated_at) from developers)),
					(3, 'grid', (select coalesce(sum(stored), 0) from eia_schedules)
							+ (select coalesce(sum(stored), 0) from dataset_editions where database = 'grid'),
						greatest((select max(loaded_at) from eia_schedules),
							(select max(applied_at) from dataset_editions where database = 'grid'))),
					${stored(sql, 4, "dg", sql`(select coalesce(sum(projects), 0) from project_counts where kind = 'distribution')`)},
					${stored(sql, 5, "datacenter")}, ${stored(sql, 6, "market")}
				) as t (place, name, rows, modified)))`,
		);
}

/** Of a related dataset: the rows of all its editions; of `dg` also the installations that are kept like requests. */
const stored = (sql: Sql, place: number, name: string, more = sql`0`): Fragment => sql`
	(${place}::int, ${name}::text, (select coalesce(sum(stored), 0) from dataset_editions where database = ${name}) + ${more},
		(select max(applied_at) from dataset_editions where database = ${name}))`;

/** What no other database has is master's. */
const sizes = (sql: Sql): Fragment => sql`
	select case
			when relname like 'developer%' or relname in ('company_evidence', 'register_edition') then 'developer'
			when relname in ('plants', 'generators', 'plant_owners', 'utilities', 'eia_schedules', 'generator_ownership', 'project_plants', 'grid_units',
					'linked_editions')
				then 'grid'
			when relname like 'dg\\_%' then 'dg'
			when relname like 'datacenter%' then 'datacenter'
			when relname like 'market\\_%' then 'market'
			else 'master' end as database,
		sum(pg_total_relation_size(oid)) as bytes
	from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' group by 1`;
