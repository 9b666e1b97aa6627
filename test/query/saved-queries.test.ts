/** Saved queries as a caller meets them: kept and changed under a name, run with values that are never part of the statement. */
import { beforeEach, expect } from "vitest";
import { operations } from "#libs/contract/index.ts";
import { newKey, unlimitedKey } from "../api/support/walk.ts";
import { test, type World } from "../support/world.ts";

let world: World;
let key: string;
let another: string;
test.beforeAll(async ({ readOnlyWorld }) => {
	world = readOnlyWorld;
	another = await newKey(world.url);
});
beforeEach(async () => {
	key = await unlimitedKey(world);
});

async function call(path: string, { method = "GET", body, by = key, accept }: Calling = {}) {
	const response = await fetch(world.url + path, {
		method,
		headers: {
			"x-api-key": by,
			...(body !== undefined && { "content-type": "application/json" }),
			...(accept !== undefined && { accept }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.includes("json") === true;
	return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
interface Calling {
	method?: string;
	body?: object;
	by?: string;
	accept?: string;
}

const ofState = {
	name: "of a state",
	sql: "select id, state, capacity_mw from projects where state = $state and capacity_mw >= $least_mw order by id",
	parameters: [
		{ name: "state", type: "text" },
		{ name: "least_mw", type: "number", default: 0 },
	],
};
const echo = {
	name: "echo",
	sql: "select $t as t, $n as n, $d as d, $b as b, typeof($n) as type_of_n, date_trunc('year', $d::date) as year",
	parameters: [
		{ name: "t", type: "text", default: null },
		{ name: "n", type: "number", default: null },
		{ name: "d", type: "date", default: null },
		{ name: "b", type: "boolean", default: null },
	],
};

async function save(query: object, by = key): Promise<number> {
	const { status, text, body } = await call("/queries", { method: "POST", body: query, by });
	if (status !== 200) throw new Error(text);
	return operations.createSavedQuery.reply.parse(body).query_id;
}
const run = (id: number, values: Record<string, string> = {}, calling: Calling = {}) =>
	call(`/queries/${id}/run?${new URLSearchParams(values)}`, calling);
const placesOf = ({ body }: { body: { errors?: { loc: string[]; msg: string }[] } }) =>
	body.errors?.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);

test("one is kept, listed, changed, run and deleted", async () => {
	const id = await save(ofState);
	const { body: shown } = await call(`/queries/${id}`);
	expect(shown).toMatchObject({ query_id: id, database: "master", ...ofState });
	expect((await call("/queries")).body.data).toEqual([shown]);
	const { status, body: changed } = await call(`/queries/${id}`, {
		method: "PATCH",
		body: { ...shown, query_id: undefined, created_at: undefined, changed_at: undefined, name: "renamed" },
	});
	expect([status, changed]).toMatchObject([200, { ...ofState, name: "renamed" }]);
	const answer = await run(id, { state: "TX", least_mw: "50.5" });
	const { data, meta } = operations.runSavedQuery.reply.parse(answer.body);
	expect(data.length).toBeGreaterThan(0);
	const expected = await world.sql`
		select id from projects where state = 'TX' and capacity_mw >= 50.5 order by id collate "C"`;
	expect(data.map((row) => row.id).sort()).toEqual(expected.map((row) => row.id).sort());
	expect(meta.columns[2]).toMatchObject({ name: "capacity_mw", unit: "MW", source: "master.projects.capacity_mw" });
	expect((await call(`/queries/${id}`, { method: "DELETE" })).body).toEqual({});
	expect((await run(id, { state: "TX" })).status).toBe(404);
});

test("values arrive as their types, absent ones as their defaults, and CSV and Parquet as of GET /query", async () => {
	const id = await save(echo);
	const values = { t: "é", n: "1e3", d: "2024-02-29", b: "true" };
	expect((await run(id, values)).body.data).toEqual([
		{ ...values, n: 1000, b: true, type_of_n: "DOUBLE", year: "2024-01-01T00:00:00" },
	]);
	expect((await run(id)).body.data).toEqual([{ t: null, n: null, d: null, b: null, type_of_n: '"NULL"', year: null }]);
	const csv = await run(id, { ...values, format: "csv" });
	expect([csv.headers.get("content-type"), csv.text.split("\r\n")[1]]).toEqual([
		expect.stringMatching(/^text\/csv/),
		"é,1000,2024-02-29,true,DOUBLE,2024-01-01T00:00:00",
	]);
	expect((await run(id, values, { accept: "text/csv" })).text).toBe(csv.text);
	const safe = await run(id, { t: "=1+1", n: "-1", format: "csv", safe: "1" });
	expect(safe.text.split("\r\n")[1]).toBe("'=1+1,-1,,,DOUBLE,");
	const parquet = await run(id, { ...values, format: "parquet" });
	expect(parquet.text.slice(0, 4)).toBe("PAR1");
});

test("a value is never part of the statement, whatever it contains", async () => {
	const id = await save(echo);
	const projects = await save({
		name: "count",
		sql: "select count(*) as n from projects where state = $state",
		parameters: [{ name: "state", type: "text" }],
	});
	const attacks = [
		"'; drop table projects; --",
		"TX' or '1'='1",
		"$1",
		"$t",
		"?",
		"read_csv('/etc/passwd')",
		"\\'; select 1",
		"/*",
		"__proto__",
		"",
		"\u202e",
		"x".repeat(1_000),
	];
	for (const t of attacks) {
		expect((await run(id, { t })).body.data).toMatchObject([{ t }]);
		expect((await run(projects, { state: t })).body.data).toEqual([{ n: 0 }]);
	}
});

test("a value that is unknown, missing, too long or of another type is a 422 that names the parameter, and nothing runs", async () => {
	const id = await save(echo);
	const required = await save(ofState);
	const wrong: [number, Record<string, string>, string[]][] = [
		[id, { t: "x".repeat(1_001) }, ["query.t: must have at most 1000 characters"]],
		[id, { t: "a\u0000" }, ["query.t: must not contain NUL"]],
		[id, { n: "1; drop" }, ["query.n: must be a number"]],
		[id, { n: "NaN", b: "yes" }, ["query.n: must be a number", "query.b: must be true or false"]],
		[id, { n: "1e999" }, [expect.stringMatching(/^query\.n: must be /)] as never],
		[id, { d: "2023-02-29" }, ["query.d: is not a day of the calendar"]],
		[
			id,
			{ u: "1", __proto__x: "1" },
			["query.u: is not a parameter of this query", "query.__proto__x: is not a parameter of this query"],
		],
		[required, {}, ["query.state: is required"]],
	];
	for (const [query, values, places] of wrong) {
		const answer = await run(query, values);
		expect([answer.status, placesOf(answer)]).toEqual([422, places]);
	}
	const twice = await call(`/queries/${id}/run?t=1&t=2`);
	expect([twice.status, placesOf(twice)]).toEqual([422, ["query.t: is given more than once"]]);
	expect((await call(`/queries/${id}/run?t=${"x".repeat(20_000)}`)).status).toBe(414);
});

test("an invalid statement is not saved", async () => {
	const text = { name: "x", type: "text" };
	const refused: [object, string][] = [
		[{ sql: "drop table projects" }, "sql"],
		[{ sql: "select * from read_csv('/etc/passwd')" }, "sql"],
		[{ sql: "select nothing from projects" }, "sql"],
		[{ sql: "select 1; select 2" }, "sql"],
		[{ sql: "select $x" }, "sql"],
		[{ sql: "select ?", parameters: [text] }, "sql"],
		[{ sql: "select $1", parameters: [text] }, "sql"],
		[{ sql: "select 1", parameters: [text] }, "sql"],
		[{ sql: `select '${"x".repeat(10_000)}'` }, "sql"],
		[{ sql: "select $x", parameters: [text, text] }, "parameters"],
		[{ sql: "select $x", parameters: [{ ...text, name: "format" }] }, "parameters"],
		[{ sql: "select $x", parameters: [{ ...text, name: "X" }] }, "parameters"],
		[{ sql: "select $x", parameters: [{ ...text, type: "integer" }] }, "parameters"],
		[{ sql: "select $x", parameters: [{ name: "x", type: "date", default: "soon" }] }, "parameters"],
		[{ sql: "select $x", parameters: [{ ...text, default: "\ud800" }] }, "parameters"],
		[
			{ sql: "select $x", parameters: Array.from({ length: 21 }, (_, n) => ({ ...text, name: `x${n}` })) },
			"parameters",
		],
		[{ sql: "select 1", name: "" }, "name"],
	];
	for (const [body, field] of refused) {
		const answer = await call("/queries", { method: "POST", body: { name: "bad", ...body } });
		expect([body, answer.status, answer.body.errors?.[0]?.loc?.slice(0, 2)]).toEqual([body, 422, ["body", field]]);
	}
	expect((await call("/queries")).body.data).toEqual([]);
	const id = await save(ofState);
	const half = await call(`/queries/${id}`, { method: "PATCH", body: { parameters: [] } });
	expect([half.status, half.body.errors[0].loc]).toEqual([422, ["body", "sql"]]);
});

test("of two saved at once under one name one is kept, and a name in use stays with its query", async () => {
	const answers = await Promise.all(
		[1, 2].map((n) => call("/queries", { method: "POST", body: { name: "one", sql: `select ${n} as n` } })),
	);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
	const other = await save({ name: "two", sql: "select 2 as n" });
	expect((await call(`/queries/${other}`, { method: "PATCH", body: { name: "one" } })).status).toBe(409);
	await save({ name: "one", sql: "select 1" }, await newKey(world.url));
	expect((await call("/queries")).body.data).toHaveLength(2);
});

test("another account's is unknown, and without a key there is none", async () => {
	const id = await save(echo);
	for (const [path, method] of [
		[`/queries/${id}`, "GET"],
		[`/queries/${id}`, "PATCH"],
		[`/queries/${id}`, "DELETE"],
		[`/queries/${id}/run`, "GET"],
	] as const) {
		const body = method === "PATCH" ? { body: { name: "taken" } } : {};
		expect([path, method, (await call(path, { method, by: another, ...body })).status]).toEqual([path, method, 404]);
		const keyless = await fetch(world.url + path, { method });
		expect([path, method, keyless.status]).toEqual([path, method, 403]);
	}
	expect((await call("/queries", { by: another })).body.data).toEqual([]);
	expect((await call(`/queries/${id}`)).body.name).toBe("echo");
});

test("an account has a hundred at most", async () => {
	const id = await save(echo);
	await world.subscriptionsSql`
		insert into saved_queries (account_id, name, statement, database, parameters)
		select account_id, 'n' || n, statement, database, parameters from saved_queries, generate_series(1, 99) n
		where id = ${id}`;
	const answer = await call("/queries", { method: "POST", body: { name: "more", sql: "select 1" } });
	expect([answer.status, placesOf(answer)]).toEqual([
		422,
		["body.name: the account has 100 saved queries, which is the limit"],
	]);
});

test("a run costs a query of the month, also one that fails, and one that is refused none", async () => {
	key = await newKey(world.url);
	const id = await save({ name: "n", sql: "select 1 / $n as part", parameters: [{ name: "n", type: "number" }] });
	const left = async (values: Record<string, string>) =>
		Number(/"month";r=(\d+)/.exec((await run(id, values)).headers.get("ratelimit") ?? "")?.[1]);
	const first = await left({ n: "1" });
	await run(id, { n: "none" });
	const lower = await save({ name: "lower", sql: "select lower($n)", parameters: [{ name: "n", type: "number" }] });
	expect((await run(lower, { n: "1" })).body).toMatchObject({
		code: "statement_refused",
		detail: expect.stringContaining("No function matches"),
	});
	expect(await left({ n: "2" })).toBe(first - 1);
	const zoned = await save({
		name: "zoned",
		sql: "select now() at time zone (select max(name) || $zone from projects)",
		parameters: [{ name: "zone", type: "text" }],
	});
	expect((await run(zoned, { zone: "!" })).body).toMatchObject({
		code: "statement_failed",
		detail: expect.not.stringContaining("!"),
	});
	expect(await left({ n: "3" })).toBe(first - 3);
});
