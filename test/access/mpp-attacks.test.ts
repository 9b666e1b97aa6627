/** MPP credentials that pay nothing: every part forged, changed, or taken from elsewhere. */
import { Challenge, Credential } from "mppx";
import { Mppx, stripe } from "mppx/server";
import { encodeFunctionData, fromRlp, type Hex, toRlp } from "viem";
import { Abis } from "viem/tempo";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Charge, Rail } from "../../services/gateway/payments/rails/rail.ts";
import { openPayer, type Payer, serializedOf, transactionOf, withPayload } from "../support/payments/mpp-payer.ts";
import { startTempo, type TempoStandIn } from "../support/payments/tempo.ts";
import { charge, currency, openRail, recipient, secret } from "./support/mpp.ts";

/** Another token, and another address. */
const other = "0x20c0000000000000000000000000000000000000";

let tempo: TempoStandIn;
let rail: Rail;
let payer: Payer;

beforeAll(async () => {
	tempo = await startTempo();
	rail = openRail(tempo);
	payer = openPayer(tempo);
	for (const token of [currency, other]) tempo.ledger.fund(payer.account.address, token, 1_000_000n);
});
afterAll(() => tempo[Symbol.asyncDispose]());

async function payTo(seller: Rail, what: Partial<Charge> = {}): Promise<string> {
	const offer = await seller.offer({ ...charge, ...what });
	return await payer.pay(offer?.headers ?? {});
}
const pay = async () => await payTo(rail);

/** The credential with parts of its challenge changed. */
function challenged(credential: string, change: Record<string, unknown>): string {
	const { challenge, ...rest } = Credential.deserialize(credential);
	return Credential.serialize({ ...rest, challenge: { ...challenge, ...change } as typeof challenge });
}

/** The paying call of a credential with another recipient, amount or memo. */
async function transferring(change: { to?: Hex; amount?: bigint; memo?: Hex | null; token?: Hex }): Promise<string> {
	const credential = await pay();
	return await payer.payOtherwise(credential, (transaction) => {
		const memo = change.memo ?? (`0x${transaction.calls[0]?.data?.slice(-64)}` as Hex);
		const [to, amount] = [change.to ?? recipient, change.amount ?? 10_000n] as const;
		const data =
			change.memo === null
				? encodeFunctionData({ abi: Abis.tip20, functionName: "transfer", args: [to, amount] })
				: encodeFunctionData({ abi: Abis.tip20, functionName: "transferWithMemo", args: [to, amount, memo] });
		return { ...transaction, calls: [{ to: change.token ?? currency, data }] };
	});
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

const attacks: [string, string, () => Promise<string>][] = [
	["a challenge that has expired", "payment-expired", () => expired()],
	[
		"a challenge under another secret",
		"invalid-challenge",
		() => payTo(openRail(tempo, { MPP_SECRET_KEY: "?".repeat(32) })),
	],
	["a challenge of another realm", "invalid-challenge", () => payTo(openRail(tempo, { MPP_REALM: "elsewhere" }))],
	["a challenge for another token", "invalid-challenge", () => payTo(openRail(tempo, { MPP_CURRENCY: other }))],
	["a challenge for another route", "invalid-challenge", () => payTo(rail, { route: "/changes" })],
	["a challenge for another method", "invalid-challenge", () => payTo(rail, { method: "HEAD" })],
	["a challenge for a lower price", "invalid-challenge", () => payTo(rail, { amountMicroUsd: 1 })],
	["a forged id", "invalid-challenge", async () => challenged(await pay(), { id: "A".repeat(43) })],
	["a later end", "invalid-challenge", async () => challenged(await pay(), { expires: "2099-01-01T00:00:00.000Z" })],
	[
		"another route in the challenge",
		"invalid-challenge",
		async () => challenged(await payTo(rail, { route: "/changes" }), { opaque: await opaqueOf(await pay()) }),
	],
	["a transfer to another payee", "verification-failed", () => transferring({ to: other })],
	["a transfer of less", "verification-failed", () => transferring({ amount: 9_999n })],
	["a transfer of another token", "verification-failed", () => transferring({ token: other })],
	["a transfer without a memo", "verification-failed", () => transferring({ memo: null })],
	[
		"the transaction of another challenge",
		"verification-failed",
		async () => withPayload(await pay(), { type: "transaction", signature: serializedOf(await pay()) }),
	],
	[
		"a transaction for another chain",
		"verification-failed",
		async () => payer.payOtherwise(await pay(), (transaction) => ({ ...transaction, chainId: 42_431 })),
	],
	[
		"a transaction that has ended",
		"payment-expired",
		async () => payer.payOtherwise(await pay(), (transaction) => ({ ...transaction, validBefore: inSeconds(-1) })),
	],
	[
		"a transaction that begins later",
		"verification-failed",
		async () =>
			payer.payOtherwise(await pay(), (transaction) => ({
				...transaction,
				validAfter: inSeconds(3_600),
				validBefore: inSeconds(7_200),
				nonceKey: 0n,
				nonce: 0,
			})),
	],
	[
		"a transaction that ends in a year, out of its turn",
		"verification-failed",
		async () =>
			payer.payOtherwise(await pay(), (transaction) => ({
				...transaction,
				validBefore: inSeconds(31_536_000),
				nonceKey: 7n,
				nonce: 1,
			})),
	],
	["a transaction whose signature was changed", "payment-insufficient", async () => tampered(await pay(), -10)],
	["a transaction that was cut off", "verification-failed", async () => tampered(await pay(), 100)],
	["a sender who is only stated", "verification-failed", () => statedSender()],
	["a hash of a transaction (push)", "verification-failed", () => pushed()],
	[
		"a proof, which pays nothing",
		"verification-failed",
		async () => withPayload(await pay(), { type: "proof", signature: `0x${"11".repeat(65)}` }),
	],
	["a payload of nothing", "verification-failed", async () => withPayload(await pay(), null)],
];

const opaqueOf = async (credential: string) => Credential.deserialize(credential).challenge.opaque;

/** One digit of the transaction changed, counted from its end; or the end cut off. */
async function tampered(credential: string, at: number): Promise<string> {
	const signed = serializedOf(credential);
	const place = signed.length + at;
	const digit = signed[place] === "0" ? "1" : "0";
	const signature = at > 0 ? signed.slice(0, -at) : signed.slice(0, place) + digit + signed.slice(place + 1);
	return withPayload(credential, { type: "transaction", signature });
}

/** A transaction can carry an address instead of the fees' signature, and readers take it for the sender's. */
async function statedSender(): Promise<string> {
	const credential = await pay();
	const rich = "0x00000000000000000000000000000000000000aa";
	tempo.ledger.fund(rich, currency, 1_000_000n);
	const fields = fromRlp(`0x${serializedOf(credential).slice(4)}`) as Hex[];
	const signature = `0x76${toRlp(fields.with(11, rich)).slice(2)}`;
	return withPayload(credential, { type: "transaction", signature });
}

/** Clients pay no such challenge: one of ours all the same, with the payload of another. */
async function expired(): Promise<string> {
	const offer = await openRail(tempo, {}, { now: () => Date.now() - 301_000 }).offer(charge);
	const challenge = Challenge.fromHeaders(new Headers(offer?.headers));
	return Credential.serialize({ challenge, payload: Credential.deserialize(await pay()).payload });
}

async function pushed(): Promise<string> {
	const credential = await pay();
	return withPayload(credential, { type: "hash", hash: tempo.ledger.send(serializedOf(credential)) });
}

test.each(attacks)("%s does not pay", async (_, problem, attack) => {
	const credential = await attack();
	const before = tempo.ledger.movements.length;
	const error = await rail.validate(credential, charge).then(
		(checked) => expect.fail(`it was accepted: ${JSON.stringify(checked)}`),
		(thrown) => thrown,
	);
	expect(error).toMatchObject({ status: 402, problem: `https://paymentauth.org/problems/${problem}` });
	expect(error.message).not.toContain("0x76");
	expect(error.message).not.toMatch(/\n|[\w-]{43}/);
	expect(tempo.ledger.movements.length).toBe(before);
});

test("no change to a credential allows a second claim", async () => {
	const credential = await pay();
	const { source, ...rest } = Credential.deserialize(credential);
	const again = await payer.payOtherwise(credential, (transaction) => ({ ...transaction, validAfter: 1 }));
	const variants = [
		credential,
		Credential.serialize({ ...rest, source: `did:pkh:eip155:4217:${other}` }),
		Credential.serialize(rest),
		`${credential}==`,
		again,
	];
	const checked = await Promise.all(variants.map((variant) => rail.validate(variant, charge)));
	expect(source).toContain(payer.account.address);
	expect(new Set(checked.map(({ nonce, payer: from, network }) => `${nonce} ${from} ${network}`)).size).toBe(1);
	expect(variants.map((variant) => rail.claimOf(variant)?.nonce)).toEqual(checked.map(({ nonce }) => nonce));
});

test("a transaction that pays two challenges transfers both amounts", async () => {
	const [cheap, dear] = [await pay(), await payTo(rail, { amountMicroUsd: 50_000 })];
	const calls = [cheap, dear].flatMap((credential) => transactionOf(credential).calls);
	const signature = await payer.sign(cheap, (transaction) => ({ ...transaction, calls }));
	const before = tempo.ledger.balance(recipient, currency);
	for (const [credential, amountMicroUsd] of [
		[cheap, 10_000],
		[dear, 50_000],
	] as const) {
		const both = withPayload(credential, { type: "transaction", signature });
		const { stored } = await rail.validate(both, { ...charge, amountMicroUsd });
		expect(await rail.settle(stored, charge)).toMatchObject({ outcome: "settled" });
	}
	expect(tempo.ledger.balance(recipient, currency) - before).toBe(60_000n);
});

test("the credential of another method is ignored", async () => {
	const shop = Mppx.create({
		realm: "energy-infrastructure-data",
		secretKey: secret,
		methods: [
			stripe.charge({
				client: { paymentIntents: { create: () => Promise.reject(new Error("not asked")) } } as never,
				networkId: "internal",
				currency: "usd",
				decimals: 2,
				paymentMethodTypes: ["card"],
			}),
		],
	});
	const challenge = await shop.challenge.stripe.charge({ amount: "5" });
	const authorization = Credential.serialize({ challenge, payload: { spt: "spt_1" } });
	expect(rail.read({ authorization })).toBeUndefined();
	await expect(rail.validate(authorization, charge)).rejects.toMatchObject({ status: 402 });
});
