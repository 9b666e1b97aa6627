/** Other projects' x402 and MPP clients try every paid endpoint, on the sample data, with money. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { httpOperations, isSold } from "../../services/gateway/registry/bindings.ts";
import { judge402, type Market, openMarket, run, runMppx, takenBy, validate } from "./support/clients.ts";

let market: Market;
beforeAll(async () => {
	market = await openMarket();
}, 300_000);
afterAll(() => market?.[Symbol.asyncDispose]());

const known = { project_id: "PJM-AF1-912", developer_id: "AES" };
/** Parameters that the operation requires. */
const needed: Partial<Record<OperationName, string[]>> = {
	search: ["q=solar"],
	searchDevelopers: ["q=AES"],
	calculateTaxCredits: ["technology=solar", "capacity_mw=100", "state=TX"],
};

const priced = httpOperations().filter(({ http }) => isSold(http));
const pathOf = (path: string) =>
	path.replace("{project_id}", known.project_id).replace("{developer_id}", known.developer_id);

const bodyOf = (name: OperationName) => {
	const { example: body = {} }: OperationShape = operations[name];
	return { body };
};

describe("mppx validate", () => {
	test.each(priced.map(({ name, http }) => [name, http] as const))("%s, paid for", async (name, http) => {
		const before = takenBy(market);
		const endpoint = `${http.method}:${pathOf(http.path)}`;
		const given = http.method === "POST" ? bodyOf(name) : { query: needed[name] ?? [] };
		const { passed, complaints } = await validate(market, { endpoint, ...given });
		expect(complaints).toEqual([]);
		expect(passed).toEqual(expect.arrayContaining(["Payment: successful", "Receipt reference valid"]));
		expect(takenBy(market) - before).toBe(priceMicroUsd[http.price]);
	});

	test("buyCredits, paid for by card", async () => {
		const sharedPaymentToken = market.payments.stripe.grant({ amountCents: 500 });
		const before = takenBy(market);
		const { passed, complaints } = await validate(market, {
			endpoint: "POST:/credits",
			body: { amount_usd: 5 },
			sharedPaymentToken,
		});
		expect(complaints).toEqual([]);
		expect(passed).toEqual(expect.arrayContaining(["Payment: successful", "Receipt reference valid"]));
		expect(takenBy(market) - before).toBe(5_000_000);
	});

	test("the whole service by its document: what it complains of is where it knows no parameters, and costs nothing", async () => {
		const sharedPaymentToken = market.payments.stripe.grant({ amountCents: 500 });
		const unknown = priced.filter(({ name }) => name in needed);
		const before = takenBy(market);
		const { complaints } = await validate(market, { sharedPaymentToken });
		expect(complaints).toEqual(
			unknown.flatMap(({ http }) => [
				`warn at ${http.method} ${http.path}: Payment: post-payment response (Got 422)`,
				`fail at ${http.method} ${http.path}: Payment-Receipt header present`,
			]),
		);
		const bought = priced.filter((one) => !unknown.includes(one));
		const prices = bought.reduce((sum, { http }) => sum + priceMicroUsd[http.price], 0);
		expect(takenBy(market) - before).toBe(prices + 5_000_000);
	});
});

test("mppx discover validate: the document", async () => {
	const { code, out, err } = await runMppx(market, ["discover", "validate", `${market.url}/openapi.json`]);
	expect({ code, said: out.trim(), err }).toEqual({ code: 0, said: "Discovery document is valid.", err: "" });
});

describe("@agentcash/discovery", () => {
	test.each(httpOperations().map(({ name, http }) => [name, http] as const))("check: %s", async (name, http) => {
		const { code, out } = await run("discovery", ["check", market.url + pathOf(http.path), "--json"]);
		const { found, advisories, warnings } = JSON.parse(out);
		expect({ code, found, warnings }).toEqual({ code: 0, found: true, warnings: [] });
		const { summary } = operations[name];
		expect(advisories).toContainEqual(expect.objectContaining({ method: http.method, summary }));
	});

	test.each(priced.map(({ name, http }) => [name, http] as const))("the 402 of %s", async (_name, { path, method }) => {
		expect(await judge402(market.url + pathOf(path), method)).toEqual({ options: 2, complaints: [] });
	});

	test("discover: every endpoint, without an error", async () => {
		const { code, out } = await run("discovery", ["discover", market.url, "--json"]);
		const { ok, resources, warnings } = JSON.parse(out);
		expect({ code, ok }).toEqual({ code: 0, ok: true });
		expect(resources).toHaveLength(httpOperations().length);
		expect(resources).toContainEqual(
			expect.objectContaining({
				method: "GET",
				path: "/deals/itc",
				authHint: "apiKey+paid",
				priceHint: "0.05 USD",
				protocols: ["x402", "mpp"],
			}),
		);
		// The tool complains that there are many.
		expect(warnings.map(({ code: found }: { code: string }) => found)).toEqual(["L2_ROUTE_COUNT_HIGH"]);
	});
});
