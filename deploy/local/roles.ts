/**
 * The administrator's step: what a service's role cannot make for itself. Safe to repeat. The administrator need not be a superuser:
 * `deploy/container/rights.ts` says what takes one.
 */
import { type Database, databaseOwners } from "#libs/contract/databases.ts";
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";

export interface Role {
	/** Also the name of the schema that it owns. */
	name: string;
	password: string;
	/** Of the roles that may read its databases' views and nothing else (`query_master`), for SQL that strangers wrote. */
	queryPassword: string;
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
	for (const role of roles) {
		await makeSchema(inside, role.name, role);
		for (const reader of readersOf(role.name)) await prepareReader(inside, reader, role);
	}
}

/**
 * What makes large objects, where everybody may: a place to write to, and before PostgreSQL 16 a read-only transaction may make one. Nobody
 * here does. Whoever is no superuser revokes it in vain, with a warning.
 */
export async function publicMakers(inside: Sql): Promise<string[]> {
	const rows = await inside<{ call: string }[]>`
		select 'pg_catalog.' || call as call from unnest(array['lo_create(oid)', 'lo_creat(integer)', 'lo_from_bytea(oid, bytea)']) call
		where has_function_privilege('public', 'pg_catalog.' || call, 'execute')`;
	return rows.map(({ call }) => call);
}

/** Where it is missing. A superuser does in `owner`'s name what it likes; who is none must belong to it, and does until the schema is made. */
async function makeSchema(inside: Sql, schema: string, { name: owner }: Role, reader?: string): Promise<void> {
	await inside.begin(async (tx) => {
		const [state] = await tx<{ exists: boolean; belongs: boolean }[]>`
			select exists (select from pg_namespace where nspname = ${schema}),
				pg_has_role(${owner}, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) as belongs`;
		if (!state?.belongs) await execute(tx, "grant %I to current_user", owner);
		if (!state?.exists) await execute(tx, "create schema %I authorization %I", schema, owner);
		if (reader !== undefined) {
			// Only who owns a schema grants it.
			await execute(tx, "set local role %I", owner);
			await execute(tx, "grant usage on schema %I to %I", schema, reader);
			await execute(tx, "reset role");
		}
		if (!state?.belongs) await execute(tx, "revoke %I from current_user", owner);
	});
}

/** Only the services' roles stage in temporary tables: who may merely read has nowhere to write. A clone of a database needs it again. */
export async function limitTemporary(sql: Sql, database: string, roles: Role[]): Promise<void> {
	await execute(sql, "revoke temporary on database %I from public", database);
	for (const { name } of roles) await execute(sql, "grant temporary on database %I to %I", database, name);
}

/** Of the databases that the role's service answers for. */
export function readersOf(role: string): string[] {
	return (Object.keys(databaseOwners) as Database[])
		.filter((name) => databaseOwners[name].replaceAll("-", "_") === role)
		.map((name) => `query_${name}`);
}

/** A role with a schema of the same name, which `owner` fills with views: what the role sees is those. */
async function prepareReader(inside: Sql, reader: string, owner: Role): Promise<void> {
	const [known] = await inside`select from pg_roles where rolname = ${reader}`;
	if (!known) await execute(inside, "create role %I", reader);
	await execute(inside, "alter role %I login noinherit connection limit 64 password %L", reader, owner.queryPassword);
	await execute(inside, "alter role %I set search_path = %I", reader, reader);
	// Whoever gets past everything else still meets these.
	await execute(inside, "alter role %I set default_transaction_read_only = on", reader);
	await execute(inside, "alter role %I set statement_timeout = '10s'", reader);
	if (await maySet(inside, "temp_file_limit"))
		await execute(inside, "alter role %I set temp_file_limit = '256MB'", reader);
	await makeSchema(inside, reader, owner, reader);
}

/** Superusers may set everything; others only what is granted to them, as this is a setting that a session may not change for itself. */
export async function maySet(sql: Sql, setting: string): Promise<boolean> {
	const [row] = await sql<{ may: boolean }[]>`select has_parameter_privilege(current_user, ${setting}, 'set') as may`;
	return row?.may === true;
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
