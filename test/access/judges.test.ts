/** Other projects' x402 and MPP clients use the service; `judges.long.test.ts` shows them every endpoint. */
import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { Challenge } from "mppx";
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpOperations, isSold } from "../../services/gateway/registry/bindings.ts";
import { judge402, newWallet, run, type Shop, shopSettings, takenBy, validate } from "./support/clients.ts";
import { openTill, type Till } from "./support/pay.ts";
import { network } from "./support/x402.ts";

let till: Till;
let shop: Shop;
beforeAll(async () => {
	till = await openTill({ settings: shopSettings });
	const { url, payments } = till.gateways;
	shop = { url, payments, wallet: newWallet(payments) };
});
afterAll(() => till?.[Symbol.asyncDispose]());

test("mppx validate: the challenge, the refusals, the answer to a payment and its receipt", async () => {
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

test("@agentcash/discovery: one endpoint, asked for its price", async () => {
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

test("/.well-known/x402 lists what is priced, each with the terms of its 402", async () => {
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
	const client = new x402HTTPClient(new x402Client().register(network, new ExactEvmScheme(shop.wallet.account)));
	for (const { method, resource, accepts } of items) {
		const { headers } = await fetch(resource, { method });
		const required = client.getPaymentRequiredResponse((name) => headers.get(name));
		expect(accepts, resource).toEqual(required.accepts);
	}
	expect(new Set(items.map(({ accepts }) => accepts[0]?.amount)).size).toBeGreaterThan(1);
});

/** Two queries: one that an offer repeats whole, and one that is too long for that. */
const queries = [900, 6_000].map((length) => `?developer=${"x".repeat(length)}`);

test("no 402 has a head of 7 KB, nor has what pays it by x402: proxies refuse more than 8", async () => {
	const client = new x402HTTPClient(new x402Client().register(network, new ExactEvmScheme(shop.wallet.account)));
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
