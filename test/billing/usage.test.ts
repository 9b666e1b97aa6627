import { jetstream } from "@nats-io/jetstream";
import { beforeEach, expect, test } from "vitest";
import type { Bus } from "#libs/bus/connect.ts";
import { type Reaction, react } from "#libs/bus/events/react.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import type { usageRecorded } from "#libs/contract/events/gateway.ts";
import type { Sql } from "#libs/postgres/connect.ts";
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
	eventOf,
	exhaustedSaid,
	hasRow,
	manyAnswered,
	openAccount,
	shuffled,
	sqlOf,
	sumsOf,
	tell,
} from "./support/usage.ts";

const nats = await startNats();
const gateway: Bus = await busOf(nats.url, "gateway");
const billing: Bus = await busOf(nats.url, "billing");
const operator: Bus = await busOf(nats.url, "operator");
let sql: Sql;
/** Another replica's connections. */
let otherSql: Sql;

beforeEach(async () => {
	const resources = new AsyncDisposableStack();
	const database = resources.use(await createDatabase("billing"));
	sql = resources.use(sqlOf(database.url));
	otherSql = resources.use(sqlOf(database.url));
	const manager = await jetstream(operator.nats).jetstreamManager();
	await manager.streams.delete("GATEWAY").catch(() => false);
	await ensureStream(gateway, "gateway");
	return () => resources.disposeAsync();
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

test("10,000 events, shuffled and half of them delivered twice, to two replicas at once: the sums are exact", {
	timeout: 120_000,
}, async () => {
	const random = chance(1);
	const events = manyAnswered(10_000, random);
	await tell(gateway, shuffled([...events, ...events.slice(0, 5_000).filter(hasRow)], random));
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
	const batches = Array.from({ length: 12 }, () => shuffled([...events, ...events.slice(0, 300)], random));
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

test("an account that billing does not know, and one without a limit, are counted and never exhausted", async () => {
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
	expect(await exhaustedSaid(sql)).toEqual([]);
	expect(await deadLetters()).toEqual([]);
});

test("an account that has used up its queries is published once a month", async () => {
	const account_id = await openAccount(sql, "Free");
	await record(many(49, { account_id }));
	await record(many(20, { account_id, counted: false }, 100));
	expect(await exhaustedSaid(sql)).toEqual([]);
	await record(many(3, { account_id }, 200));
	const november = {
		id: `usage.exhausted:${account_id}:2026-11`,
		version: 52,
		account_id,
		plan: "Free",
		month: "2026-11",
		used: 52,
		monthly_queries: 50,
	};
	expect(await exhaustedSaid(sql)).toMatchObject([november]);
	await record(many(60, { account_id }, 300));
	expect(await exhaustedSaid(sql)).toMatchObject([november]);
	await record(many(50, { account_id, occurred_at: "2026-12-01T00:00:00.000Z" }, 400));
	expect(await exhaustedSaid(sql)).toMatchObject([november, { month: "2026-12", used: 50 }]);
});

test("an account's agreed limit overrides its plan's", async () => {
	const account_id = await openAccount(sql, "Free");
	await sql`update accounts set monthly_queries = 60`;
	await record(many(59, { account_id }));
	expect(await exhaustedSaid(sql)).toEqual([]);
	await record([answered(100, { account_id })]);
	expect(await exhaustedSaid(sql)).toMatchObject([{ used: 60, monthly_queries: 60 }]);
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
	expect(await exhaustedSaid(sql)).toMatchObject([{ used: 50 }]);
});
