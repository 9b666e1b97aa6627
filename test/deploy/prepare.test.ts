/**
 * The administrator's step by a role that is not a superuser, as a managed PostgreSQL has it, and by a superuser: what each role may do
 * afterwards is, right by right, the same.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { prepare } from "../../deploy/container/prepare.ts";
import { secrets } from "../../deploy/container/secrets.ts";
import { urlOf } from "../../deploy/engines/postgres-roles.ts";
import { type ManagedPostgres, softwares, startManaged } from "./support/managed-postgres.ts";
import { differences, readRights } from "./support/read-rights.ts";

const owners = ["queue_ingest", "signals", "scoring", "billing", "subscriptions"];

/** Every password is the name of its setting, after `mark`. */
const settings = (adminUrl: string, mark = ""): NodeJS.ProcessEnv => ({
	...Object.fromEntries(secrets().map(({ name }) => [name, mark + name])),
	ADMIN_POSTGRES_URL: adminUrl,
});

async function run(adminUrl: string, env = settings(adminUrl)): Promise<string[]> {
	const lines: string[] = [];
	await prepare(env, (line) => void lines.push(line));
	return lines;
}

for (const [place, software] of softwares.entries())
	describe(`with ${software}`, { tags: place === 0 ? [] : ["campaign"] }, () => {
		let server: ManagedPostgres;
		const change = async (...statements: string[]) => {
			for (const statement of statements) await server.provider.unsafe(statement);
		};
		const openAs = (role: string, password: string) =>
			connect(urlOf(server.superuserUrl, "energy", { name: role, password }), {
				schema: role,
				name: "test",
				max: 1,
			});
		const inside = () => connect(urlOf(server.superuserUrl, "energy"), { schema: "public", name: "test", max: 1 });
		const rights = async () => {
			await using sql = inside();
			return await readRights(sql, owners);
		};
		const versionOf = async () => Number((await server.provider`show server_version_num`)[0]?.server_version_num);

		beforeAll(async () => {
			server = await startManaged(software);
		}, 60_000);
		afterAll(() => server?.[Symbol.asyncDispose]());
		async function clean(): Promise<void> {
			await change(
				"drop database if exists energy with (force)",
				...owners.map((name) => `drop role if exists ${name}`),
			);
			await change("alter role operator createrole createdb");
		}

		describe("an empty server", () => {
			beforeEach(clean);

			test("all missing privileges are named at once, without changes", async () => {
				await change("alter role operator nocreaterole nocreatedb", "create role signals");
				const error = await run(server.adminUrl).then(
					() => "",
					({ message }: Error) => message,
				);
				expect(error).toContain("docs/deploy.md");
				expect(error).toContain('CREATEROLE: alter role "operator" createrole');
				expect(error).toContain("CREATEDB");
				if ((await versionOf()) >= 160_000) expect(error).toContain('grant signals to "operator" with admin option');
				expect(await server.provider`select from pg_roles where rolname = any(${owners})`).toHaveLength(1);
				expect(await server.provider`select from pg_database where datname = 'energy'`).toHaveLength(0);
			}, 60_000);

			test("a database of another role is refused, and is prepared after a transfer of ownership, also with existing roles", async () => {
				await change("create database energy", "create role signals");
				await expect(run(server.adminUrl)).rejects.toThrow('alter database energy owner to "operator"');
				await change("alter database energy owner to operator", "alter role operator nocreatedb");
				if ((await versionOf()) >= 160_000) await change("grant signals to operator with admin option");
				expect((await run(server.adminUrl))[0]).toMatch(/^energy: there already/);
			}, 180_000);
		});

		let managed: Awaited<ReturnType<typeof rights>>;
		describe("prepared by this role", () => {
			beforeAll(async () => {
				await clean();
				expect(await run(server.adminUrl)).toContain(
					"energy: only a superuser can keep its roles from making large objects (docs/deploy.md)",
				);
				managed = await rights();
			}, 180_000);

			test("a second run changes only passwords, and the administrator is a member of no service's role", async () => {
				await using sql = inside();
				const again = await run(server.adminUrl);
				expect(again.filter((line) => line.endsWith("nothing to migrate"))).toHaveLength(owners.length);
				expect(differences(managed, await rights())).toEqual([]);
				const needed = (await versionOf()) < 160_000 ? [] : owners;
				// From PostgreSQL 16 on, the creator of a role may grant it, which is no right to use it.
				const [{ belongs } = {}] = await sql`
				select coalesce(array_agg(roleid::regrole::text order by 1) filter (where admin_option), '{}') as belongs
				from pg_auth_members where member = 'operator'::regrole and roleid::regrole::text = any(${owners})`;
				expect([...belongs].sort()).toEqual([...needed].sort());
				await using operator = connect(urlOf(server.adminUrl, "energy"), { schema: "public", name: "test", max: 1 });
				for (const role of owners)
					await expect(operator.unsafe(`select from ${role}.migrations`), role).rejects.toThrow(/permission denied/);
			}, 180_000);

			test("the steps after a restore run as the services' roles, as in docs/deploy.md", async () => {
				await using operator = connect(urlOf(server.adminUrl, "energy"), { schema: "public", name: "test", max: 1 });
				const statements = readFileSync(join(import.meta.dirname, "../../deploy/backup/after-restore.sql"), "utf8");
				await operator.unsafe(`grant ${owners.join(", ")} to current_user`);
				await operator.unsafe(statements);
				const versions = await operator.unsafe(
					owners.map((owner) => `select version from ${owner}.data_version`).join(" union all "),
				);
				expect(versions.length).toBeGreaterThan(1);
				for (const { version } of versions) expect(version).toBeGreaterThan(1e12);
				await operator.unsafe(`revoke ${owners.join(", ")} from current_user`);
			});

			test("each service finds its schema, and creates none", async () => {
				for (const role of owners) {
					await using sql = openAs(role, `POSTGRES_PASSWORD_${role.toUpperCase()}`);
					const [row] = await sql`select count(*)::int as applied from migrations`;
					expect(row?.applied, role).toBeGreaterThan(1);
					await sql`create temporary table staged (a int)`;
					await expect(sql`create schema stolen`, role).rejects.toThrow(/permission denied/);
				}
			}, 180_000);
		});

		describe("prepared by a superuser", () => {
			beforeAll(clean);

			test("two concurrent runs create one database", async () => {
				const all = (await Promise.all([run(server.superuserUrl), run(server.superuserUrl)])).flat();
				expect(all.filter((line) => line === "energy: made")).toHaveLength(1);
				expect(all.filter((line) => line === "billing: nothing to migrate")).toHaveLength(1);
				await using sql = inside();
				const [row] =
					await sql`select lower('ÄÖ') as folded, 'a' < 'B' as by_letter, current_setting('server_encoding') as encoding`;
				expect(row).toEqual({ folded: "äö", by_letter: false, encoding: "UTF8" });
			}, 180_000);

			test("the privileges equal those by another administrator, except for large objects", async () => {
				expect(managed.groups).toEqual([]);
				const lines = differences(managed, await rights());
				expect(lines.filter((line) => !/^functions .*"lo_(create|creat|from_bytea)\(/.test(line))).toEqual([]);
				expect(lines).toHaveLength(6);
			});

			test("a second run with other passwords sets them, and the data remain", async () => {
				const applied = async (password: string) => {
					await using sql = openAs("billing", password);
					return (await sql`select from migrations`).count;
				};
				const before = await applied("POSTGRES_PASSWORD_BILLING");
				expect((await run(server.superuserUrl, settings(server.superuserUrl, "new-"))).slice(1)).toEqual([
					`energy: roles and schemas ${owners.join(", ")}`,
					...owners.map((role) => `${role}: nothing to migrate`),
				]);
				expect(await applied("new-POSTGRES_PASSWORD_BILLING")).toBe(before);
				await expect(applied("POSTGRES_PASSWORD_BILLING")).rejects.toThrow(/password authentication/);
			});

			test("a database in another encoding is refused", async () => {
				await change(
					"create database other template template0 encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C'",
				);
				const env = { ...settings(server.superuserUrl), POSTGRES_DATABASE: "other" };
				await expect(run(server.superuserUrl, env)).rejects.toThrow(/encoded in SQL_ASCII/);
			});

			test("a missing setting is named, without changes", async () => {
				const { POSTGRES_PASSWORD_SIGNALS: _, ...rest } = settings(server.superuserUrl);
				await expect(run(server.superuserUrl, { ...rest, POSTGRES_DATABASE: "never" })).rejects.toThrow(
					"The setting POSTGRES_PASSWORD_SIGNALS is missing.",
				);
				expect(await server.provider`select from pg_database where datname = 'never'`).toHaveLength(0);
			});
		});
	});
