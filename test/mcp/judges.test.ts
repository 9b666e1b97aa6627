/** What the official programs make of `/mcp`: a part of the conformance suite, and the inspector; the whole is in `judges.long.test.ts`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway, versioned } from "../api/support/gateway.ts";
import { haveTools, runTool } from "../support/tools.ts";
import { expectedFailures, tryScenario } from "./support/conformance.ts";

const judged = (await haveTools()) ? describe : describe.skip;

judged("/mcp before", () => {
	let gateway: TestGateway;
	/** Of the inspector, which keeps things there. */
	let home: string;
	beforeAll(async () => {
		home = await mkdtemp(join(tmpdir(), "inspector-"));
		const page = (params: { page: number; per_page: number }) => ({
			data: [],
			meta: { total: 0, page: params.page, per_page: params.per_page, pages: 0 },
		});
		gateway = await startGateway({ owner: { listProjects: async (params) => versioned(page(params)) } });
	});
	afterAll(async () => {
		await gateway?.[Symbol.asyncDispose]();
		await rm(home, { recursive: true, force: true });
	});

	test.each([
		["server-initialize", "2025-11-25"],
		["ping", "2025-11-25"],
		["tools-list", "2025-11-25"],
		["dns-rebinding-protection", "2025-11-25"],
		["tools-list", "2026-07-28"],
		["resources-list", "2026-07-28"],
		["prompts-list", "2026-07-28"],
		["sep-2164-resource-not-found", "2026-07-28"],
		["caching", "2026-07-28"],
		["http-header-validation", "2026-07-28"],
	])("the conformance suite: %s of %s", async (scenario, revision) => {
		const { code, stdout, stderr } = await tryScenario(gateway.url, scenario, revision);
		expect({ code, said: code === 0 ? "" : `${stdout}${stderr}` }).toEqual({ code: 0, said: "" });
		expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
	});

	/** What the inspector's command line prints for a method. */
	async function inspect(...args: string[]): Promise<Record<string, unknown>> {
		const sent = ["--cli", `${gateway.url}/mcp`, "--transport", "http", ...args];
		const { code, stdout, stderr } = await runTool("mcp-inspector", sent, { cwd: home, env: { HOME: home } });
		// Where it warns, it does so there.
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		return JSON.parse(stdout);
	}

	// Four starts of a large program.
	test("the inspector: it lists tools, prompts and resources without a warning, and calls a tool", {
		timeout: 120_000,
	}, async () => {
		const listed = await inspect("--method", "tools/list");
		expect(listed.tools).toEqual(expect.arrayContaining([expect.objectContaining({ name: "list_projects" })]));
		const given = ["--tool-arg", "page=3", "--tool-arg", "per_page=2"];
		const called = await inspect("--method", "tools/call", "--tool-name", "list_projects", ...given);
		expect(called.content).toEqual([
			{ type: "text", text: expect.stringMatching(/^0 rows of 0\.\n\{"meta":\{"total":0/) },
		]);
		expect(await inspect("--method", "prompts/list")).toMatchObject({
			prompts: expect.arrayContaining([expect.objectContaining({ name: "project_status" })]),
		});
		expect(await inspect("--method", "resources/list")).toMatchObject({
			resources: expect.arrayContaining([expect.objectContaining({ uri: "energy-data://catalog" })]),
		});
	});
});

test("every failure that is expected says why", async () => {
	for (const { scenario, reason } of await expectedFailures())
		expect([scenario, reason.length > 5]).toEqual([scenario, true]);
});
