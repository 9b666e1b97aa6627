import { expect, test } from "vitest";
import { startInboxPruning } from "#libs/service/open-owner.ts";
import { type Job, schedule } from "#libs/service/schedule.ts";
import { sqlOf } from "../bus/parties.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

const database = await createDatabase();
const sql = sqlOf(database.url);
const log = { debug() {}, info() {}, error() {} };
const job = (more: Partial<Job> & Pick<Job, "run">): Job => ({ name: "count-things", sql, log, everyMs: 5, ...more });

test("only one of several replicas runs a job at a time", async () => {
	await using otherSql = sqlOf(database.url);
	let running = 0;
	let most = 0;
	const runs = new Map<string, number>();
	const replica = (name: string) => async () => {
		most = Math.max(most, ++running);
		await sql`select pg_sleep(0.005)`;
		runs.set(name, (runs.get(name) ?? 0) + 1);
		running--;
	};
	await using _ = schedule(job({ run: replica("one") }));
	await using __ = schedule(job({ run: replica("other"), sql: otherSql }));
	await eventually(() => (runs.get("one") ?? 0) > 3 && (runs.get("other") ?? 0) > 3);
	expect(most).toBe(1);
});

test("a job that ran while the clock was a day ahead keeps running after the clock is corrected", async () => {
	let at = Date.parse("2026-03-02T12:00:00Z");
	let looks = 0;
	let runs = 0;
	const now = () => {
		looks++;
		return new Date(at);
	};
	const run = async () => {
		runs++;
		looks = 0;
	};
	await using _ = schedule(job({ everyMs: 20, now, run }));
	at += 20;
	await eventually(() => runs === 1 && looks > 4);
	at -= 86_400_000 + 3_600_000;
	looks = 0;
	await eventually(() => looks > 4);
	at += 20;
	await eventually(() => runs === 2);
});

test("two jobs do not wait for each other", async () => {
	const { promise: met, resolve } = Promise.withResolvers<void>();
	const { promise: second, resolve: arrive } = Promise.withResolvers<void>();
	await using _ = schedule(job({ run: () => second.then(resolve) }));
	await using __ = schedule(job({ name: "count-others", run: async () => arrive() }));
	await met;
});

test("a job that fails is logged and runs again", async () => {
	const errors: object[] = [];
	let runs = 0;
	const run = async () => {
		runs++;
		if (runs < 3) throw new Error("the source is down");
	};
	await using _ = schedule(job({ run, log: { ...log, error: (fields: object) => errors.push(fields) } }));
	await eventually(() => runs > 3);
	expect(errors).toMatchObject([
		{ job: "count-things", err: new Error("the source is down") },
		{ job: "count-things" },
	]);
});

test("a run that exceeds its time is aborted as failed, and the job runs again", async () => {
	const errors: object[] = [];
	const reasons: unknown[] = [];
	let runs = 0;
	const run = (signal: AbortSignal) => {
		runs++;
		signal.addEventListener("abort", () => reasons.push(signal.reason));
		return runs === 1 ? new Promise<void>(() => {}) : Promise.resolve();
	};
	const failures = { ...log, error: (fields: object) => errors.push(fields) };
	await using _ = schedule(job({ run, maxRunMs: 50, log: failures }));
	await eventually(() => runs > 2);
	expect(errors).toMatchObject([{ job: "count-things", err: new Error("the job ran longer than 50 ms") }]);
	expect(reasons[0]).toEqual(new Error("the job ran longer than 50 ms"));
});

test("stopping aborts the current run and waits for it", async () => {
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	let ended = false;
	const scheduled = schedule(
		job({
			async run(signal) {
				begin();
				await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
				await sql`select 1`;
				ended = true;
			},
		}),
	);
	await begun;
	await scheduled[Symbol.asyncDispose]();
	expect(ended).toBe(true);
});

test("a run whose lock is lost is aborted, because another replica may have begun", async () => {
	const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
	const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
	const run = (signal: AbortSignal) =>
		new Promise<void>((_, reject) => {
			begin();
			const stop = () => {
				resolve(signal.reason);
				reject(signal.reason);
			};
			signal.addEventListener("abort", stop, { once: true });
		});
	await using _ = schedule(job({ run }));
	await using administrator = sqlOf(database.adminUrl);
	await begun;
	await administrator`
		select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
		where l.locktype = 'advisory' and a.datname = current_database()`;
	expect(await aborted).toMatchObject({ message: "the session that held a lock was lost" });
});

test("a job is due by the given clock", async () => {
	let clock = new Date("2026-03-01T12:00:00Z");
	let checks = 0;
	const ran: Date[] = [];
	const nextAt = (after: Date) => new Date(after.getTime() + 40);
	await using _ = schedule({
		name: "count-things",
		sql,
		log,
		nextAt,
		now: () => {
			checks++;
			return clock;
		},
		async run() {
			ran.push(clock);
		},
	});
	await eventually(() => checks > 10);
	expect(ran).toEqual([]);
	clock = new Date("2026-03-01T12:00:01Z");
	await eventually(() => ran.length === 1);
});

test("deliveries are remembered for two weeks, twice as long as their stream can redeliver them", async () => {
	await sql`
		insert into inbox (event_id, reaction, received_at)
		select n::text, 'copy-things', now() - make_interval(hours => case when n <= 12000 then 337 else 335 end)
		from generate_series(1, 12100) n`;
	const logged: object[] = [];
	const keep = (fields: object) => logged.push(fields);
	await using _ = startInboxPruning(sql, { log: { ...log, info: keep, error: keep }, everyMs: 20 });
	await eventually(() => logged.length > 0);
	expect(logged).toEqual([{ deliveries: 12_000 }]);
	expect((await sql`select from inbox where received_at < now() - interval '336 hours'`).count).toBe(0);
	expect((await sql`select from inbox`).count).toBe(100);
});
