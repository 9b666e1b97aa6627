/** Attacks on payments that concern the x402 rail alone. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PaymentRefused } from "../../services/gateway/payments/rails/rail.ts";
import {
	authorizationOf,
	type Change,
	chargeOf,
	type Editable,
	errorOf,
	network,
	openShop,
	type Shop,
} from "./support/x402.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const now = () => Math.floor(shop.clock.ms / 1000);

it("accepts a valid payment without charging it", async () => {
	const credential = await shop.pay();
	const checked = await shop.rail.validate(credential, chargeOf());
	const { nonce } = authorizationOf(credential);
	expect(checked).toMatchObject({
		network,
		payer: shop.payer.address.toLowerCase(),
		nonce: `${network}:${shop.token.address}:${shop.payer.address}:${nonce}`.toLowerCase(),
	});
	expect(shop.rail.claimOf(credential)).toEqual({
		network,
		payer: checked.payer,
		nonce: checked.nonce,
	});
	expect(shop.token.isUsed(shop.payer.address, nonce)).toBe(false);
});

const stranger = privateKeyToAccount(generatePrivateKey());
const other = "0x2222222222222222222222222222222222222222";
const nonce = `0x${"22".repeat(32)}`;
const made = `0x${"11".repeat(65)}`;
const edited = (edit: (payload: Editable) => unknown) => (): Change => ({ edit });
it.each<[string, () => Change, RegExp]>([
	["that pays another payee", () => ({ authorization: { to: other } }), /another recipient/],
	["of less than the price", () => ({ authorization: { value: "9999" } }), /price/],
	["of more than the price", () => ({ authorization: { value: "10001" } }), /price/],
	["that has expired", () => ({ authorization: { validBefore: String(now() - 1) } }), /expired/],
	["that is about to expire", () => ({ authorization: { validBefore: String(now() + 5) } }), /expired/],
	["that is not valid yet", () => ({ authorization: { validAfter: String(now() + 60) } }), /not valid yet/],
	["that is valid for a year", () => ({ authorization: { validBefore: String(now() + 31_536_000) } }), /longer/],
	["that another key signed", () => ({ signer: stranger }), /signature/],
	["that was signed for another chain", () => ({ domain: { chainId: 8453 } }), /signature/],
	["that was signed for another token", () => ({ domain: { verifyingContract: other } }), /signature/],
	["of a payer without money", () => ({ signer: stranger, authorization: { from: stranger.address } }), /balance/],
	["that accepts a lower price", edited(({ accepted }) => Object.assign(accepted, { amount: "1" })), /offered/],
	["that accepts another payee", edited(({ accepted }) => Object.assign(accepted, { payTo: other })), /offered/],
	["that accepts another token", edited(({ accepted }) => Object.assign(accepted, { asset: other })), /offered/],
	[
		"that accepts more time",
		edited(({ accepted }) => Object.assign(accepted, { maxTimeoutSeconds: 86_400 })),
		/offered/,
	],
	["of another network", edited(({ accepted }) => Object.assign(accepted, { network: "eip155:8453" })), /offered/],
	["that accepts another scheme", edited(({ accepted }) => Object.assign(accepted, { scheme: "upto" })), /offered/],
	["of another domain", edited(({ accepted }) => Object.assign(accepted.extra, { name: "X" })), /offered/],
	[
		"that was changed after signing",
		edited(({ payload }) => Object.assign(payload.authorization, { nonce })),
		/signature/,
	],
	["with a made-up signature", edited(({ payload }) => Object.assign(payload, { signature: made })), /signature/],
	["that names no resource", edited((payload) => Reflect.deleteProperty(payload, "resource")), /another resource/],
])("refuses a payment %s", async (_, change, reason) => {
	const credential = await shop.pay(change());
	const error = await errorOf(() => shop.rail.validate(credential, chargeOf()));
	expect(error).toBeInstanceOf(PaymentRefused);
	expect(error.message).toMatch(reason);
});

it.each([
	["another route", "https://data.example/developers"],
	["a longer path", "https://data.example/projects/PJM-1"],
	["a trailing slash", "https://data.example/projects/"],
	["an escaped slash", "https://data.example/projects%2F"],
	["another case", "https://data.example/Projects"],
	["dots that lead away", "https://data.example/projects/../stats"],
	["no URL", "projects"],
	["a broken escape", "https://data.example/projects%"],
])("refuses a payment for %s", async (_, url) => {
	const credential = await shop.pay({ edit: ({ resource }) => Object.assign(resource ?? {}, { url }) });
	const error = await errorOf(() => shop.rail.validate(credential, chargeOf()));
	expect(error.message).toBe("it was made for another resource");
});

it("refuses a payment of a cheaper route for a dearer one", async () => {
	const credential = await shop.pay();
	const dear = chargeOf({ operation: "exportProjects", amountMicroUsd: 100_000 });
	await expect(shop.rail.validate(credential, dear)).rejects.toBeInstanceOf(PaymentRefused);
});

it("accepts the same path in any escaping, and any query", async () => {
	const charge = chargeOf({ url: "https://data.example/projects/PJM%2DAA1?x=1", operation: "getProject" });
	const edit = ({ resource }: Editable) =>
		Object.assign(resource ?? {}, { url: "https://proxy.example/%70rojects/PJM-AA1" });
	await expect(shop.rail.validate(await shop.pay({ edit }, charge), charge)).resolves.toBeDefined();
});

it("refuses a payment for a path whose slash is part of a name in the other", async () => {
	const charge = chargeOf({ url: "https://data.example/projects/PJM%2FAA1", operation: "getProject" });
	const edit = ({ resource }: Editable) =>
		Object.assign(resource ?? {}, { url: "https://data.example/projects/PJM/AA1" });
	const credential = await shop.pay({ edit }, charge);
	expect((await errorOf(() => shop.rail.validate(credential, charge))).message).toMatch(/another resource/);
});

it("claims one authorization once, in upper or lower case", async () => {
	const nonce = `0x${"ab".repeat(32)}` as const;
	const lower = await shop.pay({ authorization: { nonce } });
	const upper = await shop.pay({
		authorization: { nonce },
		edit({ payload }) {
			payload.authorization.nonce = `0x${"AB".repeat(32)}`;
			payload.authorization.from = `0x${shop.payer.address.slice(2).toLowerCase()}`;
		},
	});
	const [one, two] = [await shop.rail.validate(lower, chargeOf()), await shop.rail.validate(upper, chargeOf())];
	expect(two.nonce).toBe(one.nonce);
	expect(two.payer).toBe(one.payer);
});

it("stores only the authorization", async () => {
	const edit = (payload: Editable) => {
		payload.extensions.intruder = { info: "stored by a stranger" };
		Object.assign(payload.accepted.extra, { intruder: "stored by a stranger" });
		Object.assign(payload.resource ?? {}, { description: "stored by a stranger" });
	};
	const { stored } = await shop.rail.validate(await shop.pay({ edit }), chargeOf());
	expect(stored).not.toContain("stranger");
	expect(stored.length).toBeLessThan(20_000);
});

it("refuses an authorization that was charged before, with the reason", async () => {
	const credential = await shop.pay();
	const { stored } = await shop.rail.validate(credential, chargeOf());
	expect((await shop.rail.settle(stored, chargeOf())).outcome).toBe("settled");
	const error = await errorOf(() => shop.rail.validate(credential, chargeOf()));
	expect(error.message).toBe("the authorization was used before");
});

it("includes no credential in errors and logs", async () => {
	shop.facilitator.faults.verify.push("error");
	const credential = await shop.pay();
	const { nonce } = authorizationOf(credential);
	const error = await errorOf(() => shop.rail.validate(credential, chargeOf()));
	expect(error.status).toBe(503);
	expect(error.retryAfterSeconds).toBeGreaterThan(0);
	expect(error.message).toMatch(/nothing is charged/);
	expect(shop.logged.join()).toContain("status 500");
	expect(`${error.message} ${shop.logged.join()}`).not.toContain(nonce.slice(2));
});
