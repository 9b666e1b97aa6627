/** Forged, changed and reused payments through the whole gateway: they buy nothing and take nothing. */
import { Challenge, Credential } from "mppx";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { withPayload } from "../support/payments/mpp-payer.ts";
import { bought } from "./support/account.ts";
import { challengeSecret, payTo } from "./support/gateways.ts";
import { openTill, type Sent, type Till } from "./support/pay.ts";
import type { Change, Editable } from "./support/x402.ts";

let till: Till;
beforeAll(async () => {
	till = await openTill();
});
beforeEach(() => till.reset());
afterAll(() => till?.[Symbol.asyncDispose]());

const stranger = privateKeyToAccount(generatePrivateKey());
const elsewhere = "0x2222222222222222222222222222222222222222";
const seconds = (from: number) => String(Math.floor(Date.now() / 1_000) + from);
const accepted = (change: Partial<Editable["accepted"]>) => (payload: Editable) =>
	Object.assign(payload.accepted, change);

describe("a payment by x402", () => {
	const dishonest: [string, string, Change][] = [
		["to another payee", "it pays another recipient", { authorization: { to: elsewhere } }],
		[
			"whose payee was changed after the signing",
			"the signature is not the payer's",
			{ edit: ({ payload }) => Object.assign(payload.authorization, { to: payTo }), authorization: { to: elsewhere } },
		],
		["of less than the price", "its amount is not the price", { authorization: { value: "9999" } }],
		["of more than the price", "its amount is not the price", { authorization: { value: "10001" } }],
		[
			"whose amount was raised after the signing",
			"the signature is not the payer's",
			{
				authorization: { value: "1" },
				edit: ({ payload }) => Object.assign(payload.authorization, { value: "10000" }),
			},
		],
		[
			"in another token",
			"its terms were not offered here",
			{ domain: { verifyingContract: elsewhere }, edit: accepted({ asset: elsewhere }) },
		],
		["signed for another token", "the signature is not the payer's", { domain: { verifyingContract: elsewhere } }],
		[
			"on another network",
			"its terms were not offered here",
			{ domain: { chainId: 1 }, edit: accepted({ network: "eip155:1" }) },
		],
		["signed for another chain id", "the signature is not the payer's", { domain: { chainId: 1 } }],
		["signed by another key", "the signature is not the payer's", { signer: stranger }],
		["that has expired", "it has expired or is about to", { authorization: { validBefore: seconds(-1) } }],
		["that is about to expire", "it has expired or is about to", { authorization: { validBefore: seconds(2) } }],
		["that is not valid yet", "it is not valid yet", { authorization: { validAfter: seconds(600) } }],
		[
			"that is good for longer than was asked",
			"it is valid for longer than 3900 seconds",
			{ authorization: { validBefore: seconds(86_400) } },
		],
		[
			"that accepts a lower price",
			"its terms were not offered here",
			{ authorization: { value: "1" }, edit: accepted({ amount: "1" }) },
		],
		[
			"that accepts another payee",
			"its terms were not offered here",
			{ authorization: { to: elsewhere }, edit: accepted({ payTo: elsewhere }) },
		],
		["that accepts more time", "its terms were not offered here", { edit: accepted({ maxTimeoutSeconds: 86_400 }) }],
		[
			"that accepts another token's domain",
			"its terms were not offered here",
			{ edit: accepted({ extra: { name: "Another", version: "2" } }) },
		],
		[
			"from a payer without money",
			"the payer's balance is too low",
			{ signer: stranger, authorization: { from: stranger.address } },
		],
		["that names no resource", "it was made for another resource", { edit: (payload) => delete payload.resource }],
		[
			"for another resource",
			"it was made for another resource",
			{ edit: (payload) => Object.assign(payload.resource ?? {}, { url: "http://localhost/changes" }) },
		],
	];

	test.each(dishonest)("%s buys nothing", async (_, reason, change) => {
		const answered = await till.get("/projects", await till.x402("/projects", change));
		expect(answered.status).toBe(402);
		expect(answered.headers.get("payment-required")).not.toBeNull();
		expect(await answered.json()).toMatchObject({ detail: expect.stringContaining(`not accepted: ${reason};`) });
		await till.comesTo({ usage: { "402 unpaid": 1 } });
	});

	test.each([
		["is not base64", "%%%"],
		["is not JSON", Buffer.from("{").toString("base64")],
		["is empty", ""],
		["has no parts", Buffer.from("{}").toString("base64")],
	])("that %s is malformed", async (_, credential) => {
		expect((await till.get("/projects", { "payment-signature": credential })).status).toBe(400);
	});

	test("of version 1 is malformed", async () => {
		expect((await till.get("/projects", { "x-payment": "e30=" })).status).toBe(400);
	});
});

describe("a payment by MPP", () => {
	const payloadFor = (credential: Sent) => Credential.deserialize(credential.authorization ?? "");
	const challenged = async (change: object): Promise<Sent> => {
		const { challenge, ...rest } = payloadFor(await till.mpp("/projects"));
		return {
			authorization: Credential.serialize({ ...rest, challenge: { ...challenge, ...change } as typeof challenge }),
		};
	};
	/** A credential for a changed challenge, signed with a key of the attacker. */
	const forged = async (secretKey: string, change: object): Promise<Sent> => {
		const { challenge, payload } = payloadFor(await till.mpp("/projects"));
		const { id, ...asked } = challenge;
		const made = Challenge.from({ ...asked, ...change, secretKey } as Parameters<typeof Challenge.from>[0]);
		return { authorization: Credential.serialize(Credential.from({ challenge: made, payload })) };
	};
	const dishonest: [string, string, () => Promise<Sent>][] = [
		[
			"whose challenge has expired",
			"payment-expired",
			async () => {
				till.pass(-301);
				const unpaid = await till.get("/projects");
				till.pass(301);
				const challenge = Challenge.fromResponse(unpaid);
				const { payload } = payloadFor(await till.mpp("/projects"));
				return { authorization: Credential.serialize(Credential.from({ challenge, payload })) };
			},
		],
		["whose challenge is to end later", "invalid-challenge", () => challenged({ expires: "2099-01-01T00:00:00.000Z" })],
		["whose challenge has a forged id", "invalid-challenge", () => challenged({ id: "A".repeat(43) })],
		["whose challenge is of another realm", "invalid-challenge", () => challenged({ realm: "elsewhere" })],
		["whose challenge was signed by another", "invalid-challenge", () => forged("?".repeat(40), {})],
		[
			"of another realm with the same secret",
			"invalid-challenge",
			() => forged(challengeSecret, { realm: "elsewhere" }),
		],
		["whose challenge is for a body", "invalid-challenge", () => challenged({ digest: "sha-256=AAAA" })],
		["for another route", "invalid-challenge", () => till.mpp("/changes")],
		["for another price", "invalid-challenge", () => till.mpp("/export/projects")],
		[
			"that was sent to the network already",
			"verification-failed",
			async () => {
				const { authorization = "" } = await till.mpp("/projects");
				return { authorization: withPayload(authorization, { type: "hash", hash: `0x${"1".repeat(64)}` }) };
			},
		],
		["that cannot be read", "malformed-credential", async () => ({ authorization: "Payment e30" })],
	];

	test.each(dishonest)("%s buys nothing", async (_, problem, attack) => {
		const answered = await till.get("/projects", await attack());
		expect(answered.status).toBe(402);
		expect(answered.headers.get("www-authenticate")).toMatch(/^Payment /);
		expect(await answered.json()).toMatchObject({ type: `https://paymentauth.org/problems/${problem}` });
		await till.comesTo(problem === "malformed-credential" ? {} : { usage: { "402 unpaid": 1 } });
	});
});

describe("a credit token", () => {
	test.each([
		["that was never issued", makeSecret("cr_"), "$0.00"],
		["with a typing error", `${makeSecret("cr_").slice(0, -1)}!`, "not a credit token"],
	])("%s buys nothing", async (_, token, reason) => {
		const answered = await till.get("/projects", { authorization: `Bearer ${token}` });
		expect(answered.status).toBe(402);
		expect(await answered.json()).toMatchObject({ detail: expect.stringContaining(reason) });
		await till.comesTo({ usage: { "402 unpaid": 1 } });
	});

	test("with less on it than the price is refused, and the balance is named and left", async () => {
		const sent = await till.credits(9);
		const answered = await till.get("/export/projects", sent);
		expect(answered.status).toBe(402);
		expect(await answered.json()).toMatchObject({ detail: expect.stringContaining("the credits left are $0.09") });
		expect(await till.balance(sent)).toBe(0.09);
		await till.comesTo({ usage: { "402 unpaid": 1 } });
	});
});

describe("a payment that was used", () => {
	const onceMore = (rail: string) => ({
		...bought(rail as "x402"),
		usage: { [`200 ${rail} 10000`]: 1, "402 unpaid": 1 },
	});

	test.each(["x402", "mpp"] as const)("by %s buys nothing more, on no path and by no method", async (rail) => {
		const sent = await till.pay(rail, "/projects");
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo(bought(rail));
		const again = await till.get("/projects", sent);
		expect(again.status).toBe(402);
		expect(await again.json()).toMatchObject({ detail: expect.stringContaining("it was used before") });
		await till.comesTo(onceMore(rail));
		for (const path of ["/projects?page=2", "/projects/PJM-1", "/changes", "/export/projects"])
			expect((await till.get(path, sent)).status).toBe(402);
		expect((await till.raw("/projects", sent, "HEAD")).status).toBe(400);
		await till.comesTo({ ...onceMore(rail), usage: { [`200 ${rail} 10000`]: 1, "402 unpaid": 5 } });
	});

	test("by x402 is the same payment, however it is written", async () => {
		const sent = await till.x402("/projects");
		expect((await till.get("/projects", sent)).status).toBe(200);
		await till.comesTo(bought("x402"));
		const payload = JSON.parse(Buffer.from(sent["payment-signature"] ?? "", "base64").toString()) as Editable;
		const { authorization } = payload.payload;
		const spellings: ((said: Editable) => unknown)[] = [
			(said) => Object.assign(said.payload.authorization, { nonce: `0x${authorization.nonce.slice(2).toUpperCase()}` }),
			(said) => Object.assign(said.payload.authorization, { from: authorization.from.toLowerCase() }),
			(said) => Object.assign(said, { more: "of it" }),
			(said) => Object.assign(said.resource ?? {}, { url: `${till.gateways.url}/projects?again` }),
		];
		for (const spell of spellings) {
			const changed = structuredClone(payload);
			spell(changed);
			const written = { "payment-signature": Buffer.from(JSON.stringify(changed)).toString("base64") };
			expect((await till.get("/projects", written)).status).toBe(402);
		}
		await till.comesTo({ ...bought("x402"), usage: { "200 x402 10000": 1, "402 unpaid": spellings.length } });
	});
});
