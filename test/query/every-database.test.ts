/** POST /query and GET /query/schema over the whole constellation: nine databases of three services. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { databases } from "../../libs/contract/databases.ts";
import { raiseDataVersion, readDataVersion } from "../../libs/postgres/data-version.ts";
import { newKey } from "../api/support/walk.ts";
import { problem } from "../support/problem.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld({ query: true });
	await world.settled();
	await world.extracted();
}, 180_000);
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
			expect([database, name, data]).toEqual([database, name, [{ rows }]]);
			const whole = operations.runQuery.reply.parse(await (await ask(`from ${name} limit 1`, database)).json());
			expect(whole.meta.columns).toEqual(
				columns.map((column) => ({ ...column, source: `${database}.${name}.${column.name}` })),
			);
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
	expect(await answer.json()).toEqual(
		problem({
			detail: expect.stringMatching(
				/^there is no view "projects" in the database signals: it has .*\(line 1, column 15\)$/,
			),
			code: "statement_refused",
		}),
	);
});

test("one statement joins views of services that share no database", async () => {
	const answer = await ask(
		`select p.region, count(*) as requests, round(avg(s.investability_score)) as score, count(distinct d.developer_id) as developers
		from master.projects p join scoring.scores s on s.project_id = p.id left join developer.developers d on d.developer_id = p.developer_id
		where p.kind = 'generation' group by p.region order by requests desc`,
		"market",
	);
	const { data, meta } = operations.runQuery.reply.parse(await answer.json());
	expect(data.length).toBeGreaterThan(1);
	expect(meta.views.map(({ view }) => view).sort()).toEqual([
		"developer.developers",
		"master.projects",
		"scoring.scores",
	]);
});

test("a change is seen by statements once its extract is written", async () => {
	const [project] = await world.sql<{ id: string }[]>`select id from projects order by id limit 1`;
	const id = project?.id ?? "";
	await world.sql.begin(async (tx) => {
		await tx`update projects set poi = 'A new place' where id = ${id}`;
		await raiseDataVersion(tx);
	});
	await world.extracted();
	const answer = await ask(`select id, poi from projects where id = '${id}'`, "master");
	const { data, meta } = operations.runQuery.reply.parse(await answer.json());
	expect(data).toEqual([{ id, poi: "A new place" }]);
	expect(meta.views[0]?.data_version).toBe(await readDataVersion(world.sql));
});

test("the rows that the schema names are counted anew with each change of a view", async () => {
	const named = async () => {
		const { databases: described } = operations.getQuerySchema.reply.parse(
			await (await fetch(`${world.url}/query/schema?database=signals`)).json(),
		);
		return described[0]?.views.find(({ name }) => name === "material_events")?.rows;
	};
	const before = await named();
	await world.signalsSql.begin(async (tx) => {
		await tx`delete from filings where accession_number = (
			select max(accession_number) from filings where event_type is not null)`;
		await raiseDataVersion(tx);
	});
	await world.extracted();
	const { data } = operations.runQuery.reply.parse(
		await (await ask("select count(*)::integer as rows from material_events", "signals")).json(),
	);
	expect(data).toEqual([{ rows: await named() }]);
	expect(data).not.toEqual([{ rows: before }]);
});

test("a statement that ran costs a query of the month, also when it failed; one that is refused costs none", async () => {
	const key = await newKey(world.url);
	const remaining = async (sql: string) => {
		const { headers } = await ask(sql, "master", key);
		return Number(/"month";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
	};
	const first = await remaining("select 1 as n");
	for (const refused of ["select pg_sleep(1)", "select * frm x", "select nothing from projects"])
		await remaining(refused);
	expect(await remaining("select 1 as n")).toBe(first - 1);
	await remaining("select region::int from projects");
	expect(await remaining("select 1 as n")).toBe(first - 3);
});
