/** Other projects' x402 and MPP clients try every paid endpoint, on the sample data, with money. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { httpOperations, isSold, pathParameters } from "../../services/gateway/registry/bindings.ts";
import { examples, type HttpOperationName } from "../api/support/walk.ts";
import { archiveToday } from "../support/archive.ts";
import { archivedFile } from "../support/archived-file.ts";
import { judge402, type Market, openMarket, run, runMppx, takenBy, validate } from "./support/clients.ts";

let market: Market;
/** Parameters of paths whose values only this world has. */
let known: Partial<Record<OperationName, Record<string, string>>>;
beforeAll(async () => {
	market = await openMarket();
	known = {
		getFile: { sha256: await archivedFile(market.world.sql, "miso") },
		getFileBytes: { sha256: await archivedFile(market.world.sql, "eia860") },
		getArchiveFile: await archiveToday(market.world),
	};
}, 300_000);
afterAll(() => market?.[Symbol.asyncDispose]());

const priced = httpOperations().filter(({ http }) => isSold(http));
/** The validator waits for the end of a response, which an event stream does not have: test/streams/paid.test.ts pays for these. */
const ending = priced.filter(({ operation }) => operation.eventStream === undefined);

const given = (name: OperationName): Record<string, string> => {
	const example = examples[name as HttpOperationName];
	// The request of the examples is not in the sample.
	return { ...example, ...("project_id" in example && { project_id: "PJM-AF1-912" }), ...known?.[name] };
};
const pathOf = (name: OperationName, path: string) =>
	pathParameters(path).reduce((at, each) => at.replace(`{${each}}`, given(name)[each] ?? ""), path);

describe("mppx validate", () => {
	test.each(ending.map(({ name, http }) => [name, http] as const))("%s, paid for", async (name, http) => {
		const before = takenBy(market);
		const endpoint = `${http.method}:${pathOf(name, http.path)}`;
		const parameters = Object.entries(given(name)).filter(([each]) => !pathParameters(http.path).includes(each));
		const query = parameters.map(([each, value]) => `${each}=${value}`);
		const { example: body = {} }: OperationShape = operations[name];
		const { passed, complaints } = await validate(market, {
			endpoint,
			...(http.method === "POST" ? { body } : { query }),
		});
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
});

test("mppx discover validate: the document", async () => {
	const { code, out, err } = await runMppx(market, ["discover", "validate", `${market.url}/openapi.json`]);
	expect({ code, said: out.trim(), err }).toEqual({ code: 0, said: "Discovery document is valid.", err: "" });
});

describe("@agentcash/discovery", () => {
	test.each(httpOperations().map(({ name, http }) => [name, http] as const))("check: %s", async (name, http) => {
		const { code, out } = await run("discovery", ["check", market.url + pathOf(name, http.path), "--json"]);
		const { found, advisories, warnings } = JSON.parse(out);
		expect({ code, found, warnings }).toEqual({ code: 0, found: true, warnings: [] });
		const { summary } = operations[name];
		expect(advisories).toContainEqual(expect.objectContaining({ method: http.method, summary }));
	});

	test.each(priced.map(({ name, http }) => [name, http] as const))("the 402 of %s", async (name, { path, method }) => {
		expect(await judge402(market.url + pathOf(name, path), method)).toEqual({ options: 2, complaints: [] });
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
