/** The facts that hold of random statements, however many: of each course a random number starts it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkStatement } from "#libs/postgres/sandbox/check-statement.ts";
import { functions as callable } from "#libs/postgres/sandbox/functions.ts";
import { random } from "../../support/file-formats.ts";
import { commands, snooping, writes } from "./attacks.ts";
import { floods } from "./floods.ts";
import { fuzz, serverFunctions } from "./fuzz.ts";
import { longValues } from "./long-values.ts";
import { randomStatements } from "./random-statements.ts";
import { fingerprint, makeViews, startSandbox, type TestSandbox } from "./sandbox.ts";

const honest = [
	"select name, capacity_mw from plants_view where capacity_mw between 10 and 20 order by 2 desc limit 5",
	"with big as (select * from plants_view where id > 100) select states[1] as state, count(*) as n, sum(capacity_mw) as mw from big group by 1",
	"select date_trunc('month', opened_at) as month, count(*) filter (where id % 2 = 0) as even from plants_view group by 1 order by 1",
	"select p.id, q.id as other from plants_view p join plants_view q on q.id = p.id + 1 where p.name like 'Plant 1%' limit 10",
	"select id, row_number() over (partition by states order by capacity_mw desc) as place from plants_view limit 10",
];

export function fuzzSuite(courses: number[], statements: number): void {
	let system: TestSandbox;
	let functions: string[];
	let before: string;
	beforeAll(async () => {
		system = await startSandbox();
		await makeViews(system.owner, system.admin);
		functions = await serverFunctions(system);
		before = await fingerprint(system.admin);
	});
	afterAll(() => system?.[Symbol.asyncDispose]());

	test("of all functions that the server has, only those on the list can be called", async () => {
		expect(functions.length).toBeGreaterThan(2_000);
		const called: string[] = [];
		for (const name of functions) {
			const refused = await checkStatement(`select ${name}(id, name) from plants_view`, ["plants_view"]).then(
				() => undefined,
				(error: Error) => error.message,
			);
			if (refused === undefined || !/is not allowed|syntax error/.test(refused)) called.push(name);
		}
		expect(called.filter((name) => !callable.has(name))).toEqual([]);
		expect(called.length).toBeGreaterThan(50);
	});

	describe.each(courses)("course %i of random statements", (seed) => {
		test("comes to rows or reasons alone", async () => {
			const attacks = [...writes, ...commands, ...snooping, ...floods, ...longValues].map(({ sql }) => sql);
			const next = randomStatements(random(seed), {
				functions,
				statements: [...attacks, ...honest, ...honest, ...honest],
			});
			const { faults, answered } = await fuzz(system, next, statements);
			expect(faults).toEqual([]);
			// Some got through: otherwise only the parser was tried.
			expect(answered).toBeGreaterThan(statements / 20);
		}, 3_600_000);
	});

	test("after all of them nothing is changed, and statements are answered", async () => {
		expect(await fingerprint(system.admin)).toBe(before);
		const { status, data } = await system.ask("select count(*) as plants from plants_view");
		expect([status, data]).toEqual([200, [{ plants: 2000 }]]);
	});
}
