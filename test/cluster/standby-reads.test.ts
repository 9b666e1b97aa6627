/** Replies that a standby begins and cannot finish, or must not give. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Handlers } from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { openStandby, routeReads, type Standby } from "#libs/postgres/replies/replica-routing.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { handlersWith } from "../bus/parties.ts";
import { eventually } from "../support/eventually.ts";
import { type Replicated, startReplicated } from "./support/standby.ts";

const resources = new AsyncDisposableStack();
const schema = "queue_ingest";
let postgres: Replicated;
let primary: Sql;
let standby: Standby;

beforeAll(async () => {
	postgres = resources.use(await startReplicated());
	primary = resources.use(connect(postgres.urlOf("queue-ingest"), { schema, name: "tests" }));
	standby = resources.use(openStandby(postgres.readUrlOf("queue-ingest"), { schema, name: "reads", max: 4 }));
	await postgres.caughtUp();
});
afterAll(() => resources.disposeAsync());

const all = { population: "all", include_unlisted: false } as const;
const handlers = (some: (sql: Sql) => Partial<Handlers<"queue-ingest">>) =>
	routeReads(standby, primary, (sql) => handlersWith(some(sql)));
const context = async () => ({ signal: new AbortController().signal, knownVersion: await readDataVersion(primary) });
const inRecovery = (sql: Sql) =>
	oneJsonReply<never>(sql, sql`select json_build_object('standby', pg_is_in_recovery())`);

test("reads are served by the standby", async () => {
	const { getStats } = handlers((sql) => ({ getStats: () => inRecovery(sql) }));
	expect((await getStats(all, await context())).json).toBe('{"standby" : true}');
});

test("a statement cancelled by replay is sent to the primary", async () => {
	const { promise: cancelled, resolve } = Promise.withResolvers<unknown>();
	const { getStats } = handlers((sql) => ({
		getStats: async () => {
			const reading = sql`select count(*), pg_sleep(${sql === standby.sql ? 20 : 0}) from projects`.execute();
			reading.catch(resolve);
			await reading;
			return inRecovery(sql);
		},
	}));
	const reply = getStats(all, await context());
	await eventually(async () => {
		const reading = await postgres.adminOfStandby`select from pg_stat_activity where wait_event = 'PgSleep'`;
		return reading.count === 1;
	});
	await primary.begin((tx) => tx`lock table projects in access exclusive mode`);
	expect((await reply).json).toBe('{"standby" : false}');
	expect(await cancelled).toMatchObject({ code: "40001" });
});

test("a statement that exceeds its timeout is not retried", async () => {
	const servers: string[] = [];
	const { getStats } = handlers((sql) => ({
		getStats: async () => {
			servers.push(sql === standby.sql ? "standby" : "primary");
			await sql.begin(async (tx) => {
				await tx`set local statement_timeout = '50ms'`;
				await tx`select pg_sleep(20)`;
			});
			return inRecovery(sql);
		},
	}));
	await expect(getStats(all, await context())).rejects.toMatchObject({ code: "57014" });
	expect(servers).toEqual(["standby"]);
});

test("a stream that fails before its first chunk restarts at the primary; after it, the stream fails", async () => {
	const head = { "x-data-version": String(await readDataVersion(primary)) };
	const streaming = (good: number) =>
		handlers((sql) => ({
			async *exportProjects(_params, given) {
				given.head?.(head);
				for (let chunk = 0; sql !== standby.sql || chunk < good; chunk++) {
					if (chunk === 2) return;
					yield sql === standby.sql ? "standby " : "primary ";
				}
				throw Object.assign(new Error("canceling statement due to conflict with recovery"), { code: "40001" });
			},
		}));
	const read = async (good: number) => {
		let text = "";
		const heads: unknown[] = [];
		const given = { ...(await context()), head: (one: unknown) => heads.push(one) };
		for await (const chunk of streaming(good).exportProjects(all, given)) text += chunk;
		return { text, heads };
	};
	expect(await read(0)).toEqual({ text: "primary primary ", heads: [head] });
	await expect(read(1)).rejects.toMatchObject({ code: "40001" });
	expect(await read(3)).toEqual({ text: "standby standby ", heads: [head] });
});

test("nothing can be written by standby reads, even if their address is the primary's", async () => {
	await using misled = openStandby(postgres.urlOf("queue-ingest"), { schema, name: "misled", max: 1 });
	await expect(misled.sql`update data_version set version = 0`).rejects.toMatchObject({ code: "25006" });
});
