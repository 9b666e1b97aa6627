/** Attacks on POST /query: each is answered 400 with a reason, nothing is written, and others are answered as before. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attack, commands, snooping, writes } from "./support/attacks.ts";
import { floods } from "./support/floods.ts";
import { longValues } from "./support/long-values.ts";
import { fingerprint, makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
let before: string;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
	before = await fingerprint(system.admin);
});
afterAll(() => system?.[Symbol.asyncDispose]());

/** What an answer must not say: names of schemas, roles, files and of what this is written in. */
const inside = /queue_ingest\.\w|query_\w+\.|\/(usr|var|tmp)\/|postgres\.js|node:|\.c:\d|password/i;

const groups: [string, Attack[]][] = [
	["what writes or locks", writes],
	["what is no single SELECT", commands],
	["what looks elsewhere", snooping],
	["what takes too much", floods],
	["what takes too long for a single value, or too much memory", longValues],
];
for (const [title, attacks] of groups) {
	describe(title, () => {
		test.each(attacks)("$name is refused", async ({ sql, says }) => {
			const { status, detail, text } = await system.ask(sql);
			expect([status, detail]).toEqual([400, expect.stringMatching(typeof says === "string" ? literally(says) : says)]);
			expect(detail.length).toBeGreaterThan(10);
			// What the caller named may be named again.
			expect(sql.split(/[\s(),;]+/).reduce((rest, word) => rest.replaceAll(word, ""), text)).not.toMatch(inside);
		});
	});
}

const literally = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));

test("there are many attacks, and each has a name of its own", () => {
	const names = groups.flatMap(([, attacks]) => attacks.map(({ name }) => name));
	expect(names.length).toBeGreaterThanOrEqual(150);
	expect(new Set(names).size).toBe(names.length);
});

test("after all of them nothing is changed, and statements are answered", async () => {
	expect(await fingerprint(system.admin)).toBe(before);
	const { status, data } = await system.ask("select count(*) as plants from plants_view");
	expect([status, data]).toEqual([200, [{ plants: 2000 }]]);
	const [held] = await system.admin`
		select count(*)::int as locks from pg_locks l join pg_stat_activity a using (pid)
		where l.locktype = 'advisory' and a.usename like 'query\\_%' and a.datname = current_database()`;
	expect(held).toEqual({ locks: 0 });
});

test("the fingerprint sees a row, a grant and a large object", async () => {
	const marks = [await fingerprint(system.admin)];
	for (const change of [
		"insert into queue_ingest.test_plants values (0, 'x')",
		"grant select on queue_ingest.test_plants to query_signals",
		"select lo_create(0)",
	]) {
		await system.admin.unsafe(change);
		marks.push(await fingerprint(system.admin));
	}
	expect(new Set(marks).size).toBe(4);
});
