/** The administrator's step: what a service's role cannot make for itself. Safe to repeat. */
import { connect, type Sql } from "#libs/postgres/connect.ts";

export interface Role {
	/** Also the name of the schema that it owns. */
	name: string;
	password: string;
}

/** Makes `database` with a schema for each role, which sees no other. */
export async function prepareDatabase(adminUrl: string, database: string, roles: Role[]): Promise<void> {
	await using server = connect(adminUrl, { schema: "public", name: "deploy", max: 1 });
	for (const { name, password } of roles) {
		const [known] = await server`select from pg_roles where rolname = ${name}`;
		if (!known) await execute(server, "create role %I", name);
		await execute(server, "alter role %I login password %L", name, password);
		// For a psql by hand. Of the role rather than of the database: it holds in the databases that tests clone, too.
		await execute(server, "alter role %I set search_path = %I", name, name);
	}
	const [known] = await server`select from pg_database where datname = ${database}`;
	if (!known) await execute(server, "create database %I", database);
	await using inside = connect(urlOf(adminUrl, database), { schema: "public", name: "deploy", max: 1 });
	await execute(inside, "revoke all on schema public from public");
	for (const { name } of roles) await execute(inside, "create schema if not exists %I authorization %I", name, name);
}

/** The same server, another database and perhaps another user. */
export function urlOf(url: string, database: string, role?: Role): string {
	const other = new URL(url);
	other.pathname = `/${database}`;
	if (role) {
		other.username = role.name;
		other.password = role.password;
	}
	return other.href;
}

/** Statements of this kind take no parameters, so PostgreSQL itself quotes the names (%I) and values (%L) into them. */
export async function execute(sql: Sql, template: string, ...values: string[]): Promise<void> {
	const [row] = await sql<{ statement: string }[]>`
		select format(${template}, variadic ${values}::text[]) as statement`;
	await sql.unsafe(row?.statement ?? "");
}
