/** Steps after a database is restored: numbers continue above all that were ever given. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";

const statements = await readFile(new URL("../../deploy/backup/after-restore.sql", import.meta.url), "utf8");

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

async function afterRestore(): Promise<void> {
	await using admin = connect(world.database.adminUrl, { schema: "public", name: "restore", max: 1 });
	await admin.unsafe(statements);
}

const versions = () =>
	Promise.all([world.sql, world.signalsSql, world.scoringSql, world.billingSql].map((sql) => readDataVersion(sql)));
const ask = async () => {
	const reply = await fetch(`${world.url}/changes?per_page=1`);
	const text = await reply.text();
	expect(reply.status, text).toBe(200);
	return { text, version: Number(reply.headers.get("x-data-version")), etag: reply.headers.get("etag") };
};

const totalOf = ({ text }: { text: string }): number => JSON.parse(text).total;

test("a gateway that was never restarted serves what was restored, although a version as it knew it has come again", async () => {
	const before = await eventually(ask);
	expect(totalOf(before)).toBeGreaterThan(0);
	// The state after a restore, for a gateway that missed everything between: other rows, and by chance the version that it knew.
	await world.sql`delete from changes`;
	expect(await ask()).toEqual(before);
	await afterRestore();
	await eventually(async () => totalOf(await ask()) === 0);
	const after = await ask();
	expect(after.version).toBeGreaterThan(before.version + 1_000_000);
	expect(after.etag).not.toBe(before.etag);
});

test("every schema's version rises, and again each time", async () => {
	const before = await versions();
	await afterRestore();
	const after = await versions();
	for (const [place, version] of after.entries()) expect(version).toBeGreaterThan(before[place] ?? 0);
	expect(after.length).toBe(4);
	for (const version of after) expect(Math.abs(version - Date.now())).toBeLessThan(3_600_000);
});

test("accounts, keys, credits and payments go on far above every number that was given", async () => {
	const insert = () => world.billingSql<{ id: number }[]>`
		insert into accounts (email, plan) values (${`${Math.random()}@example.org`}, 'Free') returning id`;
	const [first] = await insert();
	await afterRestore();
	const [second] = await insert();
	expect(second?.id).toBeGreaterThan(first?.id ?? 0);
	const low = await world.billingSql<{ name: string; value: number }[]>`
		select table_name as name, nextval(pg_get_serial_sequence('billing.' || table_name, column_name)) as value
		from information_schema.columns where table_schema = 'billing' and is_identity = 'YES' order by 1`;
	expect(low.map(({ name }) => name)).toEqual(expect.arrayContaining(["accounts", "credits", "keys", "payments"]));
	for (const { value } of low) expect(value).toBeGreaterThan(1_000_000);
});
