/** What the official programs make of `/mcp`: a part of the conformance suite, and the inspector; the whole is in `judges.long.test.ts`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway, versioned } from "../api/support/gateway.ts";
import { haveTools } from "../support/tools.ts";
import { expectedFailures, inspect, tryScenario } from "./support/conformance.ts";

const judged = (await haveTools()) ? describe : describe.skip;

judged("/mcp before", () => {
	let gateway: TestGateway;
	beforeAll(async () => {
		const page = (params: { page: number; per_page: number }) => ({
			data: [],
			meta: { total: 0, page: params.page, per_page: params.per_page, pages: 0 },
		});
		gateway = await startGateway({ owner: { listProjects: async (params) => versioned(page(params)) } });
	});
	afterAll(() => gateway?.[Symbol.asyncDispose]());

	test.each([
		["server-initialize", "2025-11-25"],
		["tools-list", "2026-07-28"],
		["http-header-validation", "2026-07-28"],
	])("the conformance suite: %s of %s", async (scenario, revision) => {
		const { code, stdout, stderr } = await tryScenario(gateway.url, scenario, revision);
		expect({ code, said: code === 0 ? "" : `${stdout}${stderr}` }).toEqual({ code: 0, said: "" });
		expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
	});

	test("the inspector: it calls a tool without a warning", { timeout: 120_000 }, async () => {
		const given = ["--tool-arg", "page=3", "--tool-arg", "per_page=2"];
		const called = await inspect(gateway.url, "--method", "tools/call", "--tool-name", "list_projects", ...given);
		expect(called.content).toEqual([
			{ type: "text", text: expect.stringMatching(/^0 rows of 0\.\n\{"meta":\{"total":0/) },
		]);
	});
});

test("every failure that is expected says why", async () => {
	for (const { scenario, reason } of await expectedFailures())
		expect([scenario, reason.length > 5]).toEqual([scenario, true]);
});
