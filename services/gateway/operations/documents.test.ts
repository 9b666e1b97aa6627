import { describe, expect, test } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import { prices } from "#libs/contract/vocabulary.ts";
import type { Terms } from "../documents/terms.ts";
import { httpOperations } from "../registry/bindings.ts";
import { getPricingInfo } from "./documents.ts";

async function pricingOf(terms: Terms): Promise<Reply<"getPricingInfo">> {
	const { json } = await getPricingInfo(terms)({}, { signal: AbortSignal.timeout(60_000) });
	return operations.getPricingInfo.reply.parse(JSON.parse(String(json)));
}
const every: Terms = { keyless: "pay", railsEnabled: ["x402", "mpp", "card"] };

test("the prices are the specification's (5.8)", async () => {
	const { pricing_by_tier, endpoints } = await pricingOf(every);
	expect(pricing_by_tier).toEqual({
		free: { price_usd: 0 },
		standard: { price_usd: 0.01 },
		premium: { price_usd: 0.05 },
		pro: { price_usd: 0.1 },
	});
	for (const tier of prices) expect(endpoints[tier].price_usd).toBe(pricing_by_tier[tier].price_usd);
});

test("the tiers are the specification's (5.9)", async () => {
	const { endpoints } = await pricingOf(every);
	const free = ["/stats", "/source-freshness", "/plans", "/pricing-info", "/openapi.json", "/register", "/"];
	expect(endpoints.free.endpoints).toEqual(expect.arrayContaining(free.map((path) => `GET ${path}`)));
	expect(endpoints.standard.endpoints).toEqual(expect.arrayContaining(["GET /projects", "GET /developers"]));
	expect(endpoints.premium.endpoints).toEqual(expect.arrayContaining(["GET /deals/itc", "GET /tax-credits/calculate"]));
	expect(endpoints.pro.endpoints).toContain("GET /export/projects");
});

test("every endpoint is listed once, under its declared price", async () => {
	const { endpoints } = await pricingOf(every);
	const listed = prices.flatMap((tier) => endpoints[tier].endpoints.map((endpoint) => `${tier} ${endpoint}`));
	const declared = httpOperations().map(({ http }) => `${http.price} ${http.method} ${http.path}`);
	expect(listed.toSorted()).toEqual(declared.toSorted());
});

describe("the ways to pay", () => {
	test("are the enabled ones", async () => {
		expect((await pricingOf(every)).rails_enabled).toEqual({ x402: true, mpp: true, card: true });
		expect((await pricingOf({ ...every, railsEnabled: ["mpp"] })).rails_enabled).toEqual({
			x402: false,
			mpp: true,
			card: false,
		});
	});

	test("are explained only if they are enabled", async () => {
		const text = async (terms: Terms) => (await pricingOf(terms)).notes.join("\n");
		expect(await text(every)).toMatch(/PAYMENT-SIGNATURE[\s\S]*Authorization: Payment[\s\S]*POST \/credits/);
		const onlyMpp = await text({ ...every, railsEnabled: ["mpp"] });
		expect(onlyMpp).toContain("Authorization: Payment");
		expect(onlyMpp).not.toMatch(/PAYMENT-SIGNATURE|\/credits/);
	});
});

describe("the notes", () => {
	test.each<[Terms, string]>([
		[{ keyless: "open", railsEnabled: [] }, "This server charges nothing"],
		[{ keyless: "open", railsEnabled: ["x402"] }, "This server charges nothing"],
		[{ keyless: "pay", railsEnabled: ["x402"] }, "returns 402"],
		[{ keyless: "pay", railsEnabled: [] }, "has no way to pay enabled: without a key a priced endpoint returns 403"],
		[{ keyless: "closed", railsEnabled: ["x402"] }, "takes no payments for single calls: without a key"],
	])("begin with the response to a request without a key: %o", async (terms, text) => {
		const { notes } = await pricingOf(terms);
		expect(notes[0]).toContain(text);
		expect(notes.some((note) => note.includes("PAYMENT-SIGNATURE"))).toBe(
			terms.keyless === "pay" && terms.railsEnabled.length > 0,
		);
		expect(notes.at(-1)).toContain("GET /register");
	});
});
