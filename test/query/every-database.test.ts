/** POST /query and GET /query/schema over the whole constellation: nine databases of three services. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { databases } from "../../libs/contract/databases.ts";
import { raiseDataVersion, readDataVersion } from "../../libs/postgres/data-version.ts";
import { newKey, unlimitedKey } from "../api/support/walk.ts";
import { connect, textOf } from "../mcp/support/client.ts";
import { problem } from "../support/problem.ts";
import { startWorld, type World } from "../support/world.ts";
import { expectSame, listFrom, rowsOf, viewRows } from "./support/views.ts";

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
		const counts = views.map(({ name }) => `(select count(*) from ${name}) as ${name}`);
		const { data } = operations.runQuery.reply.parse(await (await ask(`select ${counts}`, database)).json());
		expect([database, data]).toEqual([database, [Object.fromEntries(views.map(({ name, rows }) => [name, rows]))]]);
		for (const { name, description, columns } of views) {
			expect([database, name, description]).not.toEqual([database, name, ""]);
			for (const column of columns) expect([name, column.name, column.description]).not.toContain("");
			const whole = operations.runQuery.reply.parse(await (await ask(`from ${name} limit 1`, database)).json());
			expect(whole.meta.columns).toEqual(
				columns.map((column) => ({ ...column, source: `${database}.${name}.${column.name}` })),
			);
		}
	}
});

describe("active requests", () => {
	interface Sum {
		value: string | null;
		requests: number;
		mw: number;
	}
	const { runQuery, groupProjects, listProjects, getStats, getQueueIntegrity } = operations;
	/** The groups in PostgreSQL: generation, in the newest list, with the status Active. */
	const wanted = (column: string) =>
		world.sql.unsafe<Sum[]>(`
			select ${column} as value, count(*)::integer as requests, round(sum(incremental_mw::numeric), 3)::float8 as mw
			from projects where kind = 'generation' and listed = 'listed' and status_std = 'Active' and status_flag is distinct from 'void_window'
				and request_class in ('new', 'modification') group by 1 order by 1`);
	let key: string;
	const read = async (path: string): Promise<unknown> =>
		(await fetch(`${world.url}${path}`, { headers: { "x-api-key": key } })).json();

	beforeAll(async () => {
		key = await unlimitedKey(world);
		// Every active request gets copies that differ in one condition, so that a count without the condition differs in every group.
		const others = [
			...["load", "distribution", "utility", "transmission"].map((kind) => ({ kind })),
			// `listed` follows from these days.
			...[{ missing_since: "2026-01-01" }, { missing_since: "2026-01-01", disappeared_at: "2026-01-02" }],
			...["Suspended", "Withdrawn", "Operational"].map((status_std) => ({ status_std })),
			...["replacement", "surplus", "capacity_rights"].map((request_class) => ({ request_class })),
			{ status_flag: "void_window" },
		];
		await world.sql.begin(async (tx) => {
			await tx`
				insert into projects select copied.* from projects p
				cross join jsonb_array_elements(${others as never}::jsonb) with ordinality as other (fields, place)
				cross join lateral jsonb_populate_record(p, other.fields || jsonb_build_object('id', p.id || '~other' || place)) copied
				where p.kind = 'generation' and p.listed = 'listed' and p.status_std = 'Active' and p.status_flag is null and p.request_class = 'new'`;
			await raiseDataVersion(tx);
		});
		await world.extracted();
		expect(
			await world.sql`select distinct kind, listed, status_std, status_flag, request_class from projects where id like '%~other%'`,
		).toHaveLength(others.length);
	});

	test.each([
		["operator", "region", "region", "region"],
		["state", "state", "state", "state"],
		["technology", "type_std", "technology", "fuel_type"],
	])("of each %s are as many, of as many MW, in SQL, lists and groups", async (_, column, by, filter) => {
		const sums = [...(await wanted(column))];
		expect(sums.length).toBeGreaterThan(5);
		const statement = `select ${column} as value, count(*)::integer as requests, round(sum(active_mw), 3) as mw
			from active_requests group by 1 order by 1`;
		expect(runQuery.reply.parse(await (await ask(statement, "master", key)).json()).data).toEqual(sums);
		const groups = groupProjects.reply.parse(await read(`/projects/groups?by=${by}&active=true&per_page=500`));
		expect(
			groups.data
				.map(({ value, requests, capacity_mw }) => ({ value, requests, mw: capacity_mw }))
				.sort((a, b) => (a.value === null ? 1 : b.value === null ? -1 : a.value < b.value ? -1 : 1)),
		).toEqual(sums);
		for (const { value, requests, mw } of sums) {
			if (value === null) continue;
			const query = new URLSearchParams({ active: "true", [filter]: value, per_page: "500" });
			const list = listProjects.reply.parse(await read(`/projects?${query}`));
			expect([value, list.meta.total]).toEqual([value, requests]);
			expect(list.data.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0)).toBeCloseTo(mw, 3);
		}
	});

	test("in all are those of /stats, the MCP tool get_stats, /queue/integrity and the declared example of SQL", async () => {
		const [all] = await wanted("null");
		const gw = Math.round(all?.mw ?? 0) / 1_000;
		const { data } = getStats.reply.parse(await read("/stats"));
		expect(data.active_capacity_gw).toBe(gw);
		expect(data.active_projects).toBe(all?.requests);
		const reasons = data.active_left_out.map(({ reason, count }) => [reason, count]);
		for (const reason of ["replacement", "surplus", "capacity_rights", "void_window"])
			expect(reasons).toContainEqual([reason, expect.any(Number)]);
		expect(data.by_status.reduce((sum, { count }) => sum + count, 0)).toBe(data.total_projects);
		const every = getStats.reply.parse(await read("/stats?population=all&include_unlisted=true"));
		expect(every.data.active_capacity_gw).toBe(gw);
		await using agent = await connect(world.url, { headers: { "x-api-key": key } });
		const answer = JSON.parse(textOf(await agent.call("get_stats"))) as { data: object };
		expect(Object.entries(answer.data).slice(0, 2)).toEqual([
			["active_capacity_gw", gw],
			["by_status", data.by_status],
		]);
		const { snapshot } = getQueueIntegrity.reply.parse(await read("/queue/integrity"));
		const regions = await wanted("region");
		for (const { value, requests } of regions)
			expect([value, snapshot.regions[value as never]]).toMatchObject([value, { active: requests }]);
		const { sql, database } = runQuery.example;
		const example = runQuery.reply.parse(await (await ask(sql, database, key)).json());
		expect(example.data.toSorted((a, b) => (String(a.region) < String(b.region) ? -1 : 1))).toEqual(
			regions.map(({ value, requests, mw }) => ({ region: value, requests, mw: Math.round(mw) })),
		);
	});
});

test("a view of one database is unknown in another", async () => {
	const answer = await ask("select * from projects", "signals");
	expect(answer.status).toBe(400);
	expect(await answer.json()).toEqual(
		problem({
			detail: expect.stringMatching(
				/^there is no view "projects" in the database signals \(write master\.projects\): it has .*\(line 1, column 15\)$/,
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

test("each generator stands there once a year, whichever schedules list it, as GET /grid/generators shows it", async () => {
	await world.sql.begin(async (tx) => {
		await tx`
			insert into generators (year, schedule, plant_id, generator_id, stage, capacity_mw)
			select year, 'solar', plant_id, generator_id, stage, 9999 from generators where schedule = 'generator' limit 5`;
		await raiseDataVersion(tx);
	});
	await world.extracted();
	const key = "plant_id,generator_id,year";
	const view = await viewRows(world.url, "grid", "generators", key);
	const answers = await listFrom(world.url, "/grid/generators?per_page=500");
	expectSame(answers, view, key, { except: ["status_text", "schedules", "source", "as_of"] });
	expect([...view.values()].filter(({ is_newest }) => is_newest)).toHaveLength(answers.length);
	expect(await rowsOf(world.url, "grid", "select count(*) as n from generators")).toEqual([{ n: view.size }]);
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
