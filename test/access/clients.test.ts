/** The official clients of every way to pay, and what they get for it: the same answer as with a key, once paid for. */
import { x402Client } from "@x402/core/client";
import type { PaymentPayload } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { appendPaymentIdentifierToExtensions, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import { Receipt } from "mppx";
import { Mppx, stripe } from "mppx/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, operations } from "#libs/contract/index.ts";
import { keepTime, newWallet, runMppx, type Shop, shopSettings, takenBy } from "./support/clients.ts";
import { startGateways, type TestGateways } from "./support/gateways.ts";
import { chunk } from "./support/owner.ts";
import { network } from "./support/x402.ts";

const page = { data: [], meta: { total: 0, page: 1, per_page: 50, pages: 0 } };
const json = (value: object) => ({ json: JSON.stringify(value) as Json<never>, dataVersion: 1 });

let gateways: TestGateways;
let shop: Shop;
let key: string;
beforeAll(async () => {
	gateways = await startGateways({
		pay: ["x402", "mpp", "card"],
		settings: shopSettings,
		owner: {
			listProjects: async (params) => json({ ...page, params }),
			async *exportProjects() {
				yield chunk;
				yield "the end\n";
			},
		},
		scoring: { listItcDeals: async (params) => json({ ...page, params }) },
	});
	keepTime(gateways.clock);
	const { url, payments } = gateways;
	shop = { url, payments, wallet: newWallet(payments) };
	key = await gateways.register();
});
afterAll(() => gateways?.[Symbol.asyncDispose]());

const postJson = (path: string, body: object, ask: typeof fetch = fetch): Promise<Response> =>
	ask(shop.url + path, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.url + path, { headers });

/** A JSON page, one of the dearer tier, and the file that is streamed. */
const priced: [path: string, microUsd: number][] = [
	["/projects?per_page=3", 10_000],
	["/deals/itc?per_page=3", 50_000],
	["/export/projects", 100_000],
];

async function earned(during: () => Promise<unknown>): Promise<number> {
	const before = takenBy(shop);
	await during();
	return takenBy(shop) - before;
}

const x402Wallet = () => new x402Client().register(network, new ExactEvmScheme(shop.wallet.account));

describe("@x402/fetch", () => {
	test.each(priced)("GET %s", async (path, microUsd) => {
		const paying = wrapFetchWithPayment(fetch, x402Wallet());
		const before = takenBy(shop);
		const response = await paying(shop.url + path);
		expect(response.status).toBe(200);
		expect(await response.text()).toBe(await (await get(path, { "x-api-key": key })).text());
		expect(takenBy(shop) - before).toBe(microUsd);
		const receipt = decodePaymentResponseHeader(response.headers.get("payment-response") ?? "");
		expect(receipt).toMatchObject({ success: true, payer: shop.wallet.account.address });
	});

	test("a client that lost the answer gets it again by the purchase's name, and pays once", async () => {
		const id = `purchase_${crypto.randomUUID()}`;
		const naming = x402Wallet().registerExtension({
			key: PAYMENT_IDENTIFIER,
			enrichPaymentPayload: async (payload: PaymentPayload) => {
				const extensions = structuredClone(payload.extensions ?? {});
				return { ...payload, extensions: appendPaymentIdentifierToExtensions(extensions, id) };
			},
		});
		const paying = wrapFetchWithPayment(fetch, naming);
		const answers: string[] = [];
		const taken = await earned(async () => {
			for (const _ of ["lost", "again"]) {
				const response = await paying(`${shop.url}/projects?per_page=2`);
				expect(response.status).toBe(200);
				answers.push(await response.text());
			}
		});
		expect(taken).toBe(10_000);
		expect(answers[1]).toBe(answers[0]);
	});
});

describe("mppx", () => {
	test.each(priced)("GET %s", async (path, microUsd) => {
		const before = takenBy(shop);
		const response = await shop.wallet.tempo.fetch(shop.url + path);
		expect(response.status).toBe(200);
		expect(await response.text()).toBe(await (await get(path, { "x-api-key": key })).text());
		expect(takenBy(shop) - before).toBe(microUsd);
		expect(Receipt.fromResponse(response)).toMatchObject({ method: "tempo", status: "success" });
	});

	test.each([
		["mpp", /^payment-receipt: /m],
		["x402", /^payment-response: /m],
	])("its command line, by %s", async (protocol, receipt) => {
		const path = "/projects?per_page=1";
		let output = "";
		const taken = await earned(async () => {
			const { code, out, err } = await runMppx(shop, [shop.url + path, "-i", "--protocol", protocol]);
			expect(code, err).toBe(0);
			output = out;
		});
		expect(taken).toBe(10_000);
		expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 402", "HTTP/1.1 200"]);
		expect(output).toMatch(receipt);
		expect(output).toContain(await (await get(path, { "x-api-key": key })).text());
	});

	test("its card wallet buys credits, and they pay for calls", async () => {
		const granted: object[] = [];
		const wallet = Mppx.create({
			polyfill: false,
			methods: [
				stripe.charge({
					paymentMethod: "pm_card_visa",
					createToken: async ({ amount, currency, networkId }) => {
						granted.push({ amount, currency, networkId });
						return shop.payments.stripe.grant({ amountCents: Number(amount) });
					},
				}),
			],
		});
		const response = await postJson("/credits", { amount_usd: 5 }, wallet.fetch as typeof fetch);
		const { token, balance_usd } = operations.buyCredits.reply.parse(await response.json());
		expect(balance_usd).toBe(5);
		expect(granted).toEqual([{ amount: "500", currency: "usd", networkId: shop.payments.stripe.networkId }]);
		expect(Receipt.fromResponse(response)).toMatchObject({
			method: "stripe",
			reference: expect.stringMatching(/^pi_/),
		});
		expect((await get("/deals/itc", { authorization: `Bearer ${token}` })).status).toBe(200);
		expect(await balance(token)).toBe(4.95);
	});
});

const balance = async (token: string) =>
	operations.getCredits.reply.parse(await (await get("/credits", { authorization: `Bearer ${token}` })).json())
		.balance_usd;

test("stripe: a checkout is opened, paid on its page, reported by a signed event, and its credits pay for calls", async () => {
	const opened = operations.startCheckout.reply.parse(
		await (await postJson("/credits/checkout", { amount_usd: 20 })).json(),
	);
	const { token, checkout_url } = opened;
	expect(await (await fetch(checkout_url)).text()).toContain("Pay $20.00");
	expect((await get("/projects", { authorization: `Bearer ${token}` })).status).toBe(402);
	const taken = await earned(async () => {
		const page = await fetch(checkout_url, { method: "POST" });
		expect(page.url).toBe(`${shop.url}/credits/paid`);
	});
	expect(taken).toBe(20_000_000);
	expect(await balance(token)).toBe(20);
	expect((await get("/export/projects", { authorization: `Bearer ${token}` })).status).toBe(200);
	expect(await balance(token)).toBe(19.9);
});

test("a key pays for nothing, wherever it is put", async () => {
	const own = await gateways.register();
	const taken = await earned(async () => {
		const answers = await Promise.all([
			get("/projects?per_page=1", { "x-api-key": own }),
			get("/projects?per_page=1", { authorization: `Bearer ${own}` }),
			get(`/projects?per_page=1&api_key=${own}`),
		]);
		for (const response of answers) expect(response.status).toBe(200);
	});
	expect(taken).toBe(0);
});
