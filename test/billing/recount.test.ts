import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { deleteExpired } from "../../services/billing/jobs/delete-old.ts";
import { type MonthRecount, recountUsage } from "../../services/billing/jobs/recount-usage.ts";
import { recordUsage } from "../../services/billing/reactions/record-usage.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import {
	type AnsweredRequest,
	answered,
	chance,
	countByHand,
	emptyLedger,
	eventOf,
	hasRow,
	manyAnswered,
	sqlOf,
	sumsOf,
} from "./support/usage.ts";

const stack = new AsyncDisposableStack();
let sql: Sql;
let url: string;
beforeAll(async () => {
	({ url } = stack.use(await createDatabase("billing")));
	sql = stack.use(sqlOf(url));
});
afterAll(() => stack.disposeAsync());
beforeEach(() => emptyLedger(sql));

const record = (requests: readonly AnsweredRequest[]) =>
	sql.begin((tx) => recordUsage.handler(tx, [eventOf(requests)]));
async function recount(month: string | null = null): Promise<MonthRecount[]> {
	const done: MonthRecount[] = [];
	await recountUsage(sql, month, (one) => done.push(one));
	return done;
}
const running = new AbortController().signal;
const forgetOn = (day: string, keepDays: number) =>
	deleteExpired(sql, { now: () => new Date(`${day}T15:00:00Z`), keepDays }, running);
const nothing = {
	requests: 0,
	requestsOfDeletedAccounts: 0,
	sumsOfDeletedAccounts: 0,
	mails: 0,
	paidAnswers: 0,
	released: 0,
	oauthRecords: 0,
	coveredFiles: 0,
};
const versions = () => sql`select account_id, hour, operation, xmin::text from usage_hours order by 1, 2, 3`;

test("a recount equals the sums by event, and writes nothing", async () => {
	const events = manyAnswered(1_000, chance(4));
	for (let from = 0; from < events.length; from += 250) await record(events.slice(from, from + 250));
	const before = await versions();
	expect(await recount()).toEqual([
		{ month: "2026-10", removed: 0, written: 0 },
		{ month: "2026-11", removed: 0, written: 0 },
	]);
	expect(await versions()).toEqual(before);
	await sql`delete from usage_hours where account_id <> 0`;
	await recount();
	expect(await sumsOf(sql)).toEqual(countByHand(events));
});

test("wrong, missing and empty sums are corrected, only in the named month", async () => {
	const events = manyAnswered(1_000, chance(5));
	await record(events);
	const right = await sumsOf(sql);
	await sql`update usage_hours set requests = requests + 1 where account_id = 1`;
	await sql`update usage_hours set paid_micro_usd = paid_micro_usd + 1 where account_id = 2`;
	await sql`delete from usage_hours where account_id = 3`;
	await sql`insert into usage_hours values (4711, '2026-11-01T00:00:00Z', 'getHealth', 1, 1, 1, 1)`;
	await sql`insert into usage_hours values (4711, '2027-01-01T00:00:00Z', 'getHealth', 1, 1, 1, 1)`;
	const wrong = await sumsOf(sql);
	const inMonth = (month: string, sums: object) =>
		Object.entries(sums)
			.filter(([key]) => key.includes(` ${month}-`))
			.sort();
	const [november] = await recount("2026-11");
	expect(november?.removed).toBeGreaterThan(1);
	expect(november?.written).toBeGreaterThan(november?.removed ?? 0);
	const half = await sumsOf(sql);
	expect(inMonth("2026-11", half)).toEqual(inMonth("2026-11", right));
	expect(inMonth("2026-10", half)).toEqual(inMonth("2026-10", wrong));
	expect((await recount()).map(({ month }) => month)).toEqual(["2026-10", "2026-11", "2027-01"]);
	expect(await sumsOf(sql)).toEqual(right);
});

test("a recount waits for requests that are being added, and counts them", async () => {
	await record([answered(1)]);
	await sql`delete from usage_hours`;
	const { promise: added, resolve: add } = Promise.withResolvers<void>();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	const adding = sql.begin(async (tx) => {
		await recordUsage.handler(tx, [eventOf([answered(2), answered(3, { operation: "getProject" })])]);
		add();
		await released;
	});
	await added;
	const counting = recount();
	await eventually(async () => {
		const rows =
			await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
		return rows.count === 1;
	});
	release();
	await Promise.all([adding, counting]);
	expect(await sumsOf(sql)).toEqual(countByHand([answered(1), answered(2), answered(3, { operation: "getProject" })]));
});

test("recounts and additions at once end with the right sums", async () => {
	const events = manyAnswered(1_000, chance(6));
	const batches = Array.from({ length: 20 }, (_, number) => events.slice(number * 50, number * 50 + 50));
	await Promise.all([...batches.map(record), ...Array.from({ length: 4 }, () => recount())]);
	expect(await sumsOf(sql)).toEqual(countByHand(events));
});

test("requests before a day are deleted, and a recount removes none of their sums", async () => {
	const events = manyAnswered(1_200, chance(7));
	for (let from = 0; from < events.length; from += 600) await record(events.slice(from, from + 600));
	const sums = countByHand(events);
	const rows = events.filter(hasRow);
	const firstKept = "2026-11-08T00:00:00.000Z";
	expect(await forgetOn("2026-12-10", 32)).toEqual({
		...nothing,
		requests: rows.filter((event) => event.occurred_at < firstKept).length,
	});
	const [left] = await sql<{ count: number; before: number }[]>`
		select count(*) as count, count(*) filter (where occurred_at < ${firstKept}) as before from usage`;
	expect(left).toEqual({ count: rows.filter((event) => event.occurred_at >= firstKept).length, before: 0 });
	expect(await sumsOf(sql)).toEqual(sums);
	await recount();
	await recount("2026-10");
	expect(await sumsOf(sql)).toEqual(sums);
});

test("a day that is partly deleted, and a late request from before it, do not change the sums of deleted requests", async () => {
	const events = manyAnswered(500, chance(8));
	await record(events);
	await forgetOn("2026-12-10", 32);
	// An event of a wrong clock, or one that came very late.
	const late = answered(9_999, { occurred_at: "2026-10-25T10:00:00.000Z", account_id: 3 });
	await record([late]);
	// The operator keeps more from now on: what is gone does not come back.
	await forgetOn("2026-12-10", 400);
	await recount();
	expect(await sumsOf(sql)).toEqual(countByHand([...events, late]));
	// Retained days are still corrected.
	await sql`update usage_hours set requests = 0 where account_id <> 0 and hour >= '2026-11-08T00:00:00Z'`;
	await recount();
	expect(await sumsOf(sql)).toEqual(countByHand([...events, late]));
});

test("a released claim is retained for a week; a charge and a debit are retained forever", async () => {
	const [credits] = await sql<{ id: number }[]>`
		insert into credits (sha256, hint) values (${"a".repeat(64)}, 'cr_') returning id`;
	const claimed = (nonce: string, state: string, at: string, creditsId: number | null) => sql`
		insert into payments (rail, network, nonce, credential_sha256, operation, resource, amount_micro_usd, state, request_id,
			claimed_at, credits_id)
		values ('x402', 'eip155:8453', ${nonce}, '', 'listProjects', '', 10000, ${state}, ${nonce}, ${at}, ${creditsId})`;
	await claimed("old", "released", "2026-12-03T14:00:00Z", null);
	await claimed("young", "released", "2026-12-03T16:00:00Z", null);
	await claimed("charged", "settled", "2026-11-01T00:00:00Z", null);
	await claimed("refunded", "released", "2026-11-01T00:00:00Z", credits?.id ?? 0);
	expect(await forgetOn("2026-12-10", 400)).toMatchObject({ released: 1 });
	const left = await sql<{ nonce: string }[]>`select nonce from payments order by nonce`;
	expect(left.map(({ nonce }) => nonce)).toEqual(["charged", "refunded", "young"]);
});

test("paid responses are cached for a day", async () => {
	await sql`
		insert into payments (rail, network, nonce, credential_sha256, operation, resource, amount_micro_usd, state, request_id)
		select 'x402', 'eip155:84532', n::text, '', 'exportProjects', '', 100000, 'settled', n::text from generate_series(1, 500) n`;
	await sql`
		insert into paid_answers (payment_id, status, content_type, body, kept_at)
		select id, 200, 'text/csv', 'a', case when id <= 450 then '2026-12-09T14:59:59Z'::timestamptz else '2026-12-09T15:00:01Z' end
		from payments`;
	expect(await forgetOn("2026-12-10", 400)).toEqual({ ...nothing, paidAnswers: 450 });
	expect((await sql`select from paid_answers`).count).toBe(50);
});

test("deletion ends when it is stopped", async () => {
	await record([answered(1, { occurred_at: "2020-01-01T00:00:00Z" })]);
	const deleting = deleteExpired(sql, { now: () => new Date(), keepDays: 400 }, AbortSignal.abort(new Error("stop")));
	await expect(deleting).rejects.toThrow("stop");
	expect((await sql`select from usage`).count).toBe(1);
});

const run = promisify(execFile);
const program = new URL("../../services/billing/admin/recount.ts", import.meta.url).pathname;
const runRecount = (...args: string[]) =>
	run(process.execPath, [program, ...args], { env: { ...process.env, POSTGRES_URL: url } });

test("the program reports its corrections, and refuses an invalid month", async () => {
	await record([answered(1), answered(2, { occurred_at: "2026-10-01T00:00:00Z" })]);
	await sql`delete from usage_hours`;
	const { stdout } = await runRecount("--month", "2026-10");
	expect(JSON.parse(stdout)).toEqual({ months: 1, removed: 0, written: 1 });
	await expect(runRecount("--month", "2026-13")).rejects.toMatchObject({ code: 1, stdout: "" });
});
