/** Owners and rights in a database, from its catalogs; of the database itself, the rights of others than its owner. */
import type { Sql } from "#libs/postgres/connect.ts";

export type Rights = Record<string, readonly unknown[]>;

export async function readRights(sql: Sql, roles: string[]): Promise<Rights> {
	return {
		roles: await sql`
			select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit,
				(select array_agg(one order by one) from unnest(rolconfig) one) as settings
			from pg_roles where rolname = any(${roles}) order by 1`,
		groups: await sql`
			select roleid::regrole::text as is, member::regrole::text as member from pg_auth_members
			where member::regrole::text = any(${roles}) order by 1, 2`,
		schemas: await sql`
			select nspname, nspowner::regrole::text as owner, nspacl::text[] as acl from pg_namespace
			where nspname !~ '^pg_(toast|temp)' order by 1`,
		relations: await sql`
			select n.nspname, relname, relkind, relowner::regrole::text as owner, relacl::text[] as acl,
				(select array_agg(attname || attacl::text order by attnum) from pg_attribute a where a.attrelid = c.oid and attacl is not null) as columns
			from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname !~ '^pg_toast' order by 1, 2`,
		functions: await sql`
			select p.oid::regprocedure::text as name, proowner::regrole::text as owner, prosecdef, proacl::text[] as acl from pg_proc p order by 1`,
		database: await sql`
			select grantee::regrole::text, privilege_type from pg_database, aclexplode(datacl)
			where datname = current_database() and grantee <> datdba order by 1, 2`,
		defaults: await sql`select * from pg_default_acl`,
	};
}

/** Rights that only one of the two has, as lines. */
export function differences(one: Rights, other: Rights): string[] {
	const lines = (rights: Rights) =>
		new Set(Object.entries(rights).flatMap(([kind, rows]) => rows.map((row) => `${kind} ${JSON.stringify(row)}`)));
	const [left, right] = [lines(one), lines(other)];
	return [...[...left].filter((line) => !right.has(line)), ...[...right].filter((line) => !left.has(line))];
}
