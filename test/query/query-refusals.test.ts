/** POST /query where it is not answered: what is wrong and where, too many at once, not set up. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { openSandbox } from "#libs/postgres/sandbox/sandbox.ts";
import { queryLimits } from "../../libs/contract/databases.ts";
import { makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
});
afterAll(() => system?.[Symbol.asyncDispose]());

describe("errors", () => {
	test.each([
		["select id,\n  nme\nfrom plants_view", 'column "nme" does not exist (line 2, column 3)'],
		["-- ünï\n;; select 'é', nme from plants_view", 'column "nme" does not exist (line 2, column 16)'],
		["select * frm plants_view", 'syntax error at or near "frm" (line 1, column 10)'],
		["select 'é' as a, * frm x", 'syntax error at or near "frm" (line 1, column 20)'],
		["select id from plants_view where", "syntax error at end of input (line 1, column 33)"],
		["select lower(id) from plants_view", "function lower(integer) does not exist (line 1, column 8)"],
		["select id + name from plants_view", "operator does not exist: integer + text (line 1, column 11)"],
		["select 'x'::int as n", 'invalid input syntax for type integer: "x" (line 1, column 8)'],
		["select id / (id - 1) as n from plants_view", "division by zero"],
		["select id, count(*) from plants_view", 'column "plants_view.id" must appear in the GROUP BY clause'],
		["select (select id from plants_view) as n", "more than one row returned by a subquery used as an expression"],
		["select id, id from plants_view", "two columns are named id: name them apart with AS"],
		["select from plants_view", "the statement has no columns"],
		["select * from powerplants", 'there is no view "powerplants" in this database: it has '],
		[
			"select upper(name) from plants_view where pg_sleep(1) is null",
			"the function pg_sleep is not allowed (line 1, column 43)",
		],
	])("%j is answered with what is wrong and where", async (sql, says) => {
		const { status, detail } = await system.ask(sql);
		expect([status, detail]).toEqual([400, expect.stringContaining(says)]);
	});

	test("no place is named where none is known", async () => {
		const { status, detail } = await system.ask("select E'\\xff' as x");
		expect([status, detail]).toEqual([400, expect.stringContaining("invalid byte sequence")]);
		expect(detail).not.toContain("line");
	});

	test("a view of another database is named as missing, with those there are", async () => {
		const { detail } = await system.ask("select * from nothing_at_all");
		expect(detail).toMatch(/it has .*plants_view.* \(line 1, column 15\)$/);
		expect((await system.ask("select * from plants_view", { database: "grid" })).status).toBe(400);
	});

	test("a database or a text that is none is refused as a parameter", async () => {
		expect((await system.ask("select 1", { database: "billing" })).status).toBe(422);
		expect((await system.ask("")).status).toBe(422);
		expect((await system.ask(`select 1 -- ${"x".repeat(queryLimits.sqlCharacters)}`)).status).toBe(422);
	});

	test("half a character is no other text for the parser than for the server", async () => {
		expect(await system.ask("select '\ud800' as x, length('\udc00x') as n")).toMatchObject({
			status: 200,
			data: [{ x: "\ufffd", n: 2 }],
		});
	});
});

describe("at the same time", () => {
	const run = (subject: string, sandbox = system.sandbox) =>
		sandbox.run({ sql: "select 1 as n", database: "master", format: "json", subject });
	const one = expect.stringContaining('"data":[{"n":1}]');
	const tooMany = {
		status: 429,
		retryAfterSeconds: 1,
		message: "2 statements of yours are running: send the next when one has ended",
	};

	test("a third statement of the same caller is refused, and the two are answered", async () => {
		const [first, second, third] = await Promise.allSettled([run("a"), run("a"), run("a")]);
		expect([first, second]).toEqual(Array(2).fill({ status: "fulfilled", value: one }));
		expect(third).toMatchObject({ status: "rejected", reason: tooMany });
		expect(await run("a")).toEqual(one);
	});

	test("statements count that another replica is running", async () => {
		await using replica = connect(system.database.url, { schema: "queue_ingest", name: "replica", max: 1 });
		await using other = system.openReplica();
		await replica`select pg_advisory_lock(hashtext('query b'), slot) from generate_series(1, 2) as slot`;
		await expect(run("b")).rejects.toMatchObject(tooMany);
		await expect(run("b", other)).rejects.toMatchObject(tooMany);
		expect(await run("c")).toEqual(one);
		await replica`select pg_advisory_unlock(hashtext('query b'), 2)`;
		expect(await run("b")).toEqual(one);
		// The place is free again when the statement has ended.
		expect(await run("b", other)).toEqual(one);
	});

	test("who is refused leaves no place taken", async () => {
		for (let n = 0; n < 3 * queryLimits.atOnce; n++) expect((await system.ask("select pg_sleep(1)")).status).toBe(400);
		expect((await system.ask("select 1 as n")).status).toBe(200);
	});

	test("statements beyond those that run wait their turn, and beyond those that wait they are told to come back", async () => {
		const callers = Array.from({ length: 24 }, (_, n) => `account:${100 + n}`);
		const ended = await Promise.allSettled(
			callers.map((subject) =>
				system.sandbox.run({
					sql: "select count(*) as n from plants_view",
					database: "master",
					format: "json",
					subject,
				}),
			),
		);
		const refused = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
		expect(refused).toHaveLength(6);
		for (const reason of refused) expect(reason).toMatchObject({ status: 503, retryAfterSeconds: 2 });
	});
});

test("without the readers' password nothing is run, and that is said", async () => {
	await using without = openSandbox({ url: system.database.url, password: undefined, owner: "queue-ingest" });
	await expect(
		without.run({ sql: "select 1", database: "master", format: "json", subject: "a" }),
	).rejects.toMatchObject({ status: 503, message: "SQL is not set up here" });
});
