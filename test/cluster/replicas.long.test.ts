/** Two replicas of every service, as real processes: who does what, and what it costs to restart or to lose one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { services } from "../../deploy/local/services.ts";
import { eventually } from "../support/eventually.ts";
import { type Fleet, readerCount, startFleet } from "./support/fleet.ts";
import { expectUnavailableAtWorst } from "./support/readers.ts";

const schemas = services.flatMap(({ schema }) => schema ?? []);

/** Resolves when in each schema one session, and not two, may relay. */
async function oneRelayEach(admin: Sql): Promise<void> {
	await eventually(async () => {
		for (const schema of schemas) expect([schema, await holders(admin, schema)]).toEqual([schema, 1]);
		return true;
	});
}

async function holders(admin: Sql, schema: string): Promise<number> {
	const [row] = await admin<{ holders: number }[]>`
		select count(*) as holders from pg_locks
		where locktype = 'advisory' and granted and objsubid = 1
			and database = (select oid from pg_database where datname = current_database())
			and (classid::bigint << 32) | objid::bigint = hashtextextended(${`relay:${schema}`}, 0)`;
	return row?.holders ?? 0;
}

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet(Object.fromEntries(services.map(({ name }) => [name, 2])));
}, 300_000);
afterAll(() => fleet?.[Symbol.asyncDispose]());

test("both replicas of an owner respond, each request from one of them", async () => {
	const owners = fleet.of("queue-ingest");
	const answers = () => Promise.all(owners.map((one) => one.metric("bus_serve_seconds_count", "getProject")));
	const before = await answers();
	for (const id of fleet.lists.ids.slice(0, 60)) expect((await fleet.get(`/projects/${id}`)).status).toBe(200);
	const after = (await answers()).map((count, replica) => count - (before[replica] ?? 0));
	expect(Math.min(...after)).toBeGreaterThan(0);
	expect(after.reduce((sum, count) => sum + count, 0)).toBe(60);
});

test("one of each owner's two relays holds the lock, and events are published", async () => {
	await oneRelayEach(fleet.admin);
	await fleet.lists.withdrawNext();
	await fleet.copiesAgree();
});

test("if a replica of every service is restarted in turn, no request fails, and every change reaches its copies", async () => {
	await using reading = fleet.readers();
	await reading.more(20);
	for (const { name } of services) {
		const [old] = fleet.of(name);
		if (old === undefined) throw new Error(`no ${name} runs`);
		await fleet.replace(old, reading);
		if (name === "queue-ingest" || name === "signals") await fleet.lists.withdrawNext();
	}
	await reading.more(20);
	expect(reading.refused).toEqual([]);
	await oneRelayEach(fleet.admin);
	await fleet.copiesAgree();
}, 300_000);

test("if a replica of an owner is killed, only its requests are 503, and another relays", async () => {
	await using reading = fleet.readers();
	await reading.more(20);
	const [first] = fleet.of("queue-ingest");
	if (first === undefined) throw new Error("no queue-ingest runs");
	await fleet.kill(first);
	await fleet.lists.withdrawNext();
	await reading.more(60);
	expectUnavailableAtWorst(reading);
	expect(reading.refused.length).toBeLessThanOrEqual(readerCount);
	console.log(`an owner killed: ${reading.refused.length} of ${reading.answered} requests were 503`);
	await oneRelayEach(fleet.admin);
	await fleet.copiesAgree();
});

test("if a gateway is killed, only its responses are interrupted", async () => {
	await using reading = fleet.readers();
	await reading.more(20);
	const [first] = fleet.of("gateway");
	if (first === undefined) throw new Error("no gateway runs");
	await fleet.kill(first);
	await reading.more(60);
	expect(reading.refused.length).toBeLessThanOrEqual(readerCount);
	expect(reading.refused.filter(({ status }) => status !== 0)).toEqual([]);
	console.log(`a gateway killed: ${reading.refused.length} of ${reading.answered} requests broke off`);
});
