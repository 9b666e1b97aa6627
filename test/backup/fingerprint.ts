/** The content of a database, one line a table: two can be compared, and a difference is named. */
import type { Sql } from "#libs/postgres/connect.ts";

/** A digest of the rows of every table of these schemas, by "schema.table". Columns that are called like one of `apart` do not count. */
export async function fingerprint(
	sql: Sql,
	schemas: readonly string[],
	apart: readonly string[] = [],
): Promise<Record<string, string>> {
	const tables = await sql<{ name: string }[]>`
		select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any(${[...schemas]}::text[]) order by 1`;
	const lines: Record<string, string> = {};
	const row = `(to_jsonb(t) - '{${apart.join()}}'::text[])::text`;
	for (const { name } of tables) {
		const [found] = await sql.unsafe<{ digest: string }[]>(
			`select count(*) || ' ' || coalesce(md5(string_agg(md5(${row}), '' order by md5(${row}))), '') as digest from ${name} t`,
		);
		lines[name] = found?.digest ?? "";
	}
	return lines;
}

/** Everything of the services that is no row: views, functions, who may do what, and the roles that they log in as. */
export async function rights(sql: Sql): Promise<string[]> {
	const rows = await sql<{ line: string }[]>`
		with own as (select * from pg_namespace where nspname ~ '^(queue_ingest|signals|scoring|billing)$')
		select line from (
			select concat_ws(' ', 'schema', nspname, nspowner::regrole, nspacl::text) as line from own
			union all
			select concat_ws(' ', c.relkind, nspname, relname, relowner::regrole, relacl::text,
				case when relkind = 'v' then md5(pg_get_viewdef(c.oid)) end)
			from pg_class c join own on own.oid = relnamespace
			union all
			select concat_ws(' ', 'function', nspname, proname, proacl::text, md5(prosrc)) from pg_proc join own on own.oid = pronamespace
			union all
			select concat_ws(' ', 'role', rolname, rolcanlogin, rolconnlimit, rolconfig) from pg_roles where rolname !~ '^pg_'
		) lines order by 1`;
	return rows.map(({ line }) => line);
}

/** The lines that are another, or on one side alone. */
export function differences(one: Record<string, string>, other: Record<string, string>): string[] {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	return [...names].filter((name) => one[name] !== other[name]).map((name) => `${name}: ${one[name]} | ${other[name]}`);
}
