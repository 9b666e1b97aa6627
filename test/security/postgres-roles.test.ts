/** Each role of PostgreSQL reaches its service's schema alone: every role, every schema. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { password, roles } from "../support/servers.ts";

let database: TestDatabase;
let admin: Sql & AsyncDisposable;
beforeAll(async () => {
	database = await createDatabase();
	admin = connect(database.adminUrl, { schema: "public", name: "test-admin", max: 1 });
});
afterAll(async () => {
	await admin?.[Symbol.asyncDispose]();
	await database?.[Symbol.asyncDispose]();
});

const everyRole = roles.map(({ name }) => ({ name, schemas: [name] }));

function open(role: string): Sql & AsyncDisposable {
	const url = new URL(database.adminUrl);
	url.username = role;
	url.password = password;
	return connect(url.href, { schema: role, name: "test-role", max: 1 });
}

const relations = () => admin<{ schema: string; name: string }[]>`
	select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1, 2`;

/** The error's code; undefined where it ran. */
const codeOf = async (sql: Sql, text: string): Promise<string | undefined> => {
	const ran = sql.begin("read write", (tx) => tx.unsafe(text));
	return ran.then(
		() => undefined,
		(error: unknown) => (error as { code?: string }).code,
	);
};
const denied = "42501";

test("the schemas are those of the services, and none is empty", async () => {
	const schemas = new Set((await relations()).map(({ schema }) => schema));
	expect([...schemas].sort()).toEqual(everyRole.map(({ name }) => name).sort());
});

describe.each(everyRole)("$name", ({ name, schemas }) => {
	test(`reads ${schemas.join(", ")} and neither reads nor writes other schemas`, async () => {
		await using sql = open(name);
		const reached = new Set<string>();
		for (const { schema, name: relation } of await relations()) {
			const place = `"${schema}"."${relation}"`;
			const code = await codeOf(sql, `select 1 from ${place} limit 0`);
			if (code === undefined) reached.add(schema);
			else expect(code, place).toBe(denied);
			if (!schemas.includes(schema)) expect(await codeOf(sql, `delete from ${place} where false`), place).toBe(denied);
		}
		expect([...reached].sort()).toEqual([...schemas].sort());
	});

	test("creates nothing elsewhere, and has no privileges of another role or of the server", async () => {
		await using sql = open(name);
		const [seen] = await admin`
			select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as more,
				(select count(*)::int from pg_auth_members where member = r.oid) as groups,
				has_database_privilege(r.oid, current_database(), 'create') as makes_schemas
			from pg_roles r where rolname = ${name}`;
		expect(seen).toEqual({ more: false, groups: 0, makes_schemas: false });
		const others = [...everyRole.map((role) => role.name), "public"].filter((schema) => !schemas.includes(schema));
		for (const schema of others)
			expect(await codeOf(sql, `create table "${schema}".stolen (a int)`), schema).toBe(denied);
		for (const other of everyRole.filter((role) => role.name !== name))
			expect(await codeOf(sql, `set role "${other.name}"`), other.name).toBe(denied);
		for (const text of [
			"select * from pg_authid",
			"select pg_read_file('/etc/passwd')",
			"copy (select 1) to program 'id'",
		])
			expect(await codeOf(sql, text), text).toBe(denied);
	});
});

test("no function runs with its owner's privileges", async () => {
	expect(
		await admin`
		select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
		where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')`,
	).toEqual([]);
});
