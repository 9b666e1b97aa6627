import { jetstream } from "@nats-io/jetstream";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, react } from "#libs/bus/events/react.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import type { usageRecorded } from "#libs/contract/events/gateway.ts";
import { operations, type Reply } from "#libs/contract/index.ts";
import { usageOperations } from "../../services/billing/operations/usage.ts";
import { recordUsage, startReactions } from "../../services/billing/reactions/record-usage.ts";
import { createDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import {
	type AnsweredRequest,
	answered,
	busOf,
	chance,
	countByHand,
	emptyLedger,
	eventOf,
	hasRow,
	manyAnswered,
	openAccount,
	publishedShares,
	shuffled,
	sqlOf,
	sumsOf,
	tell,
} from "./support/usage.ts";

const stack = new AsyncDisposableStack();
const nats = stack.use(await startNats());
const gateway: Bus = stack.use(await busOf(nats.url, "gateway"));
const billing: Bus = stack.use(await busOf(nats.url, "billing"));
const operator: Bus = stack.use(await busOf(nats.url, "operator"));
const database = stack.use(await createDatabase("billing"));
const sql = stack.use(sqlOf(database.url));
/** Another replica's connections. */
const otherSql = stack.use(sqlOf(database.url));
afterAll(() => stack.disposeAsync());

beforeEach(async () => {
	await emptyLedger(sql);
	const manager = await jetstream(operator.nats).jetstreamManager();
	await manager.streams.delete("GATEWAY").catch(() => false);
	await ensureStream(gateway, "gateway");
});

/** Without the inbox: every event is new to it. */
const record = (requests: readonly AnsweredRequest[], through = sql) =>
	through.begin((tx) => recordUsage.handler(tx, [eventOf(requests)]));
const ledger = async () => (await sql`select event_id from usage order by 1`).map(({ event_id }) => event_id);
const deadLetters = () => sql`select reason from dead_letters`;
const waitingForLock = async (sessions: number) => {
	const [row] = await sql<{ waiting: number }[]>`
		select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
	return row?.waiting === sessions;
};
const many = (count: number, more: Partial<AnsweredRequest>, from = 0) =>
	Array.from({ length: count }, (_, number) => answered(from + number, more));

test("anonymous requests are in the sums of their hour, and no row is written for each", async () => {
	const anonymous = many(200, { account_id: null, key_id: null });
	await record([
		...anonymous,
		answered(201),
		answered(202, { account_id: null, key_id: null, rail: "x402", paid_micro_usd: 10_000 }),
	]);
	expect(await ledger()).toEqual(["request-201", "request-202"]);
	expect(await sumsOf(sql)).toEqual({
		"0 2026-11-10T12 listProjects": { requests: 201, counted: 201, failed: 0, paid: 10_000 },
		"1 2026-11-10T12 listProjects": { requests: 1, counted: 1, failed: 0, paid: 0 },
	});
});

test("sums are exact after 2,000 shuffled events, half of them delivered twice, at two replicas", {
	timeout: 120_000,
}, async () => {
	const random = chance(1);
	const events = manyAnswered(2_000, random);
	await tell(gateway, shuffled([...events, ...events.slice(0, 1_000).filter(hasRow)], random));
	const replicas = [...(await startReactions(billing, sql)), ...(await startReactions(billing, otherSql))];
	try {
		await eventually(async () => (await replicas[0]?.backlog()) === 0, { withinMs: 100_000 });
	} finally {
		for (const replica of replicas) await replica[Symbol.asyncDispose]();
	}
	expect(await sumsOf(sql)).toEqual(countByHand(events));
	expect((await ledger()).sort()).toEqual(
		events
			.filter(hasRow)
			.map(({ id }) => id)
			.sort(),
	);
	expect(await deadLetters()).toEqual([]);
});

test("events that are redelivered after the inbox deleted them, twice in a batch and in two concurrent batches, change no sum", async () => {
	const random = chance(2);
	const events = manyAnswered(1_000, random).filter(hasRow);
	const batches = Array.from({ length: 6 }, () => shuffled([...events, ...events.slice(0, 300)], random));
	await Promise.all(batches.map((batch, number) => record(batch, number % 2 === 0 ? sql : otherSql)));
	expect(await sumsOf(sql)).toEqual(countByHand(events));
});

test("two batches with the same events in opposite orders do not deadlock", async () => {
	const [first, middle, last] = many(3, {});
	if (!first || !middle || !last) throw new Error("there are three");
	const { promise: added, resolve: add } = Promise.withResolvers<void>();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	const holding = sql.begin(async (tx) => {
		await recordUsage.handler(tx, [eventOf([middle])]);
		add();
		await released;
	});
	await added;
	const both = [record([first, middle, last]), record([last, middle, first], otherSql)];
	await eventually(() => waitingForLock(2));
	release();
	await Promise.all([holding, ...both]);
	expect(await sumsOf(sql)).toEqual(countByHand([first, middle, last]));
});

test("every value of a request is in the ledger", async () => {
	const event = answered(7, {
		account_id: 3,
		key_id: 4,
		status: 206,
		rail: "mpp",
		paid_micro_usd: 50_000,
	});
	await record([event]);
	const { id, occurred_at, ...same } = event;
	expect(await sql`select *, occurred_at = ${occurred_at} as same_moment from usage`).toMatchObject([
		{ event_id: id, same_moment: true, ...same },
	]);
});

test("a reaction whose session is killed before it commits loses nothing and counts nothing twice", {
	timeout: 60_000,
}, async () => {
	let killed = 0;
	const mortal: Reaction<typeof usageRecorded> = {
		...recordUsage,
		retryMs: () => 10,
		async handler(tx, events) {
			await recordUsage.handler(tx, events);
			if (killed++ < 2) await tx`select pg_terminate_backend(pg_backend_pid())`;
		},
	};
	const events = manyAnswered(100, chance(3));
	await tell(gateway, events);
	await using reacting = await react(billing, sql, mortal);
	await eventually(async () => (await reacting.backlog()) === 0, { withinMs: 40_000 });
	expect(killed).toBeGreaterThan(2);
	expect(await sumsOf(sql)).toEqual(countByHand(events));
	expect(await deadLetters()).toEqual([]);
});

test("an account that billing does not know, and one without a limit, are counted and reach no share", async () => {
	const unlimited = await openAccount(sql, "Enterprise");
	const events = [
		...many(100, { account_id: 999_999 }),
		...many(100, { account_id: unlimited }, 100),
		...many(100, {}, 200),
	];
	await tell(gateway, events);
	const [reacting] = await startReactions(billing, sql);
	await using _ = reacting;
	await eventually(async () => (await reacting?.backlog()) === 0);
	expect(await sumsOf(sql)).toEqual(countByHand(events));
	expect(await publishedShares(sql)).toEqual([]);
	expect(await deadLetters()).toEqual([]);
});

test("half, four fifths and all of an account's queries are published, each once a month", async () => {
	const account_id = await openAccount(sql, "Free");
	const published = async () =>
		(await publishedShares(sql)).map((each) => {
			const { month, share, used } = each as { month: string; share: number; used: number };
			return [month, share, used];
		});
	await record(many(24, { account_id }));
	await record(many(20, { account_id, counted: false }, 100));
	expect(await published()).toEqual([]);
	await record(many(3, { account_id }, 200));
	expect(await publishedShares(sql)).toMatchObject([
		{
			id: `usage.reached:${account_id}:2026-11:50:0.5`,
			version: 27,
			account_id,
			plan: "Free",
			month: "2026-11",
			share: 0.5,
			used: 27,
			monthly_queries: 50,
		},
	]);
	await record(many(3, { account_id }, 200));
	await record(many(22, { account_id }, 300));
	const half = ["2026-11", 0.5, 27];
	expect(await published()).toEqual([half, ["2026-11", 0.8, 49]]);
	await record(many(60, { account_id }, 400));
	await record(many(60, { account_id }, 500));
	const november = [half, ["2026-11", 0.8, 49], ["2026-11", 1, 109]];
	expect(await published()).toEqual(november);
	await record(many(50, { account_id, occurred_at: "2026-12-01T00:00:00.000Z" }, 600));
	const december = [0.5, 0.8, 1].map((share) => ["2026-12", share, 50]);
	expect(await published()).toEqual([...november, ...december]);
});

test("an account's agreed limit overrides its plan's, and a new limit has shares of its own", async () => {
	const account_id = await openAccount(sql, "Free");
	await sql`update accounts set monthly_queries = 60`;
	await record(many(29, { account_id }));
	expect(await publishedShares(sql)).toEqual([]);
	await record([answered(100, { account_id })]);
	const first = { used: 30, share: 0.5, monthly_queries: 60 };
	expect(await publishedShares(sql)).toMatchObject([first]);
	await sql`update accounts set monthly_queries = 40`;
	await record([answered(101, { account_id })]);
	expect(await publishedShares(sql)).toMatchObject([first, { used: 31, share: 0.5, monthly_queries: 40 }]);
});

test("two replicas that reach the limit only together publish it once", async () => {
	const account_id = await openAccount(sql, "Free");
	const { promise: added, resolve: add } = Promise.withResolvers<void>();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	const first = sql.begin(async (tx) => {
		await recordUsage.handler(tx, [eventOf(many(25, { account_id, operation: "listProjects" }))]);
		add();
		await released;
	});
	await added;
	const second = record(many(25, { account_id, operation: "getProject" }, 100), otherSql);
	await eventually(() => waitingForLock(1));
	release();
	await Promise.all([first, second]);
	expect(await publishedShares(sql)).toMatchObject([
		{ used: 25, share: 0.5 },
		{ used: 50, share: 0.8 },
		{ used: 50, share: 1 },
	]);
});

async function describeUsage(key_id: number, now: string): Promise<Reply<"describeUsage">> {
	const { json } = await usageOperations({ sql, now: () => new Date(now) }).describeUsage({ key_id });
	return operations.describeUsage.reply.parse(JSON.parse(String(json)));
}
async function count(account_id: number, month: string): Promise<number> {
	const { json } = await usageOperations({ sql, now: () => new Date() }).countUsage({ account_id, month });
	return operations.countUsage.reply.parse(JSON.parse(String(json))).counted;
}
const openKey = async (account_id: number): Promise<number> => {
	const [row] = await sql<{ id: number }[]>`
		insert into keys (account_id, sha256, hint, created_at)
		values (${account_id}, ${"0".repeat(64)}, 'pk_abcd…wxyz', '2026-10-01T00:00:00Z') returning id`;
	return row?.id ?? 0;
};

test("usage of a key is that of its account: this month by operation and by day, and the last 24 hours exactly", async () => {
	const account_id = await openAccount(sql);
	const key_id = await openKey(account_id);
	const at = (occurred_at: string, more: Partial<AnsweredRequest> = {}) => ({ account_id, occurred_at, ...more });
	await record([
		answered(1, at("2026-10-31T23:59:59.999Z")),
		...[10, 11, 12].map((number) => answered(number, at("2026-11-01T00:00:00.000Z"))),
		answered(20, at("2026-11-09T12:29:59.999Z")),
		answered(21, at("2026-11-09T12:30:00.001Z", { operation: "getHealth", counted: false })),
		answered(22, at("2026-11-09T13:00:00.000Z", { status: 404, counted: false })),
		answered(23, at("2026-11-10T12:29:59.000Z", { operation: "getProject" })),
		answered(30, { occurred_at: "2026-11-10T12:00:00.000Z", account_id: account_id + 1 }),
		answered(31, { occurred_at: "2026-11-10T12:00:00.000Z", account_id: null, key_id: null }),
	]);
	expect(await describeUsage(key_id, "2026-11-10T12:30:00Z")).toEqual({
		key: { hint: "pk_abcd…wxyz", created_at: "2026-10-01T00:00:00Z", expires_at: null },
		email: "a@example.org",
		email_verified: true,
		month: "2026-11",
		counted: 5,
		key_today: null,
		by_day_and_operation: null,
		last_24_hours: 3,
		by_operation: [
			{ operation: "listProjects", requests: 5, counted: 4 },
			{ operation: "getHealth", requests: 1, counted: 0 },
			{ operation: "getProject", requests: 1, counted: 1 },
		],
		by_day: [
			{ day: "2026-11-01", requests: 3, counted: 3 },
			{ day: "2026-11-09", requests: 3, counted: 1 },
			{ day: "2026-11-10", requests: 1, counted: 1 },
		],
	});
	expect(await describeUsage(key_id, "2026-12-24T00:00:00Z")).toMatchObject({
		counted: 0,
		last_24_hours: 0,
		by_operation: [],
		by_day: [],
	});
});

test("a key that was never issued has no usage", async () => {
	await expect(describeUsage(4_711, "2026-11-10T12:30:00Z")).rejects.toMatchObject({ status: 404 });
});

test("counted queries are those of the calendar month in UTC", async () => {
	await record([
		answered(1, { account_id: 5, occurred_at: "2026-10-31T23:59:59.999Z" }),
		answered(2, { account_id: 5, occurred_at: "2026-11-01T00:00:00.000Z" }),
		answered(3, { account_id: 5, occurred_at: "2026-11-30T23:59:59.999Z" }),
		answered(4, { account_id: 5, occurred_at: "2026-12-01T00:00:00.000Z" }),
		answered(5, { account_id: 5, counted: false }),
		answered(6, { account_id: 6 }),
	]);
	expect(await Promise.all(["2026-10", "2026-11", "2026-12", "2027-01"].map((month) => count(5, month)))).toEqual([
		1, 2, 1, 0,
	]);
	expect(await count(999_999, "2026-11")).toBe(0);
	await expect(count(5, "2026-13")).rejects.toMatchObject({ status: 422 });
});
