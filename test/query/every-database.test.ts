/** POST /query and GET /query/schema over the whole constellation: nine databases of three services. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { databases } from "../../libs/contract/databases.ts";
import { newKey } from "../api/support/walk.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const ask = (sql: string, database: string, key?: string): Promise<Response> =>
	fetch(`${world.url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }) },
		body: JSON.stringify({ sql, database }),
	});

test("every database has views, each is described and answers, and every column has a meaning", async () => {
	const response = await fetch(`${world.url}/query/schema`);
	const { databases: described } = operations.getQuerySchema.reply.parse(await response.json());
	expect(described.map(({ name }) => name)).toEqual([...databases]);
	for (const { name: database, views } of described) {
		expect([database, views.length]).not.toEqual([database, 0]);
		for (const { name, description, columns, rows } of views) {
			expect([database, name, description]).not.toEqual([database, name, ""]);
			for (const column of columns) expect([name, column.name, column.description]).not.toContain("");
			const answer = await ask(`select count(*) as rows from ${name}`, database);
			const { data } = operations.runQuery.reply.parse(await answer.json());
			// Counted where it is small, and this is a sample.
			expect([database, name, data]).toEqual([database, name, [{ rows }]]);
		}
	}
});

test("the declared example answers what the HTTP interface says", async () => {
	const { sql, database } = operations.runQuery.example;
	const { data } = operations.runQuery.reply.parse(await (await ask(sql, database)).json());
	const stats = operations.getStats.reply.parse(await (await fetch(`${world.url}/stats`)).json());
	expect(data.length).toBeGreaterThan(1);
	for (const { region } of data) expect(stats.data.by_iso.map(({ iso }) => iso)).toContain(region);
});

test("a view of one database is unknown in another", async () => {
	const answer = await ask("select * from projects", "signals");
	expect(answer.status).toBe(400);
	expect(await answer.json()).toEqual({
		detail: expect.stringMatching(/^there is no view "projects" in this database: it has .*\(line 1, column 15\)$/),
	});
});

test("a statement costs a query of the month as any request does, whether or not it could be run", async () => {
	const key = await newKey(world.url);
	const remaining = async (sql: string) => {
		const { headers } = await ask(sql, "master", key);
		return Number(/"month";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
	};
	const first = await remaining("select 1 as n");
	expect(await remaining("select pg_sleep(1)")).toBe(first - 1);
});
