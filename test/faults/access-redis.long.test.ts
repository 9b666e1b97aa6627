/** Redis is killed, hangs, or comes back empty while all call: the only effect is limits that are a little wider for a minute. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Holder, limitsIn, newHolder, withKey } from "../access/support/callers.ts";
import { openTill, type Till } from "../access/support/pay.ts";
import { type MortalServer, mortalRedis } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { expectExactLedger, expectGoodBooks } from "./access-books.ts";
import { asEver, path, patientSettings, startLoad, statusesOf, tallyOf } from "./access-load.ts";

const replicas = 2;
/** The limit of a minute of the account that wants more. */
const limit = 40;

/** The machine may be busy. */
vi.setConfig({ testTimeout: 120_000 });

let redis: MortalServer;
let till: Till;
beforeAll(async () => {
	redis = await mortalRedis();
	// Longer than this process is ever busy: what is decided in memory is decided there because Redis is away.
	const settings = { ...patientSettings, REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "1000", INSTANCES: String(replicas) };
	till = await openTill({ replicas, pay: ["x402", "card"], settings });
});
afterAll(async () => {
	await till?.[Symbol.asyncDispose]();
	await redis?.[Symbol.asyncDispose]();
});

interface Limited {
	/** Accepted requests: when they were sent and when they were answered. */
	readonly taken: { sentAt: number; receivedAt: number }[];
	readonly statuses: Set<number>;
	stop(): Promise<void>;
}

/** An account that asks for all that it can get, at both replicas. */
function insist({ key }: Holder): Limited {
	const taken: Limited["taken"] = [];
	const statuses = new Set<number>();
	let stopped = false;
	const callers = [0, 1, 2, 3].map(async (caller) => {
		while (!stopped) {
			const sentAt = performance.now();
			const answered = await fetch(`${till.gateways.urls[caller % replicas]}${path}`, withKey(key));
			await answered.text();
			statuses.add(answered.status);
			if (answered.status === 200) taken.push({ sentAt, receivedAt: performance.now() });
			await pause(20);
		}
	});
	return {
		taken,
		statuses,
		async stop() {
			stopped = true;
			await Promise.all(callers);
		},
	};
}

/** The most that were certainly accepted within one minute. */
const maxInAMinute = (taken: Limited["taken"]): number =>
	Math.max(
		0,
		...taken.map(
			({ sentAt: from }) => taken.filter((one) => one.sentAt >= from && one.receivedAt < from + 60_000).length,
		),
	);

const back = "limits are kept in Redis again";
const linesOf = (text: string) => till.gateways.logged.filter((line) => line.includes(text)).length;

/** The month's count, as the next answer states it. */
async function usedBy({ key }: Holder, quota: number): Promise<number> {
	const answered = await fetch(`${till.gateways.url}${path}`, withKey(key));
	await answered.text();
	return quota - (limitsIn(answered).left.month?.r ?? Number.NaN);
}

interface Fault {
	title: string;
	begin(): Promise<void> | void;
	end(): Promise<void> | void;
	/** Most that are accepted within a minute until it ends. */
	meanwhile: number;
}

const faults: Fault[] = [
	{
		title: "killed",
		begin: () => redis.kill(),
		end: () => redis.start(),
		// The whole limit at one replica, and the share of the other.
		meanwhile: limit + limit / replicas,
	},
	{
		title: "hung",
		begin: () => redis.hang(),
		end: () => redis.resume(),
		meanwhile: limit + limit / replicas,
	},
	{
		title: "restarted empty",
		begin: async () => {
			await redis.kill();
			await redis.start();
		},
		end: () => {},
		meanwhile: limit * replicas,
	},
];

test.each(faults)(
	"while Redis is $title callers are answered as usual, and it counts again when it is back",
	async (fault) => {
		const terms = { plan: "Scale", monthlyQueries: 1_000_000, perMinute: limit } as const;
		const limited = insist(await newHolder(till.gateways, terms));
		await using load = await startLoad(till);
		await load.rounds(2);
		await fault.begin();
		const from = performance.now();
		await load.rounds(3);
		const meanwhile = maxInAMinute(limited.taken);
		const backs = linesOf(back);
		await fault.end();
		// Each replica finds out by itself.
		if (fault.title !== "restarted empty")
			await eventually(() => linesOf(back) >= backs + replicas, { withinMs: 20_000 });
		await load.rounds(2);
		await limited.stop();
		const answers = await load.stop();

		expect(statusesOf(load.between(from))).toEqual(asEver);
		expect(statusesOf(answers)).toEqual(asEver);
		expect([...limited.statuses].sort()).toEqual([200, 429]);
		expect(meanwhile).toBeGreaterThanOrEqual(limit);
		expect(meanwhile).toBeLessThanOrEqual(fault.meanwhile);
		// Whatever Redis lost, no replica accepts more than the limit.
		expect(maxInAMinute(limited.taken)).toBeLessThanOrEqual(limit * replicas);
		await expectExactLedger(till, load);
		await expectGoodBooks(till, load);
	},
);

test("lost counters are restored from the ledger exactly", async () => {
	const quota = 1_000_000;
	const holder = await newHolder(till.gateways, { plan: "Scale", monthlyQueries: quota, perMinute: 1_000_000 });
	const callers = { free: 0, unpaid: 0, x402: 0, card: 0, key: 12 };
	await using load = await startLoad(till, { holder, callers });
	await load.rounds(3);
	await redis.kill();
	await load.rounds(3);
	await redis.start();
	await load.rounds(3);
	await load.stop();
	const counted = tallyOf(load.answers).key?.[200] ?? 0;
	await expectExactLedger(till, load);

	await redis.kill();
	await fetch(`${till.gateways.url}/usage`, withKey(holder.key));
	const away = linesOf(back);
	await redis.start();
	await eventually(async () => {
		await fetch(`${till.gateways.url}/usage`, withKey(holder.key));
		return linesOf(back) > away;
	});
	expect(await usedBy(holder, quota)).toBe(counted + 1);
});

test("an exhausted quota remains exhausted while Redis is killed and when it is back empty", async () => {
	const holder = await newHolder(till.gateways, { plan: "Free", monthlyQueries: 8, perMinute: 1_000_000 });
	const ask = async (replica: number) =>
		(await fetch(`${till.gateways.urls[replica]}${path}`, withKey(holder.key))).status;
	for (let turn = 0; turn < 8; turn++) expect(await ask(turn % replicas)).toBe(200);
	for (const replica of [0, 1]) expect(await ask(replica)).toBe(429);
	await till.gateways.recorded();
	await redis.kill();
	for (const replica of [0, 1, 0, 1]) expect(await ask(replica)).toBe(429);
	await redis.start();
	for (const replica of [0, 1, 0, 1]) expect(await ask(replica)).toBe(429);
});
