/** Paying by MPP: what is offered, what pays, and what becomes of it when the network fails. */
import { Challenge } from "mppx";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "#libs/service/logger.ts";
import type { MppOptions } from "../../services/gateway/payments/rails/mpp.ts";
import { PaymentRefused, type Rail } from "../../services/gateway/payments/rails/rail.ts";
import { openPayer, type Payer, serializedOf } from "../support/payments/mpp-payer.ts";
import { startTempo, type TempoStandIn } from "../support/payments/tempo.ts";
import { charge, currency, openRail, recipient } from "./support/mpp.ts";

let tempo: TempoStandIn;
let rail: Rail;
let payer: Payer;
/** How far the clocks of the network and of the rail are ahead. */
let aheadMs: number;
const lines: string[] = [];
const log = createLogger({ name: "gateway", destination: { write: (line) => lines.push(line) } });
const now = () => Date.now() + aheadMs;

beforeEach(async () => {
	aheadMs = 0;
	lines.length = 0;
	tempo = await startTempo({ now });
	rail = reopened();
	payer = openPayer(tempo);
	tempo.ledger.fund(payer.account.address, currency, 1_000_000n);
});
afterEach(() => tempo[Symbol.asyncDispose]());

const reopened = (config: Partial<MppOptions["config"]> = {}, timeoutMs = 20_000) =>
	openRail(tempo, config, { log, now, timeoutMs });

async function offered(from: Rail = rail): Promise<Record<string, string>> {
	const offer = await from.offer(charge);
	if (offer === undefined) throw new Error("nothing is offered");
	return offer.headers;
}

const pay = async () => await payer.pay(await offered());
const check = async (credential: string) => await rail.validate(credential, charge);
const held = (address: string) => tempo.ledger.balance(address, currency);

test("an offer sends no request, states price and expiry, and is unique to each caller", async () => {
	const offers = await Promise.all(Array.from({ length: 50 }, () => offered()));
	const challenges = offers.map((headers) => Challenge.fromHeaders(new Headers(headers)));
	expect(new Set(challenges.map(({ id }) => id)).size).toBe(50);
	expect(challenges[0]).toMatchObject({
		method: "tempo",
		intent: "charge",
		realm: "energy-infrastructure-data",
		request: { amount: "10000", currency, methodDetails: { chainId: tempo.chainId, supportedModes: ["pull"] } },
	});
	expect(Date.parse(challenges[0]?.expires ?? "")).toBeGreaterThan(now() + 60_000);
	expect(JSON.stringify(offers[0]).length).toBeLessThan(8_192);
	expect(["eth_chainId", "eth_call", "eth_getBlockByNumber"].map(tempo.asked)).toEqual([0, 0, 0]);
});

test("checking a payment has no effect, however often", async () => {
	const credential = await pay();
	const checks = await Promise.all(Array.from({ length: 10 }, () => check(credential)));
	expect(new Set(checks.map((checked) => JSON.stringify(checked))).size).toBe(1);
	expect(tempo.ledger.movements).toEqual([]);
	const [checked] = checks;
	expect(checked).toMatchObject({ network: "eip155:4217", payer: payer.account.address.toLowerCase() });
	expect(rail.claimOf(credential)).toEqual({ network: checked?.network, payer: checked?.payer, nonce: checked?.nonce });
	expect(await rail.settle(checked?.stored ?? "", charge)).toMatchObject({ outcome: "settled" });
	expect(held(recipient)).toBe(10_000n);
});

test("a payment sent twice, also by two replicas, is paid once and settled both times", async () => {
	const { stored } = await check(await pay());
	const outcomes = [await rail.settle(stored, charge), await reopened().settle(stored, charge)];
	expect(outcomes).toMatchObject([{ outcome: "settled" }, { outcome: "settled" }]);
	expect(rail.receipt(`${tempo.ledger.movements[0]?.hash}`)).toHaveProperty("Payment-Receipt");
	expect(held(recipient)).toBe(10_000n);
});

test("a payment is settled even if the response is lost after the network accepted the transaction", async () => {
	const { stored } = await check(await pay());
	tempo.fail("eth_sendRawTransactionSync", "drop");
	expect(await rail.settle(stored, charge)).toMatchObject({ outcome: "settled" });
	expect(held(recipient)).toBe(10_000n);
});

test("a late success is of unknown outcome until it is in a block", async () => {
	const { stored } = await check(await pay());
	tempo.fail("eth_sendRawTransactionSync", "hold");
	expect(await rail.settle(stored, charge)).toMatchObject({ outcome: "unknown" });
	expect(await rail.reconcile(stored, 1)).toMatchObject({ outcome: "unknown" });
	tempo.ledger.mine();
	expect(await rail.reconcile(stored, 2)).toMatchObject({ outcome: "settled" });
	expect(held(recipient)).toBe(10_000n);
});

test("a transaction that never reached the network is unknown until it expires, and is not sent again", async () => {
	const { stored } = await check(await pay());
	tempo.fail("eth_sendRawTransactionSync", "hang");
	expect(await reopened({}, 200).settle(stored, charge)).toMatchObject({ outcome: "unknown" });
	tempo.recover();
	aheadMs = 30_000;
	expect(await rail.reconcile(stored, 120)).toMatchObject({ outcome: "unknown" });
	aheadMs = 120_000;
	expect(await rail.reconcile(stored, 120)).toMatchObject({ outcome: "failed" });
	expect([tempo.ledger.movements, tempo.asked("eth_sendRawTransactionSync")]).toEqual([[], 1]);
});

test("a charge remains unknown while the network does not respond, however old it is", async () => {
	const { stored } = await check(await pay());
	aheadMs = 3_600_000;
	for (const method of ["eth_getTransactionReceipt", "eth_getBlockByNumber"]) {
		tempo.fail(method, "busy");
		expect(await rail.reconcile(stored, 3_600)).toMatchObject({ outcome: "unknown" });
		tempo.recover();
	}
	expect(await rail.reconcile("{}", 3_600)).toMatchObject({ outcome: "unknown" });
});

test("a reverted transaction counts as failed", async () => {
	const [sent, asked] = [await check(await pay()), await check(await pay())];
	tempo.fail("eth_sendRawTransactionSync", "revert");
	expect(await rail.settle(sent.stored, charge)).toMatchObject({ outcome: "failed", headers: {} });
	expect(await rail.reconcile(sent.stored, 1)).toMatchObject({ outcome: "failed" });
	expect(await rail.reconcile(asked.stored, 1)).toMatchObject({ outcome: "unknown" });
});

test("a transaction in a block counts as failed if it differs from the terms", async () => {
	const { stored } = await check(await pay());
	await rail.settle(stored, charge);
	expect(await rail.reconcile(stored, 1)).toMatchObject({ outcome: "settled" });
	const agreed = JSON.parse(stored);
	const others = { amount: "9999", memo: `0x${"00".repeat(32)}`, recipient: `0x${"aa".repeat(20)}` };
	for (const [field, value] of Object.entries({ ...others, payer: others.recipient, currency: others.recipient }))
		expect(await rail.reconcile(JSON.stringify({ ...agreed, [field]: value }), 1), field).toMatchObject({
			outcome: "failed",
		});
});

test("a sender with too low a balance is refused, and the payment fails if the amount is spent meanwhile", async () => {
	const credential = await pay();
	const { stored } = await check(credential);
	tempo.ledger.fund(payer.account.address, currency, 9_999n - held(payer.account.address));
	await expect(check(credential)).rejects.toMatchObject({
		status: 402,
		problem: expect.stringMatching(/insufficient$/),
	});
	expect(await rail.settle(stored, charge)).toMatchObject({
		outcome: "failed",
		reason: expect.stringMatching(/insufficient/),
	});
});

test("a check without a response from the network is 503, and no log or error contains the credential", async () => {
	const credential = await pay();
	for (const kind of ["hang", "busy", "lose"] as const) {
		tempo.fail("eth_call", kind);
		const error = await reopened({}, 200)
			.validate(credential, charge)
			.catch((thrown: Error) => thrown);
		expect(error).toMatchObject({ status: 503, retryAfterSeconds: 5 });
		lines.push(String(error));
		tempo.recover();
	}
	const { stored } = await check(credential);
	expect(tempo.asked("eth_call")).toBe(4);
	tempo.fail("eth_sendRawTransactionSync", "busy");
	await rail.settle(stored, charge);
	expect(lines).toHaveLength(7);
	expect(lines.join()).not.toContain(serializedOf(credential).slice(20, 60));
	expect(lines.join()).not.toContain(credential.slice(20, 60));
});

test("a transaction without an expiry pays if its nonce is next, and fails once that nonce is used", async () => {
	const endless = async (nonce: number) =>
		await payer.payOtherwise(await pay(), ({ validBefore, validAfter, ...rest }) => ({ ...rest, nonceKey: 0n, nonce }));
	await expect(check(await endless(1))).rejects.toThrow("next");
	const [first, second] = [await check(await endless(0)), await check(await endless(0))];
	aheadMs = 3_600_000;
	expect(await rail.reconcile(second.stored, 3_600)).toMatchObject({ outcome: "unknown" });
	expect(await rail.settle(first.stored, charge)).toMatchObject({ outcome: "settled" });
	expect(await rail.settle(second.stored, charge)).toMatchObject({ outcome: "unknown" });
	expect(await rail.reconcile(second.stored, 3_600)).toMatchObject({ outcome: "failed" });
});

test("the realm is configured, or the public host", async () => {
	const realmOf = async (config: { MPP_REALM?: string; PUBLIC_URL?: string }) =>
		Challenge.fromHeaders(new Headers(await offered(reopened(config)))).realm;
	expect(await realmOf({ MPP_REALM: "energy", PUBLIC_URL: "https://data.example" })).toBe("energy");
	expect(await realmOf({ PUBLIC_URL: "https://data.example:8443" })).toBe("data.example");
});

test("an address with a wrong checksum stops the start", () => {
	expect(() => reopened({ MPP_RECIPIENT: "0x742d35Cc6634C0532925a3b844Bc9e7595f8fE00" })).toThrow(
		/MPP_RECIPIENT.*wrong checksum/,
	);
});

test("a credential is read from either header; two credentials are a 400, an unreadable one a 402", async () => {
	const credential = await pay();
	expect(rail.read({ authorization: credential })).toBe(credential);
	expect(rail.read({ authorization: `Bearer pk_1, ${credential}` })).toBe(credential);
	expect(rail.read({ authorization: "Bearer pk_1", "payment-authorization": credential })).toBe(credential);
	expect(rail.read({ authorization: "Bearer pk_1" })).toBeUndefined();
	expect(rail.read({})).toBeUndefined();
	const both = { authorization: credential, "payment-authorization": credential };
	for (const headers of [both, { authorization: `${credential}, ${credential}` }])
		expect(() => rail.read(headers)).toThrow(expect.objectContaining({ status: 400 }));
	for (const bad of ["Payment", "Payment x", "Payment dGhpcyBpcyBnYXJiYWdl", `Payment ${"e".repeat(20_000)}`])
		expect(() => rail.read({ authorization: bad })).toThrow(
			expect.objectContaining({ status: 402, problem: "https://paymentauth.org/problems/malformed-credential" }),
		);
	expect(() => rail.read({ authorization: "Payment x" })).toThrow(PaymentRefused);
});
