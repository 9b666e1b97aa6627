/** Made histories of the ledger: one after the other as a simple model says, and at once with lost sessions and requests that die. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { digestOf } from "#libs/contract/key.ts";
import { random as randomBy } from "../support/file-formats.ts";
import { balanceOf, faultsIn, type Ledger, openLedger } from "./support/payments.ts";
import { runRequests } from "./support/random-requests.ts";
import { makeCourse } from "./support/random-steps.ts";

let ledger: Ledger;
beforeAll(async () => {
	ledger = await openLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());
beforeEach(() => ledger.sql`truncate payments, paid_answers, credits, credit_entries`);
afterEach(async () => expect(await faultsIn(ledger.sql)).toEqual([]));

const tokens = ["token 0", "token 1"];

describe("a history of operations", () => {
	test("gets the same replies as the model", async () => {
		const random = randomBy(5);
		const { model, count, step } = makeCourse(ledger, random);
		for (let at = 0; at < 800; at++) {
			const ask = ledger.instances[random() < 0.5 ? 0 : 1];
			const [asked, answer, expected] = await step(ask);
			expect([at, asked, answer]).toEqual([at, asked, expected]);
		}
		const rows = await ledger.sql`
			select id, state, delivered_at is not null as delivered, deliveries, reference from payments order by id`;
		expect([...rows]).toEqual(model.states());
		for (const token of tokens)
			expect((await balanceOf(ledger.ask, token)) ?? 0).toBe(model.balanceOf(digestOf(token)));
		// A history without one of them would prove nothing of it.
		for (const [outcome, times] of Object.entries(count)) expect([outcome, times > 0]).toEqual([outcome, true]);
	});
});

describe("concurrent requests whose sessions are killed anywhere", () => {
	test("charge a nonce at most once, and lose no charge", async () => {
		const { charges, said, spent } = await runRequests(ledger, randomBy(1), { tokens, requests: 500 });
		const rows = await ledger.sql<{ id: number; nonce: string; state: string; rail: string }[]>`
			select id, nonce, state, rail from payments where state <> 'released'`;
		expect(rows.filter(({ state }) => !["settled", "failed"].includes(state))).toEqual([]);
		const settledOnChain = rows.filter(({ rail, state }) => rail !== "card" && state === "settled");
		expect([...charges.values()].filter((times) => times > 1)).toEqual([]);
		expect(settledOnChain.map(({ nonce }) => nonce).toSorted()).toEqual([...charges.keys()].toSorted());
		// The state of a charge that was once reported is its last.
		const byId = new Map(rows.map(({ id, state }) => [id, state]));
		for (const [id, state] of said) expect([id, byId.get(id)]).toEqual([id, state]);
		for (const token of tokens) expect(await balanceOf(ledger.ask, token)).toBe(spent.start - (await debitedOf(token)));
		expect(charges.size).toBeGreaterThan(20);
		expect(said.size).toBeGreaterThan(20);
	});
});

async function debitedOf(token: string): Promise<number> {
	const [row] = await ledger.sql<{ debited: number }[]>`
		select coalesce(sum(p.amount_micro_usd), 0)::bigint as debited from payments p join credits c on c.id = p.credits_id
		where c.sha256 = ${digestOf(token)} and p.state = 'settled'`;
	return row?.debited ?? 0;
}
