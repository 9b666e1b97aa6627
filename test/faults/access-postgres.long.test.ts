/** Billing's PostgreSQL loses its connections, fails over to a standby that cannot write yet, or is killed, while everybody calls. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { execute, prepareDatabase, urlOf } from "../../deploy/engines/postgres-roles.ts";
import { migrate } from "../../services/billing/migrate.ts";
import { newHolder } from "../access/support/callers.ts";
import { payTo } from "../access/support/gateways.ts";
import { openTill, type Till } from "../access/support/pay.ts";
import { type MortalServer, mortalPostgres } from "../bus/servers.ts";
import { password } from "../support/servers.ts";
import { expectExactLedger, expectGoodBooks } from "./access-books.ts";
import {
	asEver,
	callersOf,
	type Load,
	noLimits,
	patientSettings,
	recovered,
	startLoad,
	statusesOf,
} from "./access-load.ts";

/** The machine may be busy, and what was under way comes again after some seconds. */
vi.setConfig({ testTimeout: 120_000 });

const role = { name: "billing", password };

let postgres: MortalServer;
let till: Till;
beforeAll(async () => {
	postgres = await mortalPostgres();
	await prepareDatabase(postgres.url, "access", [role]);
	await asAdministrator(async (sql) => {
		// In production, answered changes are on the disk, too.
		await execute(sql, "alter role %I set synchronous_commit = on", role.name);
	});
	const databaseUrl = urlOf(postgres.url, "access", role);
	await migrate(databaseUrl);
	till = await openTill({ replicas: 2, pay: ["x402", "card"], settings: patientSettings, databaseUrl });
});
afterAll(async () => {
	await till?.[Symbol.asyncDispose]();
	await postgres?.[Symbol.asyncDispose]();
});

async function asAdministrator(act: (sql: Sql) => Promise<unknown>): Promise<void> {
	await using sql = connect(postgres.url, { schema: "public", name: "administrator", max: 1 });
	await act(sql);
}

/** Ends every session of billing. */
const cutOff = (sql: Sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role.name}`;

const { askWith, register } = callersOf(() => till);

async function expectGoodEnd(load: Load): Promise<void> {
	await load.stop();
	expect(till.gateways.logged.filter((line) => line.includes('"a request failed"'))).toEqual([]);
	await expectExactLedger(till, load);
	await expectGoodBooks(till, load);
}

test("repeatedly broken connections cause some 503s, but no caller loses money", async () => {
	await using load = await startLoad(till);
	await load.rounds(1);
	const from = performance.now();
	await asAdministrator(async (sql) => {
		for (let round = 0; round < 25; round++) {
			await cutOff(sql);
			await pause(100);
		}
	});
	const { free, unpaid, key, x402 = [], card = [] } = statusesOf(load.between(from));
	expect({ free, unpaid, key }).toEqual({ free: [200], unpaid: [402], key: [200] });
	expect([200, 409, 503]).toEqual(expect.arrayContaining(x402));
	expect([200, 503]).toEqual(expect.arrayContaining(card));
	expect([...x402, ...card]).toContain(503);
	await recovered(load);
	await expectGoodEnd(load);
});

test("while only a read-only standby is available, keys work, cached or not, and operations that write are refused", async () => {
	const { key } = await newHolder(till.gateways, noLimits);
	const { token } = till.gateways.payments;
	await using load = await startLoad(till);
	await load.rounds(1);
	const setReadOnly = (value: "on" | "off") =>
		asAdministrator(async (sql) => {
			await execute(sql, "alter role %I set default_transaction_read_only = %L", role.name, value);
			await cutOff(sql);
		});
	await setReadOnly("on");
	try {
		await load.rounds(1);
		const charged = token.balanceOf(payTo);
		expect(statusesOf(await load.rounds(2))).toEqual({ ...asEver, x402: [503], card: [503] });
		expect(token.balanceOf(payTo)).toBe(charged);
		expect((await register()).status).toBe(503);
		expect((await askWith(key)).status).toBe(200);
		expect((await askWith(makeSecret("pk_"))).status).toBe(403);
	} finally {
		await setReadOnly("off");
	}
	await recovered(load);
	await expectGoodEnd(load);
}, 120_000);

test("while PostgreSQL is killed, cached keys and free operations work, payments are refused, and each is settled once", async () => {
	const { token } = till.gateways.payments;
	await using load = await startLoad(till);
	await load.rounds(1);
	await postgres.kill();
	try {
		await load.rounds(1);
		const charged = token.balanceOf(payTo);
		expect(statusesOf(await load.rounds(2))).toEqual({ ...asEver, x402: [503], card: [503] });
		expect(token.balanceOf(payTo)).toBe(charged);
		for (const answered of [await register(), await askWith(makeSecret("pk_"))]) {
			expect(answered.status).toBe(503);
			expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
		}
	} finally {
		await postgres.start();
	}
	await recovered(load);
	await expectGoodEnd(load);
}, 120_000);
