/** Random statements, straight to the processes that run them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { randomStatements } from "./random-statements.ts";
import { startStatements, type TestStatements } from "./statements.ts";

/** Content of a file that no statement may read. */
const secret = "s3cret-of-the-test";

export function fuzz(statements: number, seed: number): void {
	let system: TestStatements;
	let dir: string;
	let file: string;
	let functions: string[];
	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "fuzz-"));
		file = join(dir, "secret.csv");
		await writeFile(file, `a,b\n1,${secret}\n`);
		// On a busy machine, the first statement of a process takes a second.
		system = await startStatements({ timeoutMs: 2_000 });
		const instance = await DuckDBInstance.create(":memory:");
		const connection = await instance.connect();
		const names = await connection.runAndReadAll(
			"select distinct function_name from duckdb_functions() where function_name ~ '^[a-z]' order by 1",
		);
		functions = names.getRowsJson().map(([name]) => String(name));
		connection.closeSync();
		instance.closeSync();
	});
	afterAll(async () => {
		await system?.[Symbol.asyncDispose]();
		await rm(dir, { recursive: true, force: true });
	});

	test("no statement of the grammar reaches a file, and none ends the service", { timeout: 3_600_000 }, async () => {
		const next = randomStatements(seed, file, functions);
		const kinds: Record<string, number> = {};
		for (let n = 0; n < statements; n++) {
			const sql = next();
			const { outcome, body } = await system.pool.run({
				sql,
				database: "master",
				format: n % 5 === 0 ? "csv" : "json",
			});
			kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
			expect([sql, outcome.kind]).toEqual([sql, expect.stringMatching(/^(result|refused|failed)$/)]);
			expect([sql, body.includes(secret) || JSON.stringify(outcome).includes(secret)]).toEqual([sql, false]);
			if (outcome.kind === "result" && n % 5 !== 0)
				expect([sql, JSON.parse(`[${body}]`).length]).toEqual([sql, outcome.rows]);
		}
		// Statements that are all refused would prove little.
		expect(kinds.result ?? 0, JSON.stringify(kinds)).toBeGreaterThan(statements / 100);
		await eventually(async () => {
			expect((await system.ask("select count(*) as n from plants_view")).data).toEqual([{ n: 2000 }]);
			return true;
		});
	});
}
