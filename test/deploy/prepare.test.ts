/** The administrator's step, against a PostgreSQL of its own: the roles of the tests' other one are everybody's. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { prepare } from "../../deploy/container/prepare.ts";
import { secrets } from "../../deploy/container/secrets.ts";
import { urlOf } from "../../deploy/engines/postgres-roles.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startPostgres } from "../../deploy/local/postgres.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { openHome } from "../support/home.ts";

let adminUrl = "";
const stack = new AsyncDisposableStack();

beforeAll(async () => {
	const { directory, children } = stack.use(openHome());
	({ adminUrl } = await startPostgres(children, directory, {
		port: await freePort(),
		password: "admin",
		durable: false,
	}));
});
afterAll(() => stack.disposeAsync());

/** Every password is the name of its setting, after `mark`. */
const settings = (mark = "p") => ({
	...Object.fromEntries(secrets().map(({ name }) => [name, `${mark}-${name}`])),
	ADMIN_POSTGRES_URL: adminUrl,
});

async function run(env: NodeJS.ProcessEnv): Promise<string[]> {
	const lines: string[] = [];
	await prepare(env, (line) => void lines.push(line));
	return lines;
}

async function ask(role: string, password: string, database = "energy"): Promise<unknown> {
	const url = urlOf(adminUrl, database, { name: role, password });
	await using sql = connect(url, { schema: role, name: "test", max: 1 });
	const [row] = await sql<{ version: number }[]>`select count(*)::int as version from migrations`;
	return row?.version;
}

test("two at once make one database, where each service finds its schema migrated", async () => {
	const [one, other] = await Promise.all([run(settings()), run(settings())]);
	const all = [...one, ...other];
	expect(all.filter((line) => line === "energy: made")).toHaveLength(1);
	expect(all.filter((line) => line === "billing: nothing to migrate")).toHaveLength(1);
	for (const role of ["queue_ingest", "signals", "scoring", "billing", "subscriptions"])
		expect(await ask(role, `p-POSTGRES_PASSWORD_${role.toUpperCase()}`), role).toBeGreaterThan(1);
	await using sql = connect(urlOf(adminUrl, "energy"), { schema: "public", name: "test", max: 1 });
	const [row] =
		await sql`select lower('ÄÖ') as folded, 'a' < 'B' as by_letter, current_setting('server_encoding') as encoding`;
	expect(row).toEqual({ folded: "äö", by_letter: false, encoding: "UTF8" });
});

test("again with other passwords, these are the passwords, and the data are as they were", async () => {
	await run(settings());
	expect((await run(settings("new"))).slice(1)).toEqual([
		"energy: roles and schemas queue_ingest, signals, scoring, billing, subscriptions",
		...["queue_ingest", "signals", "scoring", "billing", "subscriptions"].map((role) => `${role}: nothing to migrate`),
	]);
	expect(await ask("billing", "new-POSTGRES_PASSWORD_BILLING")).toBeGreaterThan(1);
	await expect(ask("billing", "p-POSTGRES_PASSWORD_BILLING")).rejects.toThrow(/password authentication/);
});

test("a database in another encoding is refused", async () => {
	await using sql = connect(adminUrl, { schema: "public", name: "test", max: 1 });
	await sql`create database other template template0 encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C'`;
	await expect(run({ ...settings(), POSTGRES_DATABASE: "other" })).rejects.toThrow(/encoded in SQL_ASCII/);
});

test("a setting that is missing is named, and nothing is done", async () => {
	const { POSTGRES_PASSWORD_SIGNALS: _, ...rest } = settings() as Record<string, string>;
	await expect(run({ ...rest, POSTGRES_DATABASE: "never" })).rejects.toThrow(
		"The setting POSTGRES_PASSWORD_SIGNALS is missing.",
	);
	await using sql = connect(adminUrl, { schema: "public", name: "test", max: 1 });
	expect(await sql`select from pg_database where datname = 'never'`).toHaveLength(0);
});
