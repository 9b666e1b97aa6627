/** Attacks on POST /query: each is answered 400 with a reason, reaches nothing, takes little, and others are answered as before. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attack, commands, floods, snooping } from "./support/attacks.ts";
import { startStatements, type TestStatements } from "./support/statements.ts";

/** Content of a file that no statement may read. */
const secret = "s3cret-of-the-test";
let system: TestStatements;
let dir: string;
let file: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "attacked-"));
	file = join(dir, "secret.csv");
	await writeFile(file, `a,b\n1,${secret}\n`);
	// Floods are given three seconds rather than five: what they take, they take in the first. query-refusals.test.ts has processes replaced.
	system = await startStatements({ timeoutMs: 3_000, statementsPerProcess: 1_000 });
});
afterAll(async () => {
	await system?.[Symbol.asyncDispose]();
	await rm(dir, { recursive: true, force: true });
});

/** Texts that no answer may contain: contents and names of files, and of what the sandbox is written in. */
const inside = /s3cret|statements-|node:|DuckDB|bad_alloc|HOME=/;
const literally = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);

async function attacked({ sql, says }: Attack): Promise<void> {
	const statement = sql.replaceAll("{file}", file);
	const { status, detail } = await system.ask(statement);
	expect([detail, status]).toEqual([expect.stringMatching(typeof says === "string" ? literally(says) : says), 400]);
	expect(detail.length).toBeGreaterThan(10);
	expect(detail).not.toMatch(inside);
}

describe("a statement that is not a single SELECT", () => {
	test.each(commands)("$name is refused", attacked);
});
describe("a statement that reads outside of the views", () => {
	test.each(snooping)("$name is refused", attacked);
});

describe("a statement that takes too much", () => {
	for (const [some, tags] of [
		[floods.slice(0, 3), []],
		[floods.slice(3), ["campaign"]],
	] as const)
		test.each(some)("$name is ended, and takes less than a gibibyte", { tags: [...tags] }, async (flood) => {
			const before = childBytes();
			let most = 0;
			let ended = false;
			const running = attacked(flood).finally(() => {
				ended = true;
			});
			while (!ended) {
				most = Math.max(most, childBytes() - before);
				await pause(20);
			}
			await running;
			expect(most).toBeLessThan(1024 ** 3);
		});
});

/** Memory in use by processes that this one has started. */
function childBytes(): number {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.reduce((sum, pid) => {
			try {
				const status = readFileSync(`/proc/${pid}/status`, "utf8");
				const isOurs = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid;
				return isOurs ? sum + 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) : sum;
			} catch {
				// The process has ended.
				return sum;
			}
		}, 0);
}

test("there are many attacks, and each has a name of its own", () => {
	const names = [...commands, ...snooping, ...floods].map(({ name }) => name);
	expect(names.length).toBeGreaterThanOrEqual(200);
	expect(new Set(names).size).toBe(names.length);
});

test("after all of them statements are answered", async () => {
	expect((await system.ask("select count(*) as plants from plants_view")).data).toEqual([{ plants: 2000 }]);
});

const unsupported = "a function does not support one of its arguments";

describe("an error says nothing of the data, and counts", () => {
	test.each([
		["select timezone((select string_agg(name, ',') from plants_view), now())", unsupported],
		["select timezone('projects_as_of: ' || name, now()) from plants_view", unsupported],
		["select strftime(now(), name || '%') from plants_view", "a function does not accept one of its arguments"],
		[
			"select id from plants_view limit (select name from plants_view limit 1)",
			"a function does not accept one of its arguments",
		],
		["select name::int from plants_view", "a value could not be converted"],
		["select factorial(id) from plants_view", ""],
		["select (select name from plants_view)", "more than one row returned by a subquery used as an expression"],
		["select name::json from plants_view", ""],
		["select regexp_matches('a', name || '(') from plants_view", ""],
	])("%s", async (sql, says) => {
		const { status, detail, text } = await system.ask(sql);
		expect(detail).toMatch(literally(says));
		expect([status, detail]).toEqual([400, expect.not.stringMatching(/Plant|\d{3}/)]);
		expect(JSON.parse(text)).toMatchObject({ code: "statement_failed" });
	});
});
