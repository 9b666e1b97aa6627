/** The second border: what the readers' role can do by itself, past every check of statements. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { databases } from "../../libs/contract/databases.ts";
import { password } from "../support/servers.ts";
import { fingerprint, makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
let reader: Sql & AsyncDisposable;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
	reader = open("query_master");
});
afterAll(async () => {
	await reader?.[Symbol.asyncDispose]();
	await system?.[Symbol.asyncDispose]();
});

function open(role: string): Sql & AsyncDisposable {
	const url = new URL(system.database.adminUrl);
	url.username = role;
	url.password = password;
	return connect(url.href, { schema: role, name: "test-reader", max: 1 });
}

/** The error's code; undefined where it ran. */
const codeOf = async (sql: Sql, text: string): Promise<string | undefined> =>
	sql.unsafe(text).then(
		() => undefined,
		(error: unknown) => (error as { code?: string }).code,
	);

const denied = "42501";

describe("by a role that was told it may write", () => {
	// The role's own default is read-only, which a session may change: what it must not do has to hold without it.
	const writing = (text: string) => `begin read write; ${text}; commit`;

	test.each([
		["insert into queue_ingest.test_plants values (0, 'x')", denied],
		["insert into query_master.plants_view values (0, 'x')", denied],
		["update plants_view set name = 'x'", denied],
		["delete from plants_view", denied],
		["create table stolen (a int)", denied],
		["create temporary table stolen (a int)", denied],
		["create view plants_too as select 1 as a", denied],
		["create schema stolen", denied],
		["create function f() returns int language sql as 'select 1'", denied],
		["create extension dblink", denied],
		["create role stolen", denied],
		["drop view plants_view", denied],
		["alter role query_master superuser", denied],
		["set role queue_ingest", denied],
		["set session authorization postgres", denied],
		["copy (select 1) to program 'id'", denied],
		["copy (select 1) to '/tmp/stolen'", denied],
		["select pg_read_file('/etc/passwd')", denied],
		["select pg_ls_dir('.')", denied],
		["select lo_import('/etc/passwd')", denied],
		["select lo_create(0)", denied],
		["select lo_creat(-1)", denied],
		["select lo_from_bytea(0, 'x')", denied],
		["select pg_reload_conf()", denied],
		["select setval('queue_ingest.changes_seq_seq', 1)", /42501|42P01/],
		["select * from queue_ingest.projects", denied],
		["select * from signals.articles", denied],
		["select * from query_developer.developers", denied],
		["select * from billing.accounts", denied],
		["select * from pg_authid", denied],
		["set temp_file_limit = -1", denied],
		["do $$ begin delete from queue_ingest.projects; end $$", denied],
		["select query_to_xml('select * from queue_ingest.projects', true, true, '')", denied],
	] as const)("%s is denied", async (text, code) => {
		const before = await fingerprint(system.admin);
		expect(await codeOf(reader, writing(text))).toMatch(code);
		await reader.unsafe("rollback");
		expect(await fingerprint(system.admin)).toBe(before);
	});

	test("what it reads is its views", async () => {
		expect(await reader.unsafe("select count(*)::int as plants from plants_view")).toEqual([{ plants: 2000 }]);
	});
});

test("without being told otherwise its transactions are read-only", async () => {
	expect(await reader`show transaction_read_only`).toEqual([{ transaction_read_only: "on" }]);
});

test("a reader of one database sees no view of another, and no service's schema", async () => {
	for (const database of databases) {
		await using sql = open(`query_${database}`);
		const seen = await sql<{ name: string }[]>`
			select distinct n.nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
			where has_schema_privilege(n.oid, 'usage') and n.nspname !~ '^(pg_|information_schema)'
				and c.relkind in ('r', 'v', 'm', 'p', 'f') and has_table_privilege(c.oid, 'select')`;
		expect(seen.map(({ name }) => name).filter((name) => name !== `query_${database}`)).toEqual([]);
	}
});

test("a session is ended by the server when it takes too long, whatever it asks", async () => {
	await using sql = open("query_master");
	const [row] = await sql`select setting::int as ms from pg_settings where name = 'statement_timeout'`;
	const [role] = await system.admin`select rolconfig from pg_roles where rolname = 'query_master'`;
	expect(row?.ms).toBeGreaterThan(0);
	expect(role?.rolconfig).toEqual(expect.arrayContaining(["statement_timeout=10s", "temp_file_limit=256MB"]));
});
