/**
 * Checks that the administrator of `prepare` has the rights that it needs, before anything is done. A managed PostgreSQL gives no customer a superuser:
 * a role with CREATEROLE and CREATEDB will do. PostgreSQL 15 or later.
 */
import type { Sql } from "../../libs/postgres/connect.ts";
import { publicMakers } from "../engines/postgres-roles.ts";
import { UserError } from "../local/program.ts";

interface Administrator {
	name: string;
	isSuperuser: boolean;
	createsRoles: boolean;
	createsDatabases: boolean;
	version: number;
}

/** @throws one sentence that names every right that is missing. */
export async function demandRights(admin: Sql, database: string, owners: string[]): Promise<void> {
	const who = await readAdministrator(admin);
	if (who.version < 150_000) throw new UserError("This PostgreSQL is older than 15.");
	if (who.isSuperuser) return;
	const missing = [
		...(who.createsRoles ? [] : [`CREATEROLE: alter role "${who.name}" createrole`]),
		...(await ofDatabase(admin, who, database)),
		...(await ofRoles(admin, who, owners)),
	];
	if (missing.length === 0) return;
	const list = missing.map((one) => `  ${one}`).join("\n");
	throw new UserError(
		`${who.name} is no superuser, which is not needed, but some rights are missing (docs/deploy.md):\n${list}`,
	);
}

async function readAdministrator(admin: Sql): Promise<Administrator> {
	const [row] = await admin<Administrator[]>`
		select rolname as name, rolsuper as "isSuperuser", rolcreaterole as "createsRoles", rolcreatedb as "createsDatabases",
			current_setting('server_version_num')::int as version
		from pg_roles where rolname = current_user`;
	if (row === undefined) throw new Error("PostgreSQL did not say which role this is");
	return row;
}

/** The owner alone takes from everybody what everybody has in a new database. */
async function ofDatabase(admin: Sql, who: Administrator, database: string): Promise<string[]> {
	const [known] = await admin<{ owner: string; owns: boolean }[]>`
		select pg_get_userbyid(datdba) as owner, pg_has_role(datdba, 'usage') as owns from pg_database where datname = ${database}`;
	if (known === undefined)
		return who.createsDatabases
			? []
			: [`CREATEDB: alter role "${who.name}" createdb; or a database ${database} that belongs to ${who.name}`];
	if (known.owns) return [];
	return [
		`the database ${database}, which belongs to ${known.owner}: alter database ${database} owner to "${who.name}"`,
	];
}

/** Before PostgreSQL 16, CREATEROLE was enough for every role. */
async function ofRoles(admin: Sql, who: Administrator, names: string[]): Promise<string[]> {
	if (who.version < 160_000) return [];
	const rows = await admin<{ name: string }[]>`
		select rolname as name from pg_roles
		where rolname = any(${names}) and not pg_has_role(oid, 'member with admin option') order by 1`;
	return rows.map(
		({ name }) =>
			`ADMIN OPTION on the role ${name}, which another role made: grant ${name} to "${who.name}" with admin option`,
	);
}

/**
 * Finds rights that every role has in the prepared database and none should have. Returns, as lines, those that only a superuser can revoke.
 * @throws where it must be helped.
 */
export async function lookAtPublic(inside: Sql, database: string): Promise<string[]> {
	const [open] = await inside<{ place: string | null }[]>`
		select case
			when has_schema_privilege('public', 'public', 'create') then 'CREATE on the schema public'
			when has_schema_privilege('public', 'public', 'usage') then 'USAGE of the schema public'
			when has_database_privilege('public', current_database(), 'create') then 'CREATE on the database'
			when has_database_privilege('public', current_database(), 'temporary') then 'TEMPORARY on the database'
		end as place`;
	if (open?.place)
		throw new UserError(
			`Everybody has ${open.place} in ${database}, and this administrator cannot take it: have its owner revoke it (docs/deploy.md).`,
		);
	const makers = await publicMakers(inside);
	if (makers.length === 0) return [];
	return [`${database}: only a superuser can keep its roles from making large objects (docs/deploy.md)`];
}
