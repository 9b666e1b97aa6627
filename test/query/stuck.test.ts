/** A statement during which PostgreSQL hears nothing: its process is stopped here, as one that computes a single long value is. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
});
afterAll(() => system?.[Symbol.asyncDispose]());

const slow = "select count(*) as n from generate_series(1, 1000000) a, generate_series(1, 90) b where sqrt(a + b) < 0";
const running = () => system.admin<{ pid: number }[]>`
	select pid from pg_stat_activity
	where usename = 'query_master' and datname = current_database() and state = 'active' and query like '%sqrt(a + b)%' and query not like 'explain%'`;

test.skipIf(process.env.TEST_POSTGRES_URL?.includes("127.0.0.1") !== true)(
	"it is answered as one that took too long, gives its place back, and its session is ended as soon as it listens",
	async () => {
		const asked = system.ask(slow);
		const pid = await eventually(async () => {
			const [found] = await running();
			expect(found).toBeDefined();
			return found?.pid ?? 0;
		});
		process.kill(pid, "SIGSTOP");
		try {
			expect(await asked).toMatchObject({ status: 400, detail: expect.stringContaining("took longer than 5 s") });
			expect(await system.ask("select 1 as n")).toMatchObject({ status: 200, data: [{ n: 1 }] });
		} finally {
			process.kill(pid, "SIGCONT");
		}
		// Sooner than its pool would close it for having nothing to do.
		await eventually(async () => (await system.admin`select from pg_stat_activity where pid = ${pid}`).length === 0);
	},
);
