/** Everything that the official conformance suite asks of a server, in either revision, and what the inspector lists. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { haveTools } from "../support/tools.ts";
import { startWorld, type World } from "../support/world.ts";
import { expectedFailures, inspect, scoresIn, tryRevision } from "./support/conformance.ts";

const judged = (await haveTools()) ? describe : describe.skip;

judged("/mcp before", () => {
	let world: World;
	beforeAll(async () => {
		world = await startWorld();
		await world.settled();
	});
	afterAll(() => world?.[Symbol.asyncDispose]());

	/** Checks of `server-stateless` that need the suite's own tools. */
	const failedChecks = { "2025-11-25": undefined, "2026-07-28": 4 };

	test.each(["2025-11-25", "2026-07-28"] as const)(
		"the conformance suite of %s passes, except for expected failures",
		async (revision) => {
			const ran = await tryRevision(world.url, revision);
			expect({ code: ran.code, said: ran.code === 0 ? "" : ran.stdout.slice(-4_000) }).toEqual({ code: 0, said: "" });
			const scores = scoresIn(ran);
			expect(scores.length).toBeGreaterThan(25);
			const expected = new Set((await expectedFailures(revision)).map(({ scenario }) => scenario));
			for (const { scenario, failed } of scores)
				if (!expected.has(scenario)) expect([scenario, failed]).toEqual([scenario, 0]);
			expect(scores.find(({ scenario }) => scenario === "server-stateless")?.failed).toBe(failedChecks[revision]);
		},
	);

	test("the inspector lists tools, prompts and resources and calls a tool without a warning", async () => {
		expect((await inspect(world.url, "--method", "tools/list")).tools).toEqual(
			expect.arrayContaining([expect.objectContaining({ name: "list_projects" })]),
		);
		expect(await inspect(world.url, "--method", "prompts/list")).toMatchObject({
			prompts: expect.arrayContaining([expect.objectContaining({ name: "project_status" })]),
		});
		expect(await inspect(world.url, "--method", "resources/list")).toMatchObject({
			resources: expect.arrayContaining([expect.objectContaining({ uri: "energy-data://catalog" })]),
		});
		const given = ["--tool-arg", "page=3", "--tool-arg", "per_page=2"];
		const called = await inspect(world.url, "--method", "tools/call", "--tool-name", "list_projects", ...given);
		expect(called.content).toEqual([
			{ type: "text", text: expect.stringMatching(/^2 rows of [\d,]+ \(page 3 of [\d,]+\)\.\n\{"meta":\{"total":/) },
		]);
	});
});

test("every expected failure states its reason", async () => {
	for (const { scenario, reason } of await expectedFailures())
		expect([scenario, reason.length > 5]).toEqual([scenario, true]);
});
