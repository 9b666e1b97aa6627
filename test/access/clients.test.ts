/**
 * The official clients of every way to pay, and what they get for it: the same answer as with a key, once paid for. Other projects' validators
 * judge the rest; `judges.long.test.ts` shows them every endpoint.
 */
import { x402Client, x402HTTPClient } from "@x402/core/client";
import type { PaymentPayload } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { appendPaymentIdentifierToExtensions, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import { Challenge, Receipt } from "mppx";
import { Mppx, stripe } from "mppx/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, operations } from "#libs/contract/index.ts";
import { httpOperations, isSold } from "../../services/gateway/registry/bindings.ts";
import {
	judge402,
	keepTime,
	newWallet,
	run,
	runMppx,
	type Shop,
	shopSettings,
	takenBy,
	validate,
} from "./support/clients.ts";
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

	test("a client that lost the response gets it again by the payment identifier, and pays once", async () => {
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

	test("its command line pays by x402", async () => {
		const path = "/projects?per_page=1";
		let output = "";
		const taken = await earned(async () => {
			const { code, out, err } = await runMppx(shop, [shop.url + path, "-i", "--protocol", "x402"]);
			expect(code, err).toBe(0);
			output = out;
		});
		expect(taken).toBe(10_000);
		expect(output.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 402", "HTTP/1.1 200"]);
		expect(output).toMatch(/^payment-response: /m);
		expect(output).toContain(await (await get(path, { "x-api-key": key })).text());
	});

	test("its card wallet buys credits that pay for calls", async () => {
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

test("mppx validate accepts the challenge, the refusals, the paid response and its receipt", async () => {
	const before = takenBy(shop);
	const { passed, complaints } = await validate(shop, { endpoint: "GET:/projects" });
	expect(complaints).toEqual([]);
	expect(passed).toEqual(
		expect.arrayContaining([
			"x402 payment challenge",
			"Realm matches server hostname",
			"Malformed credential returns 402",
			"Payment: successful",
			"Receipt reference valid",
		]),
	);
	expect(takenBy(shop) - before).toBe(10_000);
});

test("@agentcash/discovery finds the price of one endpoint", async () => {
	const { code, out } = await run("discovery", ["check", `${shop.url}/projects`, "--json"]);
	const { found, warnings, advisories } = JSON.parse(out);
	expect({ code, found, warnings }).toEqual({ code: 0, found: true, warnings: [] });
	expect(advisories).toMatchObject([{ method: "GET", estimatedPrice: "0.01 USD", protocols: ["x402", "mpp"] }]);
	expect(await judge402(`${shop.url}/projects`)).toEqual({ options: 2, complaints: [] });
});

test("the document names the token that a challenge asks for", async () => {
	const { paths } = (await (await fetch(`${shop.url}/openapi.json`)).json()) as {
		paths: Record<string, { get: { "x-payment-info": { offers: object[] } } }>;
	};
	const { method, intent, request } = Challenge.fromResponse(await fetch(`${shop.url}/projects`));
	const { amount, currency } = request;
	expect(paths["/projects"]?.get["x-payment-info"].offers).toEqual([{ method, intent, amount, currency }]);
});

test("/.well-known/x402 lists the priced operations, each with the terms of its 402", async () => {
	const answer = await fetch(`${shop.url}/.well-known/x402`);
	expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
	const { version, x402Version, resources, items } = (await answer.json()) as {
		version: number;
		x402Version: number;
		resources: string[];
		items: { resource: string; method: string; accepts: { amount: string }[] }[];
	};
	expect({ version, x402Version }).toEqual({ version: 1, x402Version: 2 });
	expect(resources).toEqual(items.map(({ resource }) => resource));
	const priced = httpOperations().filter(({ http }) => isSold(http));
	expect(items.map(({ method, resource }) => `${method} ${resource}`).sort()).toEqual(
		priced.map(({ http }) => `${http.method} ${shop.url}${http.path}`).sort(),
	);
	const client = new x402HTTPClient(x402Wallet());
	for (const { method, resource, accepts } of items) {
		const { headers } = await fetch(resource, { method });
		const required = client.getPaymentRequiredResponse((name) => headers.get(name));
		expect(accepts, resource).toEqual(required.accepts);
	}
	expect(new Set(items.map(({ accepts }) => accepts[0]?.amount)).size).toBeGreaterThan(1);
});

/** Two queries: one that an offer repeats whole, and one that is too long for that. */
const queries = [900, 6_000].map((length) => `?developer=${"x".repeat(length)}`);

test("the headers of a 402, and of its payment by x402, stay below 7 KB, because proxies refuse more than 8", async () => {
	const client = new x402HTTPClient(x402Wallet());
	for (const { http } of httpOperations().filter((one) => isSold(one.http))) {
		for (const query of queries) {
			const path = http.path.replace(/\{\w+\}/g, "PJM-AF1-912");
			const { status, headers } = await fetch(shop.url + path + query, { method: http.method });
			expect(status).toBe(402);
			const head = [...headers].map(([name, value]) => `${name}: ${value}`).join("\r\n");
			expect(head.length, path).toBeLessThan(7_168);
			const offered = client.getPaymentRequiredResponse((name) => headers.get(name));
			const sent = client.encodePaymentSignatureHeader(await client.createPaymentPayload(offered));
			expect(JSON.stringify(sent).length, path).toBeLessThan(7_168);
		}
	}
});
