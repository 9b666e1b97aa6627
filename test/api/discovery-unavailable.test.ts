/** Documents that a new caller reads while no service answers behind the gateway. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { answersOf, documentSchema, replyOf, sectionOf, text } from "./support/discovery.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";

let lonely: TestGateway;
beforeAll(async () => {
	lonely = await startGateway({ owner: null });
});
afterAll(() => lonely?.[Symbol.asyncDispose]());

describe("while no service answers behind the gateway", () => {
	test("every document is still there, and says what is not available", async () => {
		const reference = await text(lonely.url, "/llms-full.txt");
		expect(sectionOf(reference, "listProjects")).toContain("Its answer is not available now.");
		expect(sectionOf(reference, "listProjects")).toContain("`data[].capacity_mw`");
		expect(sectionOf(reference, "getPricingInfo")).toContain('"pricing_by_tier"');
		expect(reference).toContain("The plans are not available now");
		expect(answersOf(documentSchema.parse(JSON.parse(await text(lonely.url, "/openapi.json")))).length).toBeLessThan(
			10,
		);
		expect(await text(lonely.url, "/llms.txt")).toContain("\n## projects: ");
		expect((await replyOf(lonely.url, "getCatalog")).total_endpoints).toBe(httpOperations().length);
	});

	test("counts are null or left out, not a zero that was not counted", async () => {
		const data = await replyOf(lonely.url, "getDataCatalog");
		expect(data.not_available).toEqual(["queue-ingest", "scoring", "signals"]);
		expect(new Set(data.datasets.map(({ records }) => records))).toEqual(new Set([null]));
		const coverage = await replyOf(lonely.url, "getCoverage");
		expect(coverage.not_available).toEqual(["queue-ingest", "scoring", "signals"]);
		expect([coverage.queues, coverage.scoring, coverage.missing]).toEqual([[], [], []]);
		expect(new Set(data.datasets.map(({ sample }) => sample))).toEqual(new Set([null]));
	});
});
