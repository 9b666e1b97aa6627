/** `npm run admin -- payments`: what an operator sees of payments and credits, and what never. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { digestOf, hintOf, makeSecret } from "#libs/contract/key.ts";
import { connect } from "#libs/postgres/connect.ts";
import { commands } from "../../services/billing/admin/payments.ts";
import { schema } from "../../services/billing/migrate.ts";
import { openBilling, type TestBilling } from "./support/billing.ts";
import { runPayments } from "./support/keys-command.ts";
import { balanceOf, claimed, claimOf, debitOf, faultsIn, settled } from "./support/payments.ts";

const start = "2026-11-21T12:00:00Z";
const token = makeSecret("cr_");

let billing: TestBilling;
let credits_id: number;
beforeAll(async () => {
	billing = await openBilling(start);
});
afterAll(() => billing[Symbol.asyncDispose]());

/** 1: settled and delivered, 2: unknown, 3: a debit, 4: a debit that was given back. */
beforeEach(async () => {
	const { ask, sql } = billing;
	await sql`truncate payments, paid_answers, credits, credit_entries restart identity`;
	await settled(ask, await claimed(ask, { nonce: "a", request_id: "g-1", payer: "0xabc" }), true);
	const unknown = await claimed(ask, {
		nonce: "b",
		rail: "mpp",
		network: "tempo",
		request_id: "g-2",
		amount_micro_usd: 5_500,
	});
	await ask("beginSettlement", { payment_id: unknown });
	await ask("finishPayment", { payment_id: unknown, state: "unknown", reference: "0xseen", delivered: false });
	({ credits_id } = await ask("openCredits", { sha256: digestOf(token), hint: hintOf(token) }));
	await ask("addCredits", { credits_id, amount_micro_usd: 5_000_000, payment_intent: "pi_1", event_id: null });
	for (const nonce of ["c", "d"]) {
		const payment_id = await claimed(ask, debitOf(token, { nonce, payer: null, request_id: `g-${nonce}` }));
		await ask("finishPayment", { payment_id, state: "settled", reference: "credits", delivered: nonce === "c" });
		if (nonce === "d") await ask("releasePayment", { payment_id });
	}
});

const payments = (...args: string[]) => runPayments(billing, ...args);
const cellsOf = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/));
const fieldsOf = (text: string) => Object.fromEntries(cellsOf(text));

describe("list", () => {
	it("shows the newest first, filtered by state and rail, up to a limit", async () => {
		const { code, out } = await payments("list");
		expect(code).toBe(0);
		expect(cellsOf(out)).toEqual([
			["id", "rail", "state", "usd", "operation", "claimed", "delivered", "reference"],
			["4", "card", "released", "0.01", "listProjects", start, "credits"],
			["3", "card", "settled", "0.01", "listProjects", start, start, "credits"],
			["2", "mpp", "unknown", "0.0055", "listProjects", start, "0xseen"],
			["1", "x402", "settled", "0.01", "listProjects", start, start, "tx 1"],
			["4 of 4 payments"],
		]);
		const ids = async (...args: string[]) =>
			[...(await payments("list", ...args)).out.matchAll(/^(\d+) {2}/gm)].map(([, id]) => id);
		expect(await ids("--state", "unknown")).toEqual(["2"]);
		expect(await ids("--state", "Settled")).toEqual(["3", "1"]);
		expect(await ids("--state", "settled", "--rail", "x402")).toEqual(["1"]);
		expect((await payments("list", "--rail", "card", "--limit", "1")).out).toMatch(/\n4 .*\n1 of 2 payments$/);
	});
});

describe("show", () => {
	it("prints a payment by its id, its reference and its request", async () => {
		const { code, out } = await payments("show", "1");
		expect([code, fieldsOf(out)]).toEqual([
			0,
			{
				id: "1",
				rail: "x402",
				network: "eip155:8453",
				state: "settled",
				usd: "0.01",
				operation: "listProjects",
				payer: "0xabc",
				nonce: "a",
				reference: "tx 1",
				request: "g-1",
				claimed: start,
				"settling since": start,
				finished: start,
				delivered: start,
				redeliveries: "0",
				"status checks": "0",
			},
		]);
		for (const named of ["tx 1", "g-1"]) expect((await payments("show", named)).out).toBe(out);
		expect(fieldsOf((await payments("show", "g-d")).out)).toMatchObject({
			state: "released",
			credits: `${credits_id} ${hintOf(token)}`,
			refunded: start,
		});
	});

	it("requires the id if several payments have the same reference", async () => {
		expect(await payments("show", "credits")).toEqual({ code: 1, out: "", err: expect.stringContaining("(4, 3)") });
	});
});

describe("credits", () => {
	it("shows a token's balance and entries, by its id, its hint, and the token itself", async () => {
		const { code, out } = await payments("credits", String(credits_id));
		expect(code).toBe(0);
		const [fields = "", moves = ""] = out.split("\n\n");
		expect(fieldsOf(fields)).toEqual({
			id: String(credits_id),
			hint: hintOf(token),
			created: start,
			"usd bought": "5.00",
			"usd debited": "0.02",
			"usd refunded": "0.01",
			"usd voided": "0.00",
			"usd balance": "4.99",
		});
		expect(cellsOf(moves)).toEqual([
			["at", "kind", "usd", "payment", "intent"],
			[start, "refund", "0.01", "4"],
			[start, "debit", "-0.01", "4"],
			[start, "debit", "-0.01", "3"],
			[start, "purchase", "5.00", "pi_1"],
		]);
		for (const named of [hintOf(token), hintOf(token).replace("…", "..."), token])
			expect((await payments("credits", named)).out).toBe(out);
	});

	it("are voided once, by an entry of the whole balance, and the sums agree", async () => {
		const { code, out } = await payments("credits", hintOf(token), "--void");
		expect(code).toBe(0);
		expect(out).toMatch(/usd voided +4\.99\nusd balance +0\.00\n/);
		expect(out).toMatch(/ void +-4\.99\n/);
		expect(await payments("credits", hintOf(token), "--void")).toMatchObject({ code: 1, out: "" });
		expect((await billing.sql`select from credit_entries where kind = 'void'`).count).toBe(1);
		expect(await billing.ask("claimPayment", claimOf(debitOf(token, { nonce: "e" })))).toEqual({
			outcome: "insufficient",
			balance_micro_usd: 0,
		});
		expect(await faultsIn(billing.sql)).toEqual([]);
	});

	it("are voided once by many at once", async () => {
		const voiding = commands.credits?.read([String(credits_id), "--void"]);
		await using sql = connect(billing.url, { schema, name: "operators", max: 4 });
		const done = await Promise.allSettled(Array.from({ length: 4 }, () => voiding?.(sql, billing.clock.now)));
		expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
		expect(await balanceOf(billing.ask, token)).toBe(0);
		expect(await faultsIn(billing.sql)).toEqual([]);
	});
});

it("no hash of a secret and no stored credential is ever printed", async () => {
	const printed = [];
	for (const args of [["list"], ...["1", "2", "3", "4"].map((id) => ["show", id]), ["credits", token]])
		printed.push((await payments(...args)).out);
	const text = printed.join("\n");
	for (const secret of [digestOf(token), digestOf("credential"), token.slice(7, 35), '{"credential"'])
		expect(text).not.toContain(secret);
	const [row] = await billing.sql<{ stored: string }[]>`select stored from payments where id = 2`;
	expect(row?.stored).toContain('{"credential"');
});

describe("a wrong call exits with 1, shows the right usage and changes nothing", () => {
	it.each([
		[[], "COMMAND"],
		[["list", "--state", "lost"], "--state must be one of claimed"],
		[["list", "--rail", "cash"], "--rail must be one of x402, mpp, card"],
		[["list", "--limit", "0"], "--limit must be at least 1"],
		[["list", "--void"], "Unknown option '--void'\nusage: npm run admin -- payments list"],
		[["show"], "pass exactly one ID, REFERENCE or REQUEST"],
		[["show", "99"], "no payment has this"],
		[["show", "' or true --"], "no payment has this"],
		[["credits"], "pass exactly one ID or HINT"],
		[["credits", "99", "--void"], "no token has this"],
		[["credits", "1", "--void=yes"], "--void"],
	])("%j", async (args, sentence) => {
		const { code, out, err } = await payments(...args);
		expect([code, out]).toEqual([1, ""]);
		expect(err).toContain(sentence);
		expect(await balanceOf(billing.ask, token)).toBe(4_990_000);
	});
});
