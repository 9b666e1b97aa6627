/**
 * The administrator's step: what a service's role cannot make for itself. Safe to repeat. The administrator need not be a superuser:
 * `deploy/container/rights.ts` says what takes one.
 */
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";

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
	await limitTemporary(inside, database, roles);
	for (const call of await publicMakers(inside))
		await execute(inside, `revoke execute on function ${call} from public`);
	for (const role of roles) await makeSchema(inside, role);
}

/**
 * Functions that make large objects and that every role may call. No service does: they are a place to write to, before PostgreSQL 16 even in
 * a read-only transaction. A role that is no superuser revokes them in vain, with a warning.
 */
export async function publicMakers(inside: Sql): Promise<string[]> {
	const rows = await inside<{ call: string }[]>`
		select 'pg_catalog.' || call as call from unnest(array['lo_create(oid)', 'lo_creat(integer)', 'lo_from_bytea(oid, bytea)']) call
		where has_function_privilege('public', 'pg_catalog.' || call, 'execute')`;
	return rows.map(({ call }) => call);
}

/** Where it is missing. A superuser does in `owner`'s name what it likes; who is none must belong to it, and does until the schema is made. */
async function makeSchema(inside: Sql, { name: owner }: Role): Promise<void> {
	await inside.begin(async (tx) => {
		const [state] = await tx<{ exists: boolean; belongs: boolean }[]>`
			select exists (select from pg_namespace where nspname = ${owner}),
				pg_has_role(${owner}, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) as belongs`;
		if (!state?.belongs) await execute(tx, "grant %I to current_user", owner);
		if (!state?.exists) await execute(tx, "create schema %I authorization %I", owner, owner);
		if (!state?.belongs) await execute(tx, "revoke %I from current_user", owner);
	});
}

/** Only the services' roles stage in temporary tables: who may merely read has nowhere to write. A clone of a database needs it again. */
export async function limitTemporary(sql: Sql, database: string, roles: Role[]): Promise<void> {
	await execute(sql, "revoke temporary on database %I from public", database);
	for (const { name } of roles) await execute(sql, "grant temporary on database %I to %I", database, name);
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
export async function execute(sql: Sql | Transaction, template: string, ...values: string[]): Promise<void> {
	const [row] = await sql<{ statement: string }[]>`
		select format(${template}, variadic ${values}::text[]) as statement`;
	await sql.unsafe(row?.statement ?? "");
}
