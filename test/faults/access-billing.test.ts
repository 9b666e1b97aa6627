/** Billing is killed or hangs, NATS is killed, while everybody calls: who is answered still, who is refused and how, and that nothing is lost. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { newHolder, withKey } from "../access/support/callers.ts";
import { payTo } from "../access/support/gateways.ts";
import { openTill, type Till } from "../access/support/pay.ts";
import { type MortalServer, mortalNats } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { password } from "../support/servers.ts";
import { expectExactLedger, expectGoodBooks } from "./access-books.ts";
import {
	type Answer,
	asEver,
	callersOf,
	noLimits,
	patientSettings,
	recovered,
	startLoad,
	statusesOf,
} from "./access-load.ts";

let nats: MortalServer;
let till: Till;
beforeAll(async () => {
	nats = await mortalNats();
	const login = (user: string) => ({ user, password });
	till = await openTill({
		replicas: 2,
		pay: ["x402", "card"],
		settings: patientSettings,
		nats: { url: nats.url, login },
	});
});
afterAll(async () => {
	await till?.[Symbol.asyncDispose]();
	await nats?.[Symbol.asyncDispose]();
});

const { askWith, register } = callersOf(() => till);
const ticks = performance.now.bind(performance);
let passed = 0;
beforeEach(() => {
	vi.spyOn(performance, "now").mockImplementation(() => ticks() + passed);
});

/** Lets time pass for all that remembers since when it knows something. */
function pass(minutes: number): void {
	passed += minutes * 60_000;
}

/** Each has Retry-After. */
function expectRetryAfter(answers: readonly Answer[]): void {
	const refused = answers.filter(({ status }) => status === 503);
	expect(refused.length).toBeGreaterThan(0);
	for (const { retryAfter, text } of refused) {
		expect(Number(retryAfter)).toBeGreaterThan(0);
		expect(JSON.parse(text)).toHaveProperty("detail");
	}
}

/** Status and whether it says when to come again. */
async function refusalOf(answered: Promise<Response>): Promise<[number, boolean]> {
	const { status, headers, ...rest } = await answered.then((it) => ({ status: it.status, headers: it.headers, it }));
	await rest.it.text();
	return [status, Number(headers.get("retry-after")) > 0];
}

/** A key in the cache of the first gateway, which has received every event of it. */
async function knownKey(): Promise<string> {
	const { key } = await newHolder(till.gateways, noLimits);
	await eventually(async () => (await till.gateways.sql`select from outbox`).count === 0);
	expect((await askWith(key)).status).toBe(200);
	return key;
}

test("while billing is killed, cached keys and free operations work, payments are refused without a charge, and no usage is lost", async () => {
	const { token } = till.gateways.payments;
	await using load = await startLoad(till);
	await load.rounds(2);
	await till.gateways.stopBilling();
	// Charges that were begun before it end.
	await load.rounds(1);
	const charged = token.balanceOf(payTo);
	const meanwhile = await load.rounds(2);
	expect(statusesOf(meanwhile)).toEqual({ ...asEver, x402: [503], card: [503] });
	expectRetryAfter(meanwhile);
	expect(token.balanceOf(payTo)).toBe(charged);

	expect(await refusalOf(register())).toEqual([503, true]);
	expect(await refusalOf(askWith(makeSecret("pk_")))).toEqual([503, true]);
	expect(await refusalOf(fetch(`${till.gateways.url}/usage`, withKey(load.holder.key)))).toEqual([503, true]);
	expect(await refusalOf(fetch(`${till.gateways.url}/plans`))).toEqual([503, true]);
	expect((await askWith("pk_no-such-key")).status).toBe(403);

	await till.gateways.startBilling();
	await recovered(load);
	await load.stop();
	await expectExactLedger(till, load);
	await expectGoodBooks(till, load);
});

test("a cached key is valid for 15 minutes without billing", async () => {
	const key = await knownKey();
	await till.gateways.stopBilling();
	const statuses: number[] = [];
	for (const minutes of [2, 12, 1.01]) {
		pass(minutes);
		statuses.push((await askWith(key)).status);
	}
	await till.gateways.startBilling();
	expect(statuses).toEqual([200, 200, 503]);
	expect((await askWith(key)).status).toBe(200);
});

test("while billing hangs, a caller with a cached key waits for it once", { tags: ["campaign"] }, async () => {
	const key = await knownKey();
	const held = Promise.withResolvers<void>();
	const { promise: hangs, resolve: hang } = Promise.withResolvers<void>();
	const holding = till.gateways.sql.begin(async (tx) => {
		await tx`lock table keys in access exclusive mode`;
		hang();
		await held.promise;
	});
	await hangs;
	pass(2);
	const first = await askWith(key);
	// An unknown key waits for billing until its timeout.
	const stranger = refusalOf(askWith(makeSecret("pk_")));
	let isWaiting = true;
	void stranger.then(() => (isWaiting = false));
	const others = await Promise.all(Array.from({ length: 20 }, () => askWith(key)));
	const wasWaiting = isWaiting;
	const refused = await stranger;
	held.resolve();
	await holding;
	expect([first, ...others].map(({ status }) => status)).toEqual(Array(21).fill(200));
	expect(wasWaiting).toBe(true);
	expect(refused).toEqual([503, true]);
});

test("while NATS is killed the gateway serves cached responses, refuses others, charges nothing, and loses no usage", {
	tags: ["campaign"],
}, async () => {
	const { token } = till.gateways.payments;
	await using load = await startLoad(till);
	await load.rounds(2);
	await nats.kill();
	await load.rounds(1);
	const charged = token.balanceOf(payTo);
	const meanwhile = await load.rounds(2);
	expect(statusesOf(meanwhile)).toEqual({ free: [200], unpaid: [402], key: [503], x402: [503], card: [503] });
	expectRetryAfter(meanwhile);
	expect(token.balanceOf(payTo)).toBe(charged);
	expect(await refusalOf(register())).toEqual([503, true]);
	expect(till.gateways.access.some(({ usage }) => usage.waiting > 0)).toBe(true);

	await nats.start();
	await recovered(load);
	await load.stop();
	await expectExactLedger(till, load);
	await expectGoodBooks(till, load);
});
