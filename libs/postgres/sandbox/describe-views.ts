/** What there is to ask for: the views of a service's databases, as their comments describe them. */

import { type Database, databaseDescriptions } from "#libs/contract/databases.ts";
import type { Reply, Versioned } from "#libs/contract/index.ts";
import type { Sql } from "../connect.ts";
import { oneJsonReply } from "../reply.ts";
import { readerOf } from "./sandbox.ts";

/** Up to so many rows by the planner's estimate, at such a cost, a view is counted. */
const countedRows = 100_000;
const countedCost = 20_000;

/** Asked on the owner's connection, whose version the answer carries: a reader sees no version. */
export async function describeViews(
	sql: Sql,
	databases: readonly Database[],
): Promise<Versioned<Reply<"describeQueueViews">>> {
	const schemas = databases.map(readerOf);
	const views = await sql<{ schema: string; name: string }[]>`
		select relnamespace::regnamespace::text as schema, relname::text as name from pg_class
		where relnamespace::regnamespace::text = any(${schemas}) and relkind in ('v', 'm')`;
	const counts: { schema: string; name: string; rows: number }[] = [];
	for (const view of views) counts.push({ ...view, rows: await countRows(sql, view) });
	return oneJsonReply<Reply<"describeQueueViews">>(
		sql,
		sql`
		select json_build_object('databases', coalesce(json_agg(json_build_object(
			'name', substr(s.schema, ${"query_".length + 1}::int),
			'description', s.description,
			'views', (select coalesce(json_agg(json_build_object(
				'name', c.relname,
				'description', coalesce(obj_description(c.oid, 'pg_class'), ''),
				'rows', v.rows,
				'columns', ${columnsJson(sql)}) order by c.relname), '[]')
				from jsonb_to_recordset(${sql.json(counts)}) as v (schema text, name text, rows bigint)
				join pg_class c on c.relname = v.name and c.relnamespace = to_regnamespace(v.schema)
				where v.schema = s.schema)) order by s.place), '[]'))
		from unnest(${schemas}::text[], ${databases.map((name) => databaseDescriptions[name])}::text[])
			with ordinality as s (schema, description, place)`,
	);
}

/** A comment ends with the unit, in brackets, where the column is a quantity: "Power at the grid [MW]". */
const columnsJson = (sql: Sql) => sql`(
	select coalesce(json_agg(json_build_object(
		'name', a.attname,
		'type', format_type(a.atttypid, a.atttypmod),
		'description', coalesce(trim(regexp_replace(col_description(c.oid, a.attnum), ${unitPattern}, '')), ''),
		'unit', (regexp_match(col_description(c.oid, a.attnum), ${unitPattern}))[1]) order by a.attnum), '[]')
	from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

const unitPattern = "\\s*\\[([^\\[\\]]+)\\]\\.?\\s*$";

/** The planner's estimate; the exact number where that is cheap. */
async function countRows(sql: Sql, { schema, name }: { schema: string; name: string }): Promise<number> {
	const [explained] = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number; "Total Cost": number } }] }[]>`
		explain (format json) select from ${sql(schema)}.${sql(name)}`;
	const plan = explained?.["QUERY PLAN"][0].Plan;
	const estimate = plan?.["Plan Rows"] ?? 0;
	if (plan === undefined || estimate > countedRows || plan["Total Cost"] > countedCost) return estimate;
	const [counted] = await sql<{ rows: number }[]>`select count(*) as rows from ${sql(schema)}.${sql(name)}`;
	return counted?.rows ?? 0;
}
