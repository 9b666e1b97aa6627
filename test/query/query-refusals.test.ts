/** POST /query where it is not answered: what is wrong and where, too many at once, nothing loaded, and what becomes of processes. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRunning } from "../../deploy/local/postgres-remains.ts";
import { queryLimits } from "../../libs/contract/databases.ts";
import { QueryProcess } from "../../services/query/pool/process.ts";
import { eventually } from "../support/eventually.ts";
import { held, startStatements, type TestStatements } from "./support/statements.ts";

let system: TestStatements;
beforeAll(async () => {
	system = await startStatements({ settings: { TRUSTED_PROXIES: "127.0.0.1" } });
});
afterAll(() => system?.[Symbol.asyncDispose]());

describe("errors", () => {
	test.each([
		["select id,\n  nme\nfrom plants_view", 'Referenced column "nme" not found in FROM clause!', "(line 2, column 3)"],
		["-- ünï\n;; select 'é', nme from plants_view", 'Referenced column "nme" not found', "(line 2, column 16)"],
		["select * frm plants_view", 'syntax error at or near "plants_view"', "(line 1, column 14)"],
		["select id from plants_view where", "syntax error at end of input", ""],
		[
			"select lower(id, 1) from plants_view",
			"No function matches the given name and argument types",
			"(line 1, column 8)",
		],
		["select id + name from plants_view", "No function matches", "(line 1, column 11)"],
		["select id, count(*) from plants_view", 'column "id" must appear in the GROUP BY clause', ""],
		["select from plants_view", "SELECT clause without selection list", ""],
		[
			"select * from powerplants",
			'there is no view "powerplants" in the database master: it has ',
			"(line 1, column 15)",
		],
		["select * from nowhere.x", 'there is no database "nowhere": the databases are master, ', "(line 1, column 15)"],
		[
			"select upper(name) from plants_view where pg_sleep(1) is null",
			"the function pg_sleep is not allowed",
			"(line 1, column 43)",
		],
		["select 'x'::int as n", "a value could not be converted", ""],
		["select (select id from plants_view) as n", "more than one row returned by a subquery", ""],
	])("%j is answered with what is wrong and where", async (sql, says, place) => {
		const { status, detail } = await system.ask(sql);
		expect([status, detail]).toEqual([400, expect.stringContaining(says)]);
		expect(detail.endsWith(place)).toBe(true);
	});

	test("a database or a text that is none is refused as a parameter", async () => {
		expect((await system.ask("select 1", { database: "billing" })).status).toBe(422);
		expect((await system.ask("")).status).toBe(422);
		expect((await system.ask(`select 1 -- ${"x".repeat(queryLimits.sqlCharacters)}`)).status).toBe(422);
	});

	test("half a character is replaced, wherever it stands", async () => {
		expect(await system.ask("select '\ud800' as x, length('\udc00x') as n")).toMatchObject({
			status: 200,
			data: [{ x: "\ufffd", n: 2 }],
		});
	});
});

describe("at the same time", () => {
	const as = (address: string) => ({ headers: { "x-forwarded-for": address } });

	test("a caller's third statement waits for his first, and a fifth is refused", async () => {
		const { release } = system.hold();
		const requests = Array.from({ length: 5 }, () => system.ask(held));
		expect((await Promise.race(requests)).status).toBe(429);
		await eventually(() => expect(system.slots.load).toEqual({ running: 2, waiting: 2 }));
		release();
		const statuses = (await Promise.all(requests)).map(({ status }) => status).sort();
		expect(statuses).toEqual([200, 200, 200, 200, 429]);
	});

	test("another caller's statement is answered while one takes all the places he may have, and one with a paid plan while others take theirs", async () => {
		const { release } = system.hold();
		let ended = 0;
		const askHeld = (address: string, times: number) =>
			Array.from({ length: times }, () => system.ask(held, as(address)).finally(() => ended++));
		const greedy: Promise<unknown>[] = askHeld("192.0.2.1", 4);
		const isUnderWay = () => system.slots.load.running + system.slots.load.waiting === greedy.length;
		await eventually(isUnderWay);
		expect(await system.ask("select 1 as n", as("192.0.2.2"))).toMatchObject({ status: 200, data: [{ n: 1 }] });
		greedy.push(...askHeld("192.0.2.3", 1));
		greedy.push(system.runFor({ account: "5", address: "192.0.2.7", plan: "Free" }, held).finally(() => ended++));
		await eventually(isUnderWay);
		expect(await system.runFor({ account: "1", address: "192.0.2.4" }, "select 1 as n")).toEqual([{ n: 1 }]);
		expect(ended).toBe(0);
		release();
		await Promise.all(greedy);
	});

	test("a caller without a paid plan waits once the CPU time of its account or address is used up, as do statements paid for that fail; others do not", async () => {
		await using limited = await startStatements({
			settings: { TRUSTED_PROXIES: "127.0.0.1" },
			cpu: { unpaidCpuMs: 50, unpaidCpuMsPerMinute: 60 },
		});
		const [one, other] = ["192.0.2.5", "192.0.2.6"];
		const long = "select count(*) as n from range(30000000) t(i) where i % 7 = 8";
		expect(await limited.ask(long, as(one))).toMatchObject({ status: 200, data: [{ n: 0 }] });
		const refused = await limited.ask("select 1 as n", as(one));
		expect([refused.status, refused.detail]).toEqual([429, expect.stringContaining("CPU time of this address")]);
		expect((await limited.ask("select 1 as n", as(other))).status).toBe(200);
		for (const _ of [1, 2]) expect((await limited.ask(long)).status).toBe(200);
		expect(await limited.runFor({ account: "1", address: one }, "select 1 as n")).toEqual([{ n: 1 }]);
		const free = { account: "6", address: one, plan: "Free", limited: true } as const;
		expect(await limited.runFor(free, long)).toEqual([{ n: 0 }]);
		await expect(limited.runFor({ ...free, address: other }, "select 1 as n")).rejects.toMatchObject({
			...{ status: 429, message: expect.stringContaining("CPU time of this account") },
		});
		const wide = `select * from ${Array.from({ length: 500 }, (_, n) => `requests_view as v${n}`).join()}`;
		// On a busy machine it runs out of time, which takes as much CPU time.
		await Promise.allSettled([limited.check("7", wide)]);
		await expect(limited.check("7", "select 1 as n")).rejects.toMatchObject({ status: 429 });
		const paid = { address: "192.0.2.8", limited: false };
		const failing =
			"select cast(case when max(i) > 0 then 'x' end as int) from range(30000000) t(i) where i % 7 = 8 or i = 1";
		expect(await limited.runFor(paid, long)).toEqual([{ n: 0 }]);
		await expect(limited.runFor(paid, failing)).rejects.toMatchObject({ status: 400 });
		await expect(limited.runFor(paid, "select 1 as n")).rejects.toMatchObject({ status: 429 });
		limited.clock.now += Number(refused.headers.get("retry-after")) * 1_000;
		expect((await limited.ask("select 1 as n", as(one))).status).toBe(200);
	});
});

const endless = "select count(*) from range(10000000000000) t(i) where i % 7 = 8";

describe("processes", () => {
	const pids = (): number[] =>
		readdirSync("/proc").flatMap((name) => {
			try {
				const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
				const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
				return /query\/child\/main/.test(command) && parent === process.pid ? [Number(name)] : [];
			} catch {
				return [];
			}
		});

	test("run under limits of the operating system, with an empty environment and a lower priority", async () => {
		await using _started = new QueryProcess([], { dataKb: 920_000, timeoutMs: 1_000 });
		// It is the newest one, once the shell that sets the limits has become it.
		await eventually(() => {
			const pid = Math.max(...pids());
			const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
			expect(limits).toMatch(/^Max data size +942080000 /m);
			expect(limits).toMatch(/^Max file size +0 /m);
			expect(limits).toMatch(/^Max core file size +0 /m);
			// The shell adds where it is.
			expect(readFileSync(`/proc/${pid}/environ`, "utf8").replace(/^PWD=[^\0]*\0$/, "")).toBe("");
			expect(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[16]).toBe("10");
			return true;
		});
	});

	test("one that is killed in the middle of a statement costs that statement, and the next caller notices nothing", async () => {
		await system.ask("select 1 as n");
		const before = pids();
		const answered = system.ask(endless);
		await eventually(() => system.slots.load.running === 1);
		for (const pid of before) process.kill(pid, "SIGKILL");
		expect(await answered).toMatchObject({
			status: 400,
			detail: expect.stringMatching(/^(out_of_memory|timed_out): /),
		});
		// Until it is reaped, the pool does not know that it has ended.
		await eventually(() => !before.some(isRunning));
		expect(await system.ask("select 1 as n")).toMatchObject({ status: 200 });
	});

	test("are replaced after so many statements, end when nothing is to do, and follow new files at once", async () => {
		await using short = await startStatements({ statementsPerProcess: 2, idleMs: 1_000 });
		const seen = new Set<number>();
		// Two processes are seen at a time: the second is started ahead of need.
		for (let n = 0; n < 4; n++) {
			expect((await short.ask("select 1 as n")).status).toBe(200);
			for (const pid of pids()) seen.add(pid);
		}
		expect(seen.size).toBeGreaterThanOrEqual(3);
		await eventually(() => short.pool.size === 0);
		expect((await short.ask("select count(*) as n from plants_view")).data).toEqual([{ n: 2000 }]);
		short.pool.use([]);
		expect((await short.ask("select count(*) as n from plants_view")).detail).toMatch(
			/^the database master is not loaded yet/,
		);
	});
});

test("a database that is not loaded yet is named in the error", async () => {
	const notLoaded = { status: 503, detail: "the database signals is not loaded yet: try again soon" };
	expect(await system.ask("select 1 as n", { database: "signals" })).toMatchObject(notLoaded);
	expect(await system.ask("select * from signals.news")).toMatchObject(notLoaded);
});
