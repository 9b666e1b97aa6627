/**
 * A gateway, a process of its own, is killed in the middle of calls that are paid for, at each step and at random: in the end every charge
 * is in the ledger, once, and every payer that was charged has an answer or can have it.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { payTo } from "../access/support/gateways.ts";
import { openTill, type Sent, type Till } from "../access/support/pay.ts";
import { eventually } from "../support/eventually.ts";
import { type GatewayProcess, gatewayProcess } from "../support/gateway-process.ts";
import { expectGoodBooks } from "./access-books.ts";
import { path, patientSettings, startLoad, tallyOf } from "./access-load.ts";

/** The machine may be busy. */
vi.setConfig({ testTimeout: 120_000 });

const kills = 3;
const cents = 10_000n;

let till: Till;
let gateway: GatewayProcess;
beforeAll(async () => {
	// The gateway in this process is another replica, which finds out what became of the charges of the one that is killed.
	till = await openTill({ pay: ["x402", "card"], settings: patientSettings });
	const { nats, settings } = till.gateways;
	// Ready when it accepts payments.
	const isReady = async (url: string) => (await fetch(url + path)).headers.has("payment-required");
	gateway = await gatewayProcess({ nats, settings, isReady });
	await gateway.start();
});
afterAll(async () => {
	await gateway?.kill();
	await till?.[Symbol.asyncDispose]();
});

/** The state of the newest payment by a rail. */
async function newest(rail: "x402" | "card"): Promise<string | undefined> {
	const [row] = await till.gateways.sql<{ state: string }[]>`
		select state from payments where rail = ${rail} order by id desc limit 1`;
	return row?.state;
}

/** Whether it is recorded that the answer to the newest payment by x402 was delivered. */
async function isDelivered(): Promise<boolean> {
	const [row] = await till.gateways.sql<{ delivered: boolean }[]>`
		select delivered_at is not null as delivered from payments where rail = 'x402' order by id desc limit 1`;
	return row?.delivered === true;
}

/** Asks the gateway that is to be killed; its answer is whatever becomes of the connection. */
const pay = (sent: Sent) =>
	fetch(gateway.url + path, { headers: sent }).then(
		({ status }) => status,
		() => 0,
	);

/** Kills the gateway when `reached`, and starts another. */
async function killWhen(answered: Promise<number>, reached: () => boolean | Promise<boolean>): Promise<void> {
	await eventually(reached);
	await gateway.kill();
	expect(await answered).toBe(0);
	await gateway.start();
}

test("a gateway killed while it creates a response charges nothing, and the claim is released after five minutes", async () => {
	const { token } = till.gateways.payments;
	for (const rail of ["x402", "card"] as const) {
		const sent = await till.pay(rail, path);
		const before = { chain: token.balanceOf(payTo), usd: rail === "card" ? await till.balance(sent) : 0 };
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		const runs = till.owner.runs;
		till.owner.next(() => held);
		await killWhen(pay(sent), () => till.owner.runs > runs);
		release();
		expect(await newest(rail)).toBe("claimed");
		if (rail === "x402") expect((await till.get(path, sent)).status).toBe(409);
		await expectGoodBooks(till, { answers: [], attempts: [], since: till.now() });
		expect(await newest(rail)).toBe("released");
		expect(token.balanceOf(payTo)).toBe(before.chain);
		if (rail === "card") expect(await till.balance(sent)).toBe(before.usd);
	}
});

test("a gateway killed during a charge that arrives charges once, and the charge pays for the outstanding response", async () => {
	const { token, facilitator } = till.gateways.payments;
	const sent = await till.pay("x402", path);
	const before = token.balanceOf(payTo);
	facilitator.faults.settle.push("late");
	await killWhen(pay(sent), () => token.balanceOf(payTo) > before);
	expect(await newest("x402")).toBe("settling");
	expect((await till.get(path, sent)).status).toBe(409);
	till.pass(31);
	await till.reconcile();
	expect(await newest("x402")).toBe("settled");
	expect((await till.get(path, sent)).status).toBe(200);
	// Its delivery is recorded after the answer is sent; until then the payment is in use (409).
	await eventually(isDelivered);
	expect((await till.get(path, sent)).status).toBe(402);
	expect(token.balanceOf(payTo)).toBe(before + cents);
});

test("a gateway killed during a charge that never arrives charges nothing, then or later", async () => {
	const { token, facilitator } = till.gateways.payments;
	const sent = await till.pay("x402", path);
	const before = token.balanceOf(payTo);
	const settles = facilitator.asked.settle;
	facilitator.faults.settle.push("hang");
	await killWhen(pay(sent), () => facilitator.asked.settle > settles);
	expect(await newest("x402")).toBe("settling");
	expect((await till.get(path, sent)).status).toBe(409);
	till.pass(600);
	await till.reconcile();
	expect(await newest("x402")).toBe("failed");
	expect((await till.get(path, sent)).status).toBe(402);
	expect(token.balanceOf(payTo)).toBe(before);
});

test(`through ${kills} random kills among paid calls every response is charged once, and no charge is lost`, async () => {
	const callers = { free: 1, unpaid: 2, key: 2, x402: 6, card: 5 };
	await using load = await startLoad(till, { callers, urls: () => [gateway.url] });
	for (let kill = 0; kill < kills; kill++) {
		const answered = load.answers.length;
		await eventually(() => load.answers.slice(answered).filter(({ status }) => status === 200).length > 15, {
			withinMs: 20_000,
		});
		await gateway.kill();
		await gateway.start();
	}
	await load.rounds(1);
	const { unpaid, x402, card } = tallyOf(await load.stop());
	// No answer was given without a payment; some broke off.
	expect(Object.keys(unpaid ?? {}).map(Number)).toEqual([0, 402]);
	expect(x402?.[0]).toBeGreaterThan(0);
	expect(card?.[0]).toBeGreaterThan(0);
	const { settled } = await expectGoodBooks(till, load);
	expect(settled).toBeGreaterThan(10);
});
